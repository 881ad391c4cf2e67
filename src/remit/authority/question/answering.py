"""One server's answer to its question, and what gateway and executor make of both answers.

The sum of both answers is the rows that were asked for. Each row has a tag that only the operator could make, for this place of this
table: a server that answers with anything else adds to the sum what it likes, and that is the same whatever was asked. So the rows
then bear no right tag, and that they do not is all that anyone learns from it.
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
    from remit.authority.question.asking import Asked, Question


class RowsForgedError(AuthorityError):
    """Both answers together are not rows of the tables: at least one server did not answer with what it holds."""

    def __init__(self) -> None:
        super().__init__("the servers' answers are not rows of the lists", "`remit gateway liars` names the server")


def check_shape(program: Program, question: Question) -> None:
    """AuthorityError if a question has not the shape of the program's."""
    if question.bucket not in range(len(BUCKETS)) or len(question.body) != question_size(program, question.bucket):
        raise AuthorityError(
            "a question has another shape than the program's", "let gateway and servers use one program"
        )


def look_up(program: Program, tables: Mapping[str, Words], server: int, question: Question) -> bytes:
    """A server's answer; AuthorityError if the question has not the shape of the program's."""
    check_shape(program, question)
    rest = memoryview(question.body)
    out = []
    for part in parts(program, question.bucket):
        keys, rest = rest[: part.key_bytes()], rest[part.key_bytes() :]
        batch = read_batch(bytes(keys), server, key_domain(part.kept.bits, part.bits), 1 << part.bits)
        out.append(answer(tables[part.kept.name], batch).tobytes())
    return b"".join(out)


def answer_digest(answer: bytes) -> str:
    """What a server signs of its answer."""
    return hashlib.sha256(b"remit/answer/v1\0" + answer).hexdigest()


def members(layout: Layout, asked: Asked, answered: tuple[bytes, bytes]) -> dict[tuple[str, str], bool]:
    """Whether a form of each slot's value, or a window of its text, is in each list; RowsForgedError unless every row bears the
    holder's tag.
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
        own = kept.slots + layout.holder  # the holder's tag is of all that stands before it
        right = tags(layout.tag_key, layout.bound(kept.name), row_numbers(planned, kept.bits), rows[:, :own])
        if np.any(right ^ rows[:, own]):
            raise RowsForgedError
        out[part.slot, kept.name] = bool(found(planned, rows[:, : kept.slots]).any())
    return out
