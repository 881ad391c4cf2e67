"""Values of snapshots: what is at a path, and why something is not kept or not restored."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

Tree = dict[str, "Entry"]  # by absolute path; bytes that are not UTF-8 are surrogates, as from `os.fsdecode`


class Kind(StrEnum):
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

    kind: Kind
    mode: int = 0
    mtime: int = 0
    digest: str = ""
    target: str = ""
    inode: str = ""

    def same(self, other: Entry) -> bool:
        """Whether both are the same, regardless of the modification time."""
        return self._replace(mtime=0, inode="") == other._replace(mtime=0, inode="")


NOTHING = Entry(Kind.ABSENT)
REPOSITORY = Entry(Kind.REPOSITORY)
OF_GIT = frozenset({Kind.REF, Kind.REFLOG, Kind.OBJECTS})
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


class Refused(NamedTuple):
    """A path that is left unchanged."""

    path: str
    reason: str
