"""What gateway and executor know of the servers' tables, and the shape of a question.

A question has, for each look-up of the program (a slot in a list), a key for each bucket of its batch. Its size follows from the program
and from the size class into which the text falls; nothing else of a request shows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.dpf.keys import size_of
from remit.authority.question.forms import forms_of
from remit.authority.tables.batch import Whereabouts, bits_for, key_domain
from remit.authority.tables.tags import Bound
from remit.authority.tables.windows import expected
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.program.compiled import Kept, Program

BUCKETS = (256, 1024, 4096, 16384, 65536)  # bytes of text
_LEAST = 5  # bits of the number of buckets: one tree over a table takes longer than many small ones
EXECUTOR, GATEWAY = 0, 1  # who checks which tag of a row, in their order


class Layout(NamedTuple):
    """Program, keys and salts of the tables, as gateway or executor has them. Lists are not among them, and servers have none of it."""

    program: Program
    digest: str  # of the program
    table_key: bytes
    salts: dict[str, int]  # of each list
    database: str  # digest of the tables
    epoch: int
    holder: int  # EXECUTOR or GATEWAY
    tag_key: bytes  # the holder's

    def whereabouts(self, name: str) -> Whereabouts:
        """What is known of a table."""
        return Whereabouts(self.table_key, name, self.salts[name], self.program.kept(name).bits)

    def bound(self, name: str) -> Bound:
        """What tags of a table are of."""
        return Bound(self.digest, self.epoch, name, self.salts[name], self.program.kept(name).bits)


def windows_key(table_key: bytes, name: str) -> bytes:
    """The key by which windows of texts and fragments are chosen for a list."""
    return table_key + name.encode()


class Part(NamedTuple):
    """The look-up of one slot in one list: a batch of values."""

    slot: str
    kept: Kept
    values: int  # for which there is room
    bits: int  # of the number of buckets

    def key_bytes(self) -> int:
        """The bytes of its keys in a question."""
        return size_of(key_domain(self.kept.bits, self.bits), 1 << self.bits)

    def answer_bytes(self) -> int:
        """The bytes of its rows in an answer."""
        return (8 * self.kept.words) << self.bits


def bucket_for(size: int) -> int:
    """The place of the smallest bucket for a text of so many bytes."""
    for place, most in enumerate(BUCKETS):
        if size <= most:
            return place
    raise TextTooLongError


class TextTooLongError(AuthorityError):
    """A text does not fit into the largest size class."""

    def __init__(self) -> None:
        super().__init__(f"a text has more than {BUCKETS[-1]} bytes, or decodes to more", "send it in parts")


def parts(program: Program, bucket: int) -> tuple[Part, ...]:
    """The look-ups of the program, in its order."""
    return _sized(program.lists, program.look_ups, bucket).parts


class _Sized(NamedTuple):
    """The look-ups of a program for a size class, and the bytes of question and answer."""

    parts: tuple[Part, ...]
    question: int
    answer: int


@lru_cache(maxsize=256)
def _sized(lists: tuple[Kept, ...], look_ups: tuple[tuple[str, str], ...], bucket: int) -> _Sized:
    """For every look-up the same, so that it is not computed again."""
    by_name = {kept.name: kept for kept in lists}
    out = []
    for slot, name in look_ups:
        values = room_for(by_name[name], slot, bucket)
        out.append(Part(slot, by_name[name], values, max(bits_for(values), _LEAST)))
    return _Sized(tuple(out), sum(part.key_bytes() for part in out), sum(part.answer_bytes() for part in out))


def room_for(kept: Kept, slot: str, bucket: int) -> int:
    """For how many values of a slot there is room: what a value alone stands for, or the windows of a text."""
    return expected(BUCKETS[bucket], kept.span) if kept.window else forms_of(slot) if kept.wide else 1


def look_ups(program: Program, bucket: int) -> int:
    """How many rows are asked for."""
    return sum(1 << part.bits for part in parts(program, bucket))


def question_size(program: Program, bucket: int) -> int:
    """The bytes of a question, without its bucket."""
    return _sized(program.lists, program.look_ups, bucket).question


def answer_size(program: Program, bucket: int) -> int:
    """The bytes of an answer: a row for each bucket."""
    return _sized(program.lists, program.look_ups, bucket).answer
