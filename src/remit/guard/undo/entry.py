"""The values of snapshots: what lies at a path, and why something is not kept or not restored."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

Tree = dict[
    str, "Entry"
]  # by absolute path; bytes that are no UTF-8 are kept as surrogates, as `os.fsdecode` gives them


class Kind(StrEnum):
    """What lies at a path."""

    ABSENT = "absent"
    FILE = "file"
    FOLDER = "folder"
    LINK = "link"
    OTHER = "other"  # a FIFO, a socket, a device: seen afterwards, never kept
    REF = "ref"  # in git: `target` is its value, wherever git keeps it
    REFLOG = "reflog"  # in git: there as long as each of its lines is
    OBJECTS = "objects"  # in git: a folder of objects, of which `target` holds some; there as long as each of them is
    REPOSITORY = "repository"  # what version control keeps: neither kept nor put back, only that it is there


class Entry(NamedTuple):
    """What lies at a path. `inode` tells which names are one file."""

    kind: Kind
    mode: int = 0
    mtime: int = 0
    digest: str = ""
    target: str = ""
    inode: str = ""

    def same(self, other: Entry) -> bool:
        """Whether both are the same thing, whenever it was written."""
        return self._replace(mtime=0, inode="") == other._replace(mtime=0, inode="")


NOTHING = Entry(Kind.ABSENT)
REPOSITORY = Entry(Kind.REPOSITORY)
OF_GIT = frozenset({Kind.REF, Kind.REFLOG, Kind.OBJECTS})
_REPOSITORIES = frozenset({".git", ".hg", ".jj", ".svn"})


def names_repository(path: str) -> bool:
    """Whether a path is or lies below what a version control system keeps."""
    return not _REPOSITORIES.isdisjoint(path.split("/"))


def in_git(path: str) -> bool:
    """Whether a path is or lies below a folder in which git keeps a repository."""
    return ".git" in path.split("/")


class Limits(NamedTuple):
    """How much one call may change and still be undone."""

    file_bytes: int = 256 * 1024 * 1024
    total_bytes: int = 1024 * 1024 * 1024
    entries: int = 20_000


class NotKept(NamedTuple):
    """The old state is not kept, so the call is not reversible."""

    reason: str


class Refused(NamedTuple):
    """A path that is left as it is."""

    path: str
    reason: str
