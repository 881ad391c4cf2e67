"""The compiled client is made from our own source by a compiler of the system, or not at all."""

import json
import os
import shutil
import stat
import subprocess

import pytest

from remit.cli import main
from remit.core.errors import GuardError
from remit.guard.client import build
from remit.guard.client.build import SCRIPT, build_client, hook_command
from remit.guard.state_folder import StateFolder, prepared


def test_without_a_compiler_there_is_none(tmp_path, monkeypatch):
    fake = tmp_path / "cc"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(build, "_COMPILERS", ("no-such-compiler", "remit-cc"))
    (tmp_path / "remit-cc").symlink_to(fake)
    assert build_client(prepared(tmp_path / "state")) is None


@pytest.mark.skipif(not shutil.which("cc", path=build._PATH), reason="there is no compiler")
def test_a_client_that_does_not_compile_is_an_error_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "SOURCE", tmp_path / "none.c")
    places = prepared(tmp_path / "state")
    with pytest.raises(GuardError, match="cannot be compiled"):
        build_client(places)
    assert not list(places.folder.iterdir())


@pytest.mark.skipif(not shutil.which("cc", path=build._PATH), reason="there is no compiler")
def test_the_client_is_ours_alone_and_replaced_whole(tmp_path):
    places = prepared(tmp_path / "state")
    for _ in range(2):
        assert build_client(places) == places.client
    assert stat.S_IMODE(places.client.stat().st_mode) == 0o700
    assert [path.name for path in places.folder.iterdir()] == [places.client.name]


def test_what_c_cannot_say_is_refused(tmp_path):
    with pytest.raises(GuardError):
        build._literal("a\nb")
    assert build._literal('a"\\') == '"a\\"\\\\"'


def test_the_command_names_everything_from_the_root_on(tmp_path):
    command = hook_command("claude-code", "PreToolUse", 4.5, str(tmp_path))
    assert command[1:] == ("-I", "-S", str(SCRIPT), "claude-code", "PreToolUse", "4.5", str(tmp_path))
    assert os.path.isabs(command[0])
    client = StateFolder(tmp_path).client
    command = hook_command("claude-code", "PreToolUse", 20, str(tmp_path), client)
    assert command == (str(client), "claude-code", "PreToolUse", "20", str(tmp_path))


@pytest.mark.skipif(not shutil.which("cc", path=build._PATH), reason="there is no compiler")
def test_installed_hooks_run_the_compiled_client_and_it_answers(state, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REMIT_STATE", str(state.folder))
    assert main(["guard", "install", "claude-code"]) == 0
    hooks = json.loads((tmp_path / ".claude/settings.json").read_text())["hooks"]
    (command,) = {hook["command"] for group in hooks["PreToolUse"] for hook in group["hooks"]}
    assert command.startswith(str(state.client))
    assert main(["guard", "status", "claude-code"]) == 0  # and it is known as ours
    event = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(tmp_path), "tool_name": "Bash"}
    event |= {"tool_use_id": "t", "tool_input": {"command": "true"}}
    done = subprocess.run(
        ["sh", "-c", command], input=json.dumps(event), capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{}", "")
    assert main(["guard", "install", "claude-code"]) == 0
    assert "installed already" in capsys.readouterr().out.splitlines()[-1]


def test_without_a_compiler_hooks_run_the_python_client(state, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REMIT_STATE", str(state.folder))
    monkeypatch.setattr(build, "_COMPILERS", ())
    assert main(["guard", "install", "claude-code"]) == 0
    assert str(SCRIPT) in (tmp_path / ".claude/settings.json").read_text()


@pytest.mark.skipif(not shutil.which("cc", path=build._PATH), reason="there is no compiler")
def test_a_compiler_that_fails_leaves_the_python_client(state, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("REMIT_STATE", str(state.folder))
    monkeypatch.setattr(build, "SOURCE", tmp_path / "none.c")
    assert main(["guard", "install", "claude-code"]) == 0
    assert str(SCRIPT) in (tmp_path / ".claude/settings.json").read_text()
    assert "hooks run the Python client" in capsys.readouterr().err
