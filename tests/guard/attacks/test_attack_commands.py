"""Commands by which an agent would get past the guard, at the whole engine: each must be denied or asked about."""

from pathlib import Path

import pytest
from attack_arena import broken, held

from each_row import each_row
from remit.guard.event import Kind, Outcome

COMMANDS = [
    line
    for line in Path(__file__).with_name("commands.txt").read_text().split("\n")
    if line and not line.startswith("# ")
]


@pytest.fixture(scope="module")
def baited_session(baited):
    baited.event(Kind.SESSION)
    baited.event(Kind.PROMPT, text="please tidy up the project")
    return baited


@each_row("command", COMMANDS)
def test_it_is_held(baited_session, command):
    arena = baited_session
    places = {"@S": arena.state, "@V": arena.v, "@H": arena.home, "@U": str(arena.state).upper(), r"\N": "\n"}
    for mark, text in places.items():
        command = command.replace(mark, str(text))
    verdict = arena.bash(command)
    assert held(verdict), command
    assert not broken(verdict), verdict.reason


# Code of the workspace that is not read: it is the user's, and what a skill changed in it meets the walls when it runs.
OF_THE_PROJECT = ("go run x.go",)


@pytest.mark.parametrize("command", OF_THE_PROJECT)
def test_what_passes_is_listed(baited_session, command):
    assert not held(baited_session.bash(command))


CLEAN = (
    "ls -la",
    "cat a.txt",
    "git status",
    "git log -3",
    "grep -r hi kept",
    "echo hi > out.txt",
    "mkdir -p build && cp a.txt build/",
    "cp -r kept copy",
    "./run.sh",
    "make",
    "python3 src/m.py",
    "sed -i s/a/b/ a.txt",
    "find kept -name '*.txt'",
    "ps aux",
    "getent passwd root",
    "set -e; ls",
    "wc -l a.txt | sort",
    "tar cf x.tar kept",
    "diff a.txt kept/x.txt",
)


@pytest.mark.parametrize("command", CLEAN)
def test_ordinary_work_goes_on(arena, command):
    assert arena.bash(command).outcome is Outcome.PASS
