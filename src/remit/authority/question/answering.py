"""One server's way from its question to its share of the decision: look-ups by itself, then products with the other server."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from remit.authority.dpf.keys import read_batch, size_of
from remit.authority.question.layout import BUCKETS, FINGERPRINT_BYTES, look_ups, parts, question_size
from remit.authority.shared.gates import evaluate
from remit.authority.shared.members import WIDTH, any_of, members
from remit.authority.tables.answer import answers
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.dpf.blocks import Words
    from remit.authority.program.compiled import Program
    from remit.authority.question.asking import Question
    from remit.authority.shared.products import Exchange, Party
    from remit.authority.shared.triples import Bits
    from remit.authority.tables.answer import Prepared


class Looked(NamedTuple):
    """What a server has before it speaks with the other one: shares, all of them."""

    differences: Words  # (look-ups, 2 places, 2 words): bucket and fingerprint, added
    others: Bits  # the bits of intent and facts, a byte each


def check_shape(program: Program, question: Question) -> None:
    """AuthorityError if a question has not the shape of the program's."""
    if question.bucket not in range(len(BUCKETS)) or len(question.body) != question_size(program, question.bucket):
        raise AuthorityError(
            "a question has another shape than the program's", "let gateway and servers use one program"
        )


def look(program: Program, tables: Mapping[str, Prepared], server: int, question: Question) -> Looked:
    """What a server computes by itself; AuthorityError if the question has not the shape of the program's."""
    check_shape(program, question)
    rest = question.body
    asked = []
    for name, found in parts(program, question.bucket).items():
        count, bits = 2 * sum(part.values for part in found), program.kept(name).bits
        size = size_of(bits, count)
        asked.append((tables[name], read_batch(rest[:size], server, bits, count)))
        rest = rest[size:]
    size = FINGERPRINT_BYTES * look_ups(program, question.bucket)
    fingerprints = np.frombuffer(rest[:size], dtype="<u8").reshape(-1, 1, 2)
    inputs = np.unpackbits(np.frombuffer(rest[size:], dtype=np.uint8))
    rows = np.concatenate((np.zeros((0, 2), dtype=np.uint64), *answers(asked)))
    differences = rows.reshape(-1, 2, 2) ^ fingerprints
    return Looked(differences, inputs[: len(program.intents) + len(program.facts)])


def decide(party: Party, program: Program, bucket: int, looked: Looked) -> Exchange:
    """The share of the decision."""
    differences, others = looked
    found = np.unpackbits((yield from members(party, differences)))
    results = []
    begin = 0
    for name, slot, count in _in_order(program, bucket):
        mine = found[begin : begin + count]
        begin += count
        if count > 1:
            mine = np.unpackbits((yield from any_of(party, np.packbits(mine), count)))[:1]
        results.append(((slot, name), mine))
    bits = dict(results)
    inputs = np.concatenate(
        (others[: len(program.intents)], *(bits[pair] for pair in program.look_ups), others[len(program.intents) :])
    )
    return (yield from evaluate(party, program.circuit, inputs))


def triples_for(program: Program, bucket: int) -> int:
    """Bytes of triples that a decision takes, or a few more."""
    lanes = (2 * look_ups(program, bucket) + 7) // 8
    windows = sum(
        2 * part.values // 8 + 64 for found in parts(program, bucket).values() for part in found if part.window
    )
    products = sum(len(layer.products) // 8 + 1 for layer in program.circuit.layers())
    return WIDTH * lanes + windows + products


def _in_order(program: Program, bucket: int) -> list[tuple[str, str, int]]:
    return [(name, part.slot, part.values) for name, found in parts(program, bucket).items() for part in found]
