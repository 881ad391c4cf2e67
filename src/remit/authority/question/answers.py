"""A policy server's answer, and how gateway and executor combine two answers.

The sum of both answers is the requested rows. Each row has a tag that only the operator could make, for this row of
this table. A server that answers anything else adds an error to the sum that does not depend on the question. The
tags then do not match, and that is all that anyone learns.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from remit.authority.dpf.keys import read_batch
from remit.authority.question.layout import BUCKETS, Layout, answer_size, parts, question_size
from remit.authority.tables.batch import answer, found, key_domain, row_numbers
from remit.authority.tables.tags import tags
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from remit.authority.dpf.blocks import Words
    from remit.authority.program.compiled import Program
    from remit.authority.question.questions import QuestionPair, ServerQuestion


class RowsForgedError(AuthorityError):
    """The two answers are not rows of the tables: at least one server did not answer from its tables."""

    def __init__(self) -> None:
        super().__init__("the servers' answers are not rows of the lists", "`remit gateway liars` names the server")


def check_shape(program: Program, question: ServerQuestion) -> None:
    """Raise AuthorityError if a question does not have the shape of the program's."""
    if question.bucket not in range(len(BUCKETS)) or len(question.body) != question_size(program, question.bucket):
        raise AuthorityError(
            "a question has another shape than the program's", "let gateway and servers use one program"
        )


def look_up(program: Program, tables: Mapping[str, Words], server: int, question: ServerQuestion) -> bytes:
    """Return a server's answer; AuthorityError if the question does not have the shape of the program's."""
    check_shape(program, question)
    rest = memoryview(question.body)
    out = []
    for part in parts(program, question.bucket):
        keys, rest = rest[: part.key_bytes()], rest[part.key_bytes() :]
        batch = read_batch(bytes(keys), server, key_domain(part.kept.bits, part.bits), 1 << part.bits)
        out.append(answer(tables[part.kept.name], batch).tobytes())
    return b"".join(out)


def answer_digest(answer: bytes) -> str:
    """Return the digest of an answer that the server signs."""
    return hashlib.sha256(b"remit/answer/v1\0" + answer).hexdigest()


def members(layout: Layout, asked: QuestionPair, answered: tuple[bytes, bytes]) -> dict[tuple[str, str], bool]:
    """Return for each look-up whether a form of the slot's value, or a window of its text, is in the list;
    RowsForgedError unless every row bears the holder's tag.
    """
    size = answer_size(layout.program, asked.bucket)
    if any(len(one) != size for one in answered):
        raise RowsForgedError
    first, second = (np.frombuffer(one, dtype="<u8") for one in answered)
    rest = first ^ second
    out: dict[tuple[str, str], bool] = {}
    for part, planned in zip(parts(layout.program, asked.bucket), asked.plans, strict=True):
        kept, count = part.kept, part.answer_bytes() // 8
        rows, rest = rest[:count].reshape(-1, kept.words), rest[count:]
        own = kept.slots + layout.holder  # the holder's tag covers all words before it
        right = tags(layout.tag_key, layout.bound(kept.name), row_numbers(planned, kept.bits), rows[:, :own])
        if np.any(right ^ rows[:, own]):
            raise RowsForgedError
        out[part.slot, kept.name] = bool(found(planned, rows[:, : kept.slots]).any())
    return out
