"""Snapshots: what is at a path, why something is not kept or restored, and the record file.

A record has a line when the snapshot is taken, and another when the call has ended.
"""

from __future__ import annotations

import errno
import json
import os
from enum import StrEnum
from typing import Any, NamedTuple

Tree = dict[str, "Entry"]  # by absolute path; bytes that are not UTF-8 are surrogates, as from `os.fsdecode`


class PathKind(StrEnum):
    """What is at a path."""

    ABSENT = "absent"
    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"  # a FIFO, a socket, a device: noticed afterwards, never kept
    REF = "ref"  # in git: `target` is its value, wherever git stores it
    REFLOG = "reflog"  # in git: present as long as each of its lines is
    OBJECTS = "objects"  # in git: a folder of objects, of which `target` holds some; present as long as each of them is
    REPOSITORY = "repository"  # data of version control: neither kept nor restored, only its presence


class Entry(NamedTuple):
    """What is at a path. Names with the same `inode` are one file."""

    kind: PathKind
    mode: int = 0
    mtime: int = 0
    digest: str = ""
    target: str = ""
    inode: str = ""

    def same(self, other: Entry) -> bool:
        """Whether both are the same, regardless of the modification time."""
        return self._replace(mtime=0, inode="") == other._replace(mtime=0, inode="")


NOTHING = Entry(PathKind.ABSENT)
REPOSITORY = Entry(PathKind.REPOSITORY)
OF_GIT = frozenset({PathKind.REF, PathKind.REFLOG, PathKind.OBJECTS})
_REPOSITORIES = frozenset({".git", ".hg", ".jj", ".svn"})


def names_repository(path: str) -> bool:
    """Whether a path is or is below the data of a version control system."""
    return not _REPOSITORIES.isdisjoint(path.split("/"))


def in_git(path: str) -> bool:
    """Whether a path is or is below a folder in which git stores a repository."""
    return ".git" in path.split("/")


class Limits(NamedTuple):
    """Limits on the changes of one call that can be undone."""

    file_bytes: int = 256 * 1024 * 1024
    total_bytes: int = 1024 * 1024 * 1024
    entries: int = 20_000


class NotKept(NamedTuple):
    """The old state is not kept, so the call is not reversible."""

    reason: str


class SkippedPath(NamedTuple):
    """A path that is left unchanged."""

    path: str
    reason: str


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
    """Append a line in one write, not forced to the disk: of what a power failure destroys, nothing looks complete."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)
    try:
        line = json.dumps(data).encode() + b"\n"
        if os.write(handle, line) != len(line):
            raise OSError(errno.ENOSPC, "the disk is full")
    finally:
        os.close(handle)


def encoded(snapshot: Snapshot) -> dict[str, Any]:
    """Return the first line of a record."""
    return {**snapshot._asdict(), "before": tree(snapshot.before), "left": snapshot.left and tree(snapshot.left)}


def tree(found: Tree) -> dict[str, list[Any]]:
    """Return files as a line stores them."""
    return {path: list(entry) for path, entry in found.items()}


def decoded(text: bytes) -> Snapshot:
    """Return the snapshot of a record."""
    first, *later = text.split(b"\n")
    data: dict[str, Any] = json.loads(first)
    for line in later[:-1]:  # an incomplete line at the end is ignored
        data |= json.loads(line)
    trees = {
        name: None
        if data[name] is None
        else {path: Entry(PathKind(kind), *rest) for path, (kind, *rest) in data[name].items()}
        for name in ("before", "left")
    }
    named = data.get("named")
    return Snapshot(
        **{**data, **trees, "roots": tuple(data["roots"]), "named": None if named is None else tuple(named)}
    )
