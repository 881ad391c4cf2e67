"""What gateway and executor know of the servers' tables, and the shape of a question.

A question has, for each look-up of the program (a slot in a list), a key for each bucket of its batch. Its size follows from the program
and from the size class of the text, so it reveals nothing else about the request.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.dpf.keys import size_of
from remit.authority.question.forms import forms_of
from remit.authority.tables.batch import Whereabouts, bits_for, key_domain
from remit.authority.tables.tags import TagContext
from remit.authority.tables.windows import expected
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.program.compiled import CompiledList, Program

BUCKETS = (256, 1024, 4096, 16384, 65536)  # bytes of text
_LEAST = 5  # bits of the number of buckets: one tree over a table takes longer than many small ones
EXECUTOR, GATEWAY = 0, 1  # which party checks which tag of a row, in order


class Layout(NamedTuple):
    """Program, keys and salts of the tables, for gateway or executor. It has no lists, and servers have none of it."""

    program: Program
    digest: str  # of the program
    table_key: bytes
    salts: dict[str, int]  # of each list
    database: str  # digest of the tables
    epoch: int
    holder: int  # EXECUTOR or GATEWAY
    tag_key: bytes  # the holder's

    def whereabouts(self, name: str) -> Whereabouts:
        """Return the parameters of a table that a client needs."""
        return Whereabouts(self.table_key, name, self.salts[name], self.program.kept(name).bits)

    def bound(self, name: str) -> TagContext:
        """Return the context that the tags of a table cover."""
        return TagContext(self.digest, self.epoch, name, self.salts[name], self.program.kept(name).bits)


def windows_key(table_key: bytes, name: str) -> bytes:
    """Return the key that selects the windows of texts and fragments for a list."""
    return table_key + name.encode()


class Part(NamedTuple):
    """The look-up of one slot in one list: a batch of values."""

    slot: str
    kept: CompiledList
    values: int  # for which there is room
    bits: int  # of the number of buckets

    def key_bytes(self) -> int:
        """The size of its keys in a question, in bytes."""
        return size_of(key_domain(self.kept.bits, self.bits), 1 << self.bits)

    def answer_bytes(self) -> int:
        """The size of its rows in an answer, in bytes."""
        return (8 * self.kept.words) << self.bits


def bucket_for(size: int) -> int:
    """Return the index of the smallest size class that holds so many bytes."""
    for place, most in enumerate(BUCKETS):
        if size <= most:
            return place
    raise TextTooLongError


class TextTooLongError(AuthorityError):
    """A text that does not fit into the largest size class."""

    def __init__(self) -> None:
        super().__init__(f"a text has more than {BUCKETS[-1]} bytes, or decodes to more", "send it in parts")


def parts(program: Program, bucket: int) -> tuple[Part, ...]:
    """Return the look-ups of the program, in its order."""
    return _sized(program.lists, program.look_ups, bucket).parts


class _Sized(NamedTuple):
    """The look-ups of a program for a size class, with the sizes of question and answer in bytes."""

    parts: tuple[Part, ...]
    question: int
    answer: int


@lru_cache(maxsize=256)
def _sized(lists: tuple[CompiledList, ...], look_ups: tuple[tuple[str, str], ...], bucket: int) -> _Sized:
    """Return the look-ups for a size class, cached, since they are the same for every request."""
    by_name = {kept.name: kept for kept in lists}
    out = []
    for slot, name in look_ups:
        values = room_for(by_name[name], slot, bucket)
        out.append(Part(slot, by_name[name], values, max(bits_for(values), _LEAST)))
    return _Sized(tuple(out), sum(part.key_bytes() for part in out), sum(part.answer_bytes() for part in out))


def room_for(kept: CompiledList, slot: str, bucket: int) -> int:
    """Return how many values of a slot fit: the forms of a value, or the windows of a text."""
    return expected(BUCKETS[bucket], kept.span) if kept.window else forms_of(slot) if kept.wide else 1


def look_ups(program: Program, bucket: int) -> int:
    """Return the number of rows that a question asks for."""
    return sum(1 << part.bits for part in parts(program, bucket))


def question_size(program: Program, bucket: int) -> int:
    """Return the size of a question in bytes, without its bucket."""
    return _sized(program.lists, program.look_ups, bucket).question


def answer_size(program: Program, bucket: int) -> int:
    """Return the size of an answer in bytes: one row for each bucket."""
    return _sized(program.lists, program.look_ups, bucket).answer
