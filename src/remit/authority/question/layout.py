"""What the asker knows of the servers' tables, and the shape of a question.

A question has, for each list of the program, the keys of all look-ups in it, and then the shares of fingerprints and input bits.
Its size follows from the program and from the bucket in which the length of the text falls; nothing else of a request shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.authority.dpf.keys import size_of
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.program.compiled import Program

BUCKETS = (256, 1024, 4096, 16384)  # bytes of text
FINGERPRINT_BYTES = 16


class Layout(NamedTuple):
    """Program, key and salts of the tables. Not secret from the servers, and never given to an agent."""

    program: Program
    digest: str  # of the program
    table_key: bytes
    salts: dict[str, int]  # of each list
    database: str  # digest of the lists
    epoch: int


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
    keys = sum(
        size_of(program.kept(name).bits, 2 * sum(part.values for part in found))
        for name, found in parts(program, bucket).items()
    )
    bits = len(program.intents) + len(program.facts)
    return keys + FINGERPRINT_BYTES * look_ups(program, bucket) + (bits + 7) // 8
