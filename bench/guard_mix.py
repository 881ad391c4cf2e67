"""What a session of an agent looks like to the guard: a workspace, a skill with a manifest, and calls that differ from each other.

A session begins, the user says something, a skill is loaded; then rounds of calls, each asked about before and told of afterwards.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.guard.state_folder import prepared
from remit.guard.store import open_store, trust_file

if TYPE_CHECKING:
    from collections.abc import Iterator

BEFORE, AFTER = "PreToolUse", "PostToolUse"
SCRIPT = """import csv, sys
from pathlib import Path

rows = list(csv.reader(Path(sys.argv[1]).open()))
Path(sys.argv[2]).write_text("\\n".join(" | ".join(row) for row in rows))
"""
RUN = "python3 .claude/skills/report/scripts/table.py data/numbers.csv out/table.md"
PERMISSIONS = (
    {"capability": "file.read", "scope": ["./data/**", "$SKILL/**"], "effect": "allow"},
    {"capability": "file.write", "scope": "./out/**", "effect": "allow"},
    {"capability": "source.execute", "scope": "$SKILL/**", "effect": "allow"},
    {"capability": "shell.execute", "scope": ["python3", "git", "ls", "cat"], "effect": "allow"},
)
COMMANDS = (
    "git status",
    "ls -la src",
    "git diff --stat | head -20",
    "grep -rn TODO src",
    "cat src/app.py | head -40",
    RUN,
    "wc -l data/numbers.csv",
)


class Told(NamedTuple):
    """One event of a hook."""

    event: str
    body: bytes
    writes: tuple[Path, str] | None = None  # what the call really wrote before the host told of it


def make_workspace(folder: Path, state: Path) -> Path:
    """A small repository with a skill whose manifest a person trusts."""
    root = folder / "project"
    for name in ("src", "data", "out", ".claude/skills/report/scripts"):
        (root / name).mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    for number in range(20):
        (root / "src" / f"part{number}.py").write_text(f"VALUE = {number}  # TODO more\n" * 20)
    (root / "src" / "app.py").write_text("import part0\n\nprint(part0.VALUE)\n" * 20)
    (root / "data" / "numbers.csv").write_text("a,b\n1,2\n" * 50)
    skill = root / ".claude" / "skills" / "report"
    (skill / "SKILL.md").write_text("---\nname: report\ndescription: tables from numbers\n---\nRun scripts/table.py.\n")
    (skill / "scripts" / "table.py").write_text(SCRIPT)
    manifest = skill / "remit.json"
    manifest.write_text(json.dumps({"skill_metadata": {"name": "report"}, "permissions": list(PERMISSIONS)}))
    digest = "sha256:" + hashlib.sha256(manifest.read_bytes()).hexdigest()
    store = open_store(prepared(state).database)
    trust_file(store, str(manifest), digest, now=1)
    store.close()
    return root


def really(told: Told) -> Told:
    """Do what a call did before it is told."""
    if told.writes is not None:
        told.writes[0].write_text(told.writes[1])
    return told


def _told(root: Path, session: str, event: str, **fields: object) -> Told:
    common = {"session_id": session, "transcript_path": "/tmp/t.jsonl", "cwd": str(root), "permission_mode": "default"}
    return Told(event, json.dumps({**common, "hook_event_name": event, **fields}).encode())


def one_call(root: Path, session: str, command: str = "git status") -> bytes:
    """The one call that is asked about again and again, or another command."""
    return next(_call(root, session, "t1", "Bash", {"command": command}, "")).body


def opening(root: Path, session: str) -> Iterator[Told]:
    """How a session begins."""
    yield _told(root, session, "SessionStart", source="startup")
    yield _told(
        root, session, "UserPromptSubmit", prompt="Make a table of data/numbers.csv in out/, then tidy up src/."
    )
    yield from _call(root, session, "skill", "Skill", {"skill": "report"}, "loaded")


def calls(root: Path, session: str, number: int) -> Iterator[Told]:
    """A round of calls. Those of a later round are other calls by the same tools, as in a real session."""
    path = str(root / "src" / f"part{number % 20}.py")
    what: list[tuple[str, dict[str, object], str]] = [
        ("Bash", {"command": command, "description": "look"}, "ok\n" * 10) for command in COMMANDS
    ]
    what += [
        ("Read", {"file_path": path}, "VALUE = 1\n" * 20),
        ("Grep", {"pattern": "TODO", "path": str(root / "src")}, "src/app.py:1\n" * 5),
        ("Glob", {"pattern": "**/*.py", "path": str(root / "src")}, "src/app.py\n" * 5),
        ("Edit", {"file_path": path, "old_string": "TODO", "new_string": f"TODO {number}"}, "done"),
        ("Write", {"file_path": str(root / "out" / f"n{number % 50}.md"), "content": f"# {number}\n" * 10}, "done"),
        ("TodoWrite", {"todos": [{"content": f"step {number}", "status": "pending"}]}, "done"),
        ("Bash", {"command": f"head -{number % 40 + 1} src/app.py"}, "ok\n"),
    ]
    for at, (tool, args, result) in enumerate(what):
        written = (Path(str(args["file_path"])), f"{session} {number}\n" * 20) if tool in ("Edit", "Write") else None
        before, after = _call(root, session, f"{number}-{at}", tool, args, result)
        yield before
        yield after._replace(writes=written)


def _call(root: Path, session: str, ident: str, tool: str, args: dict[str, object], result: str) -> Iterator[Told]:
    call = {"tool_name": tool, "tool_input": args, "tool_use_id": ident}
    yield _told(root, session, BEFORE, **call)
    yield _told(root, session, AFTER, **call, tool_response={"stdout": result})
