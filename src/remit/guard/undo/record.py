"""The record file of a snapshot: a line when it is taken, and another when the call has ended."""

from __future__ import annotations

import errno
import json
import os
from typing import Any, NamedTuple

from remit.guard.undo.entry import Entry, Kind, Tree


class Snapshot(NamedTuple):
    """The old state of what a call may change, and the state that it left (None: not known yet)."""

    ident: str
    session: str
    call: str
    taken: int  # nanoseconds since 1970
    roots: tuple[str, ...]
    before: Tree
    left: Tree | None = None
    restored: bool = False
    exact: bool = False  # only the roots themselves, not what is below: each was observed to change
    named: tuple[str, ...] | None = (
        None  # what the call names; others may have changed the rest meanwhile (None: no one has)
    )
    redoes: str = ""  # the snapshot whose restore this one reverts


def add_line(path: str, data: dict[str, Any], flags: int = 0) -> None:
    """Append a line in one write, without forcing it to the disk, as contents are not either: of what a power failure
    destroys, nothing remains that looks complete.
    """
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)
    try:
        line = json.dumps(data).encode() + b"\n"
        if os.write(handle, line) != len(line):
            raise OSError(errno.ENOSPC, "the disk is full")
    finally:
        os.close(handle)


def _read_lines(data: bytes) -> dict[str, Any]:
    """Return the first line, merged with the later ones; an incomplete line at the end is ignored."""
    first, *later = data.split(b"\n")
    found: dict[str, Any] = json.loads(first)
    for line in later[:-1]:
        found |= json.loads(line)
    return found


def encoded(snapshot: Snapshot) -> dict[str, Any]:
    """Return the first line of a record."""
    return {**snapshot._asdict(), "before": tree(snapshot.before), "left": snapshot.left and tree(snapshot.left)}


def tree(found: Tree) -> dict[str, list[Any]]:
    """Return files as a line stores them."""
    return {path: list(entry) for path, entry in found.items()}


def decoded(text: bytes) -> Snapshot:
    """Return the snapshot of a record."""
    data = _read_lines(text)
    trees = {
        name: None
        if data[name] is None
        else {path: Entry(Kind(kind), *rest) for path, (kind, *rest) in data[name].items()}
        for name in ("before", "left")
    }
    named = data.get("named")
    return Snapshot(
        **{**data, **trees, "roots": tuple(data["roots"]), "named": None if named is None else tuple(named)}
    )
