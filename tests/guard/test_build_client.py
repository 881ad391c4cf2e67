"""The compiled client is made from our own source by a compiler of the system, or not at all."""

import os
import shutil
import stat

import pytest

from remit.core.errors import GuardError
from remit.guard.client import build
from remit.guard.client.build import SCRIPT, build_client, hook_command
from remit.guard.places import Places, prepared


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
    client = Places(tmp_path).client
    command = hook_command("claude-code", "PreToolUse", 20, str(tmp_path), client)
    assert command == (str(client), "claude-code", "PreToolUse", "20", str(tmp_path))
