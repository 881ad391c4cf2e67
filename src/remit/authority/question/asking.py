"""The two questions of a request. They follow from layout, request, nonce and key: who opens the commitment can make them again.

A slot that a request does not have, and a window beyond the end of its text, are asked about with values that are in no list.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf.blocks import stream
from remit.authority.dpf.keys import make_all
from remit.authority.question.layout import bucket_for, parts
from remit.authority.tables.cuckoo import places

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from remit.authority.dpf.keys import Batch
    from remit.authority.program.compiled import Program
    from remit.authority.question.layout import Layout, Part
    from remit.authority.question.spoken import Spoken

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


def questions(layout: Layout, said: Spoken, seed: bytes) -> tuple[Question, Question]:
    """What server 0 and server 1 are asked."""
    program = layout.program
    values, texts = _encoded(said.values), _encoded(said.texts)
    bucket = bucket_for(max((len(texts.get(slot, b"")) for slot in _windowed(layout)), default=0))
    points: dict[str, NDArray[np.int64]] = {}
    fingerprints: list[bytes] = []
    for name, found in parts(program, bucket).items():
        bits, salt = program.kept(name).bits, layout.salts[name]
        nobody = _nobodies(_derived(seed, f"nobody/{name}"))
        asked = [value for part in found for value in _asked(part, texts if part.window else values, nobody)]
        points[name], found_there = places(layout.table_key, name, salt, bits, asked)
        fingerprints.append(found_there)
    batches = _batches(program, seed, points)
    bodies = [[batches[name][server].to_bytes() for name in points] for server in (0, 1)]
    inputs = [place == said.intent for place in range(len(program.intents))] + list(said.facts)
    hidden = b"".join(fingerprints) + np.packbits(np.array(inputs, dtype=np.uint8)).tobytes()
    mask = stream(_derived(seed, "mask"), (len(hidden) + 15) // 16).tobytes()[: len(hidden)]
    bodies[0].append(mask)
    bodies[1].append(bytes(np.frombuffer(hidden, np.uint8) ^ np.frombuffer(mask, np.uint8)))
    first, second = (Question(bucket, b"".join(body)) for body in bodies)
    return first, second


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
