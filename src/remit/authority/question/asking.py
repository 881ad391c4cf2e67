"""The two questions of a request. They follow from layout, request and a seed: whoever opens the ticket can make them again.

A slot that a request does not have, and a window beyond the end of its text, are asked about with values that are in no list.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, NamedTuple

from remit.authority.dpf.keys import make_all
from remit.authority.question.layout import bucket_for, parts
from remit.authority.question.spoken import Spoken
from remit.authority.tables.cuckoo import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from remit.authority.dpf.keys import Batch
    from remit.authority.program.compiled import Program
    from remit.authority.question.layout import Layout, Part

_MEMBER, _NOBODY = b"\1", b"\0"  # before a value that may be in a list, and before one that is in none


class Question(NamedTuple):
    """What one server is asked."""

    bucket: int
    body: bytes

    def digest(self) -> str:
        """What a proof says that its server was asked."""
        return hashlib.sha256(b"remit/asked/v1\0" + bytes((self.bucket,)) + self.body).hexdigest()


def member(value: str | bytes) -> bytes:
    """A value as tables know it."""
    return _MEMBER + (value.encode() if isinstance(value, str) else value)


class Asked(NamedTuple):
    """What server 0 and server 1 are asked, and what the rows are compared with: by list, places and fingerprints in their order."""

    questions: tuple[Question, Question]
    points: dict[str, NDArray[np.int64]]
    fingerprints: dict[str, bytes]

    @property
    def bucket(self) -> int:
        """The size class of the text."""
        return self.questions[0].bucket


def ask(layout: Layout, said: Spoken, seed: bytes) -> Asked:
    """What both servers are asked."""
    program = layout.program
    values, texts = _encoded(said.values), _encoded(said.texts)
    bucket = bucket_for(max((len(texts.get(slot, b"")) for slot in _windowed(layout)), default=0))
    points: dict[str, NDArray[np.int64]] = {}
    fingerprints: dict[str, bytes] = {}
    for name, found in parts(program, bucket).items():
        bits, salt = program.kept(name).bits, layout.salts[name]
        empty = _nobodies(_derived(seed, f"nobody/{name}"))
        asked = [value for part in found for value in _asked(part, texts if part.window else values, empty)]
        points[name], fingerprints[name] = places(layout.table_key, name, salt, bits, asked)
    batches = _batches(program, seed, points)
    first, second = (
        Question(bucket, b"".join(batches[name][server].to_bytes() for name in points)) for server in (0, 1)
    )
    return Asked((first, second), points, fingerprints)


def nobody(layout: Layout, size: int = 0) -> Spoken:
    """What a request says that is of no intent, with a text of a size: every value that is looked up is in no list."""
    slots = {slot for slot, name in layout.program.look_ups if layout.program.kept(name).window}
    return Spoken(-1, {}, dict.fromkeys(slots, "x" * size), (False,) * len(layout.program.facts))


def _batches(program: Program, seed: bytes, points: dict[str, NDArray[np.int64]]) -> dict[str, tuple[Batch, Batch]]:
    """The keys for each list; those for tables of one size are made together."""
    out: dict[str, tuple[Batch, Batch]] = {}
    for bits in {program.kept(name).bits for name in points}:
        names = [name for name in points if program.kept(name).bits == bits]
        made = make_all(bits, [(_derived(seed, f"keys/{name}"), points[name]) for name in names])
        out |= zip(names, made, strict=True)
    return out


def _windowed(layout: Layout) -> set[str]:
    return {slot for slot, name in layout.program.look_ups if layout.program.kept(name).window}


def _encoded(said: dict[str, str]) -> dict[str, bytes]:
    return {slot: text.encode() for slot, text in said.items()}


def _asked(part: Part, said: dict[str, bytes], nobody: Iterator[bytes]) -> list[bytes]:
    text = said.get(part.slot, b"")
    if not part.window:
        return [_MEMBER + text if text else next(nobody)]
    starts = range(0, len(text) - part.window + 1, part.step)
    windows = [_MEMBER + text[at : at + part.window] for at in starts]
    return windows + [next(nobody) for _ in range(part.values - len(windows))]


def _nobodies(seed: bytes) -> Iterator[bytes]:
    number = 0
    while True:
        yield _NOBODY + seed + number.to_bytes(4, "big")
        number += 1


def _derived(seed: bytes, label: str) -> bytes:
    return hmac.new(seed, label.encode(), hashlib.sha256).digest()[:16]
