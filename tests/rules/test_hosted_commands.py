"""Rule 7: who runs a command. Lines of documents and hooks are run by the host's shell, what a program starts is a process."""

import pytest


def fence(code: str, tag: str = "bash") -> str:
    return f"Run:\n\n```{tag}\n{code}\n```\n"


WRAPPED = {
    "ffmpeg -i a.mp4 b.gif": "ffmpeg",
    "sudo rm -rf build": "rm",
    "ls | xargs rm": "rm",
    "env FOO=1 ffmpeg -i a.mp4 b.gif": "ffmpeg",
    "timeout 5 rm a": "rm",
    "find . -name '*.o' -exec rm {} +": "rm",
    "bash -c 'rm a'": "rm",
    "frobnicate --all": "frobnicate",
}


@pytest.mark.parametrize("line", WRAPPED)
def test_a_command_of_a_document_is_run_by_the_hosts_shell(skill, line):
    found = skill({}, fence(line))
    assert ("shell.execute", WRAPPED[line]) in found.effects
    assert "process.create" not in found.capabilities


def test_a_span_is_a_command_too(skill):
    assert ("shell.execute", "ffmpeg") in skill({}, "Run `ffmpeg -i a.mp4 b.gif` first.\n").effects


def test_a_line_that_runs_while_the_text_is_loaded(skill):
    found = skill({}, "State: !`git status`\n")
    assert ("shell.execute", "git") in found.effects
    assert "process.create" not in found.capabilities


def test_a_hook_is_run_by_the_hosts_shell(skill):
    hooks = '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "ffmpeg -i a.mp4 b.gif"}]}]}}'
    found = skill({".claude/settings.json": hooks})
    assert ("shell.execute", "ffmpeg") in found.effects
    assert ("process.create", "ffmpeg") not in found.effects


def test_a_tool_server_is_started_without_a_shell(skill):
    found = skill({".mcp.json": '{"mcpServers": {"a": {"command": "ffmpeg", "args": ["-version"]}}}'})
    assert ("process.create", "ffmpeg") in found.effects
    assert "shell.execute" not in found.capabilities


STARTED = {
    "a script": ({"scripts/run.sh": "#!/bin/sh\nffmpeg -i a.mp4 b.gif\n"}, fence("bash scripts/run.sh")),
    "a sourced script": ({"scripts/env.sh": "ffmpeg -i a.mp4 b.gif\n"}, fence("source scripts/env.sh")),
    "a Python fence": ({}, fence("import subprocess\nsubprocess.run(['ffmpeg', '-i', 'a.mp4', 'b.gif'])", "python")),
    "a one-liner": ({}, fence("python3 -c \"import os; os.execvp('ffmpeg', ['ffmpeg', '-version'])\"")),
    "a package script": ({"package.json": '{"scripts": {"gif": "ffmpeg -i a.mp4 b.gif"}}'}, fence("npm run gif")),
    "a file that is written": ({}, fence("cat > x.sh <<'END'\nffmpeg -i a.mp4 b.gif\nEND\nbash x.sh")),
}


@pytest.mark.parametrize("case", STARTED)
def test_what_a_program_starts_is_a_process(skill, case):
    found = skill(*STARTED[case])
    assert ("process.create", "ffmpeg") in found.effects
    assert ("shell.execute", "ffmpeg") not in found.effects


@pytest.mark.parametrize("line", ["git branch --show-current", "git remote -v", "git config --get user.name"])
def test_what_describes_a_repository_is_files_in_a_document_and_state_in_a_script(skill, shell, line):
    assert skill({}, fence(line)).effects == {
        ("shell.execute", "git"),
        ("file.read", "./.git"),
        ("file.read", "./.git/**"),
    }
    assert ("commit.read", ".") in shell(f"{line}\n").effects


def test_an_instructed_interpreter_is_named_by_its_script_alone(skill):
    found = skill({"scripts/a.py": "print(1)\n"}, fence("python3 scripts/a.py"))
    assert found.capabilities == {"source.execute"}
