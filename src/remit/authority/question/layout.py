"""What gateway and executor know of the servers' tables, and the shape of a question.

A question has, for each list of the program, the keys of all look-ups in it. Its size follows from the program and from the bucket
in which the length of the text falls; nothing else of a request shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.authority.dpf.keys import size_of
from remit.authority.tables.answer import ROW_BYTES
from remit.authority.tables.tags import Bound
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.program.compiled import Program

BUCKETS = (256, 1024, 4096, 16384)  # bytes of text
GATEWAY, EXECUTOR = 0, 1  # who checks which tag of a row


class Layout(NamedTuple):
    """Program, keys and salts of the tables, as gateway or executor has them. Lists are not among them, and servers have none of it."""

    program: Program
    digest: str  # of the program
    table_key: bytes
    salts: dict[str, int]  # of each list
    database: str  # digest of the tables
    epoch: int
    holder: int  # GATEWAY or EXECUTOR
    tag_key: bytes  # the holder's

    def bound(self, name: str) -> Bound:
        """What tags of a table are of."""
        return Bound(self.digest, self.epoch, name, self.salts[name], self.program.kept(name).bits)


class Part(NamedTuple):
    """The look-ups of one slot in one list."""

    slot: str
    window: int
    step: int  # from one window to the next that is looked up
    values: int  # that are looked up: 1, or as many as there are such windows in a text of the bucket


def bucket_for(size: int) -> int:
    """The place of the smallest bucket for a text of so many bytes."""
    for place, most in enumerate(BUCKETS):
        if size <= most:
            return place
    raise AuthorityError(f"a text has more than {BUCKETS[-1]} bytes", "send it in parts")


def parts(program: Program, bucket: int) -> dict[str, list[Part]]:
    """The look-ups in each list, in the order of the program."""
    out: dict[str, list[Part]] = {kept.name: [] for kept in program.lists}
    for slot, name in program.look_ups:
        _, window, _, step = program.kept(name)
        out[name].append(Part(slot, window, step, (BUCKETS[bucket] - window) // step + 1 if window else 1))
    return out


def look_ups(program: Program, bucket: int) -> int:
    """How many values are looked up."""
    return sum(part.values for found in parts(program, bucket).values() for part in found)


def question_size(program: Program, bucket: int) -> int:
    """The bytes of a question, without its bucket."""
    return sum(
        size_of(program.kept(name).bits, 2 * sum(part.values for part in found))
        for name, found in parts(program, bucket).items()
    )


def answer_size(program: Program, bucket: int) -> int:
    """The bytes of an answer: two rows for each look-up."""
    return 2 * ROW_BYTES * look_ups(program, bucket)
