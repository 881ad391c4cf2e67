"""Checks that an answer comes from a person at a terminal and not from an agent.

This is a second lock. The first is the guard itself: `remit approvals` in an agent's command is `policy.expand`, and
denied. A process that hides its origin (an older terminal multiplexer, a cleared environment) gets past this one.
"""

from __future__ import annotations

import os
import pwd
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ANSWER, Entry, Outcome, RecordKind
from remit.audit.log import Log
from remit.core.errors import DataError, GuardError
from remit.core.table import read_table
from remit.guard.audit_key import audit_signer

if TYPE_CHECKING:
    from remit.guard.state_folder import StateFolder

_TABLE = Path(__file__).parent.with_name("data") / "agents.table"
_DEEPEST = 200


class Person(NamedTuple):
    """The person who answers."""

    uid: int
    name: str
    terminal: str  # terminal; empty with --unattended

    def __str__(self) -> str:
        return f"uid {self.uid} ({self.name}), {self.terminal or 'unattended'}"


class Process(NamedTuple):
    """A process, as /proc describes it."""

    parent: int
    name: str
    words: tuple[str, ...]
    variables: tuple[str, ...]


@cache
def marks() -> tuple[frozenset[str], tuple[str, ...]]:
    """Programs and environment variables by which agents are recognised."""
    programs: set[str] = set()
    variables: list[str] = []
    for row in read_table(_TABLE, 3):
        kind, name, meaning = row.cells
        if kind not in ("program", "variable") or not (name and meaning):
            raise DataError(f"{row.where}: a line names a program or a variable, and its owner", "correct it")
        programs.add(name) if kind == "program" else variables.append(name)
    return frozenset(programs), tuple(variables)


def present(*, unattended: bool = False, root: Path = Path("/proc")) -> Person:
    """Return the person who answers, or refuse."""
    if found := agent_above(os.getpid(), root):
        raise GuardError(f"an agent started this ({found})", "answer in your own terminal")
    if unattended:
        return _person("")
    if not (sys.stdin.isatty() and _has_terminal()):
        raise GuardError("no person can be asked: this is not a terminal", "answer in a terminal, or say --unattended")
    return _person(os.ttyname(sys.stdin.fileno()))


def agent_above(pid: int, root: Path = Path("/proc")) -> str:
    """Return the first process, from this one upwards, that is an agent or was started by one; empty if there is none."""
    seen = 0
    while pid > 0 and seen < _DEEPEST:
        found = _process(pid, root)
        if found is None:
            break  # another user's process, or one that has ended
        if said := is_agent(found):
            return f"process {pid}: {said}"
        pid, seen = found.parent, seen + 1
    return ""


def is_agent(process: Process) -> str:
    """Return the mark by which a process is recognised as an agent's; empty if it is not."""
    programs, variables = marks()
    names = {process.name, *(Path(word).name.partition(".")[0] for word in process.words[:2])}
    for name in sorted(names & programs):
        return f"`{name}`"
    for mark in variables:
        for one in process.variables:
            if one == mark or (one.startswith(f"{mark}=") and "=" not in mark):
                return f"`{mark}` is set"
    return ""


def _process(pid: int, root: Path) -> Process | None:
    try:
        name = (root / str(pid) / "comm").read_text("utf-8", "replace").strip()
        parent = int((root / str(pid) / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return None
    return Process(parent, name, _texts(root / str(pid) / "cmdline"), _texts(root / str(pid) / "environ"))


def _texts(path: Path) -> tuple[str, ...]:
    try:
        return tuple(path.read_bytes().decode("utf-8", "replace").split("\0"))
    except OSError:
        return ()


def _has_terminal() -> bool:
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_CLOEXEC | os.O_NOCTTY))
    except OSError:
        return False
    return True


def _person(terminal: str) -> Person:
    uid = os.getuid()
    try:
        name = pwd.getpwuid(uid).pw_name
    except KeyError:
        name = "?"
    return Person(uid, name, terminal)


_LONGEST = 2000  # characters of a sentence


def log_person(places: StateFolder, person: Person, said: str, what: str, *, yes: bool) -> None:
    """Append a record of what a person decided."""
    entry = Entry(
        kind=RecordKind.DECISION,
        host="remit",
        event="guard",
        op=ANSWER,
        policy=what,
        reason=f"{person}: {said}"[:_LONGEST],
        outcome=Outcome.PERSON_APPROVED if yes else Outcome.PERSON_DENIED,
    )
    with Log.open(places.folder, audit_signer) as log:
        log.append(entry, sync=True)
