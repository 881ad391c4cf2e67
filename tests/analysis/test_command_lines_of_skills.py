"""The commands that documents tell the agent to run, as `Effects` keeps them."""

from __future__ import annotations

import pytest

from remit.analysis.result import Effects
from remit.analysis.session import analyse
from remit.core.effect import Command, Origin
from remit.core.location import Location
from remit.skill.load import load_skill

HEAD = "---\nname: demo\ndescription: A small skill for a test.\n---\n\n"


@pytest.fixture
def found(tmp_path):
    def run(text: str, **files: str) -> Effects:
        (tmp_path / "SKILL.md").write_text(HEAD + text, encoding="utf-8")
        for name, content in files.items():
            (tmp_path / name.replace("__", ".")).write_text(content, encoding="utf-8")
        return analyse(load_skill(tmp_path))

    return run


def lines(effects: Effects) -> list[tuple[str, str]]:
    return [(command.program, command.text) for command in effects.commands]


CASES = {
    "ls -l 'a b'": [("ls", "ls -l 'a b'")],
    "python3 x.py --in <file>": [("python3", "python3 x.py --in <model>")],
    "cd build && make": [("cd", "cd build"), ("make", "make")],
    'curl -H "X-Key: $KEY" https://example.com': [("curl", 'curl -H "X-Key: $KEY" https://example.com')],
    "export MODE=fast": [("export", "export MODE=fast")],
    "sudo rm -r build": [("rm", "rm -r build"), ("sudo", "sudo rm -r build")],
    "echo hello > out.txt": [("echo", "echo hello")],
    'cat "$HOME/x"': [("cat", "cat ~/x")],
    "bash -c 'rm a'": [("bash", "bash -c 'rm a'"), ("rm", "rm a")],
}


@pytest.mark.parametrize("line", CASES)
def test_every_command_is_kept_with_its_words(found, line):
    assert lines(found(f"```bash\n{line}\n```\n")) == CASES[line]


def test_a_command_is_kept_once_with_its_first_place(found):
    effects = found("```bash\nls\n```\n\n```bash\nls\n```\n")
    assert effects.commands == (Command("ls", "ls", Location("SKILL.md", 7), Origin.INSTRUCTED),)


def test_a_line_that_the_host_runs_says_so(found):
    assert [command.origin for command in found("!`ls`\n").commands] == [Origin.HOOK]


def test_commands_of_scripts_and_of_code_are_none(found):
    effects = found("```python\nimport os\nos.system('rm a')\n```\n\nRun `bash run.sh`.\n", run__sh="#!/bin/sh\nrm b\n")
    assert lines(effects) == [("bash", "bash run.sh")]


def test_a_long_command_is_cut(found):
    (command,) = found("```bash\necho " + "word " * 100 + "\n```\n").commands
    assert len(command.text) == 200
    assert command.text.endswith("…")


def test_they_survive_encoding(found):
    effects = found("```bash\nls -l\ngit status\n```\n")
    assert Effects.decode(effects.encode(), effects.path) == effects
    assert len(effects.commands) == 2


def test_a_form_without_commands_is_refused(found):
    data = found("```bash\nls -l\n```\n").encode()
    del data["commands"]
    with pytest.raises(KeyError):
        Effects.decode(data, "x")
