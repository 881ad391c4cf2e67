"""An act: one thing that a program did, in the paths, programs and addresses that it saw.

Failed acts count too: a sandbox refuses what would succeed elsewhere.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.capsule.trace import Call


class Kind(StrEnum):
    """What is done to the object."""

    READ = "read"
    WRITE = "write"
    FOLDER = "folder"  # a folder is made
    DELETE = "delete"
    CHMOD = "chmod"
    LIST = "list"  # a folder is read
    START = "start"  # the object is a program
    CONNECT = "connect"  # the object is `address:port`
    LISTEN = "listen"
    LOOKUP = "lookup"  # the object is a name; empty if it could not be read
    SIGNAL = "signal"  # the object is the program that gets it, empty if that is not known
    INSPECT = "inspect"  # of another process, through its memory


class Outcome(StrEnum):
    """How an act ended."""

    DONE = "done"
    REFUSED = "refused"  # by the sandbox, or unknown
    ABSENT = "absent"  # there was no such thing


class Act(NamedTuple):
    """One act; `asked` is the path as the program wrote it, where a link led elsewhere; `by` is the program that acts."""

    kind: Kind
    object: str
    outcome: Outcome = Outcome.DONE
    asked: str = ""
    by: str = ""


_MISSING = frozenset({"ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "ESRCH", "ENXIO"})


def outcome_of(call: Call) -> Outcome:
    """Return how a call ended."""
    if not call.error:
        return Outcome.DONE  # a call that did not return may have taken effect
    return Outcome.ABSENT if call.error in _MISSING else Outcome.REFUSED
