"""Attacks on what the guard remembers: broken events, calls that never end, jobs that go on, daemons that die, settings that are code."""

import json

import pytest
from attack_arena import held

from remit.analysis.configurations import configurations
from remit.guard.call_analysis.commands import CallPlace, understand
from remit.guard.engine import Engine
from remit.guard.event import Event, Kind, Outcome
from remit.guard.state_folder import StateFolder


def nested(depth):
    found = inner = {}
    for _ in range(depth):
        inner["a"] = inner = {}
    return found


@pytest.mark.parametrize(
    "fields",
    [
        {"cwd": ""}, {"cwd": "x"}, {"cwd": "/a\0b"}, {"session": "\ud800"}, {"tool": ""}, {"kind": "weird"}, {"args": {}}, {"args": {"command": None}},
        {"args": {"command": ["rm"]}}, {"args": {"command": b"ls"}}, {"args": {"command": "echo \ud800"}}, {"args": {"command": "ls", "x": nested(5000)}},
        {"host": "nobody"}, {"kind": Kind.SKILL, "skill": ""}, {"kind": Kind.SKILL, "skill": "../../etc"},
    ],
)  # fmt: skip
def test_broken_events_are_denied_and_written_down(arena, fields):
    given = {
        "host": "claude-code",
        "kind": Kind.BEFORE,
        "name": "PreToolUse",
        "session": "odd",
        "cwd": str(arena.ws),
        "call": "c1",
    }
    verdict = arena.engine.decide(Event(**({**given, "tool": "Bash", "args": {"command": "ls"}} | fields)))
    assert held(verdict)
    assert any(record.entry.call == "c1" and record.entry.outcome == "deny" for record in arena.engine.log.records())


def test_calls_that_never_end_are_bounded(arena):
    for number in range(1200):
        arena.event(tool="TodoWrite", args={"todos": []}, call=f"t{number}")
        if number % 6 == 0:
            arena.tool("Read", file_path=str(arena.ws / "a.txt"))
    (live,) = arena.engine.sessions.all()
    assert len(live.pending) <= 1000


def test_what_a_dead_daemon_left_is_unknown_and_no_alarm_when_it_ends(arena):
    arena.bash("echo hi", call="left")
    second = Engine(StateFolder(arena.state), home=arena.home)
    found = [record.entry for record in second.log.records() if record.entry.call == "left"]
    assert found[-1].outcome == "unknown"
    ended = Event(
        "claude-code", Kind.AFTER, "after", "s1", str(arena.ws), tool="Bash", args={"command": "echo hi"}, call="left"
    )
    assert second.decide(ended).note == ""
    other = ended._replace(args={"command": "echo ho"})
    assert "ALARM" in second.decide(other).note
    again = Engine(StateFolder(arena.state), home=arena.home)
    assert sum(record.entry.outcome == "unknown" and record.entry.call == "left" for record in again.log.records()) == 1
    again.close()
    second.close()


def test_a_link_that_is_swapped_between_check_and_run_is_named_afterwards(arena):
    target = arena.ws / "note.txt"
    target.write_text("x")
    args = {"file_path": str(target), "content": "y"}
    for swap in (False, True):
        assert arena.event(tool="Write", args=args, call=f"w{swap}").outcome is Outcome.PASS
        if swap:
            target.unlink()
            target.symlink_to(arena.root / "elsewhere.txt")
        note = arena.event(Kind.AFTER, tool="Write", args=args, call=f"w{swap}").note
        assert ("leads elsewhere" in note) is swap


def test_one_name_on_two_hosts_is_two_sessions(arena):
    arena.event(Kind.PROMPT, text="push to https://github.com/a/b")
    arena.event(Kind.PROMPT, text="hello", host="codex")
    first, second = arena.engine.sessions.all()
    assert first.prompts != second.prompts


CODE = {
    "eslint src": ("eslint.config.mjs", "x"),
    "prettier --check src": (".prettierrc.cjs", "x"),
    "stylelint src/a.css": ("stylelint.config.js", "x"),
    "mypy src": ("setup.cfg", "[mypy]\nplugins = evil\n"),
    "pylint src": (".pylintrc", "[MAIN]\ninit-hook='import os'\n"),
    "flake8 src": (".flake8", "[flake8:local-plugins]\nextension = X = evil:x\n"),
    "npm run x": (".npmrc", "script-shell=./evil\n"),
    "cd src && mypy .": ("mypy.ini", "[mypy]\nplugins = evil\n"),
}


@pytest.mark.parametrize("command", CODE)
def test_settings_that_are_code_are_code_of_the_workspace(arena, command):
    """They are seen, and run for a skill as the rest of the workspace's code does: a capsule holds it."""
    name, text = CODE[command]
    (arena.ws / name).write_text(text)
    place = CallPlace(arena.ws, arena.ws, arena.home, arena.root / "tmp")
    assert any(name in str(doubt) for doubt in understand(command, place).doubts)
    verdict = arena.bash(command)
    assert held(verdict) == (command.partition(" ")[0] == "flake8")


def test_every_program_with_such_settings_is_listed_once_a_file():
    assert all(line.files and line.meaning for lines in configurations().values() for line in lines)


@pytest.mark.parametrize(
    "text",
    [
        "export X = ; rm {v}\nall:\n\techo $(X)\n", "all: X = ; rm {v}\nall:\n\techo $(X)\n", "all: SHELL=/tmp/evil\nall:\n\techo x\n",
        ".RECIPEPREFIX = >\nall:\n> rm {v}\n", "all:\n\techo $(file > {v},evil)\n", "all:\n\t$(eval SHELL=/tmp/e)echo x\n",
        ".SHELLFLAGS = -c 'rm {v}' x\nall:\n\techo x\n", "export BASH_ENV = ./evil\nall:\n\techo x\n",
    ],
)  # fmt: skip
def test_makefiles_that_hide_their_commands(arena, text):
    """They are not understood, which is no reason to ask about code of the workspace; what is seen of them is judged."""
    (arena.ws / "Makefile").write_text(text.replace("{v}", arena.v))
    place = CallPlace(arena.ws, arena.ws, arena.home, arena.root / "tmp")
    known = understand("make", place)
    assert known.doubts or held(arena.bash("make"))


def test_hooks_of_a_worktree_are_looked_at(arena):
    """A second work tree has its settings and hooks elsewhere: they are followed there."""
    store = arena.root / "store"
    (store / "worktrees" / "w").mkdir(parents=True)
    (store / "config").write_text("[core]\n\tbare = false\n")
    (store / "worktrees" / "w" / "commondir").write_text("../..\n")
    tree = arena.ws / "tree"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {store}/worktrees/w\n")
    assert arena.bash("cd tree && git status").outcome is Outcome.PASS
    (store / "config").write_text("[core]\n\tfsmonitor = ./evil\n")
    assert held(arena.bash("cd tree && git status "))


def test_the_arena_speaks_json(arena):
    """What the log shows of an attack can be printed."""
    arena.bash(f"rm {arena.v}")
    assert json.dumps([record.entry.reason for record in arena.engine.log.records()])
