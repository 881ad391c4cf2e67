"""One server's answer to its question, and what gateway and executor make of both answers.

The sum of both answers is the rows that were asked for. Each row has a tag that only the operator could make, for this place of this
table: a server that answers with anything else adds to the sum what it likes, and that is the same whatever was asked. So the rows
then bear no right tag, and that they do not is all that anyone learns from it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from remit.authority.dpf.keys import read_batch, size_of
from remit.authority.question.layout import BUCKETS, answer_size, parts, question_size
from remit.authority.tables.answer import WORDS, answers
from remit.authority.tables.tags import tags
from remit.core.errors import AuthorityError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.authority.dpf.blocks import Words
    from remit.authority.program.compiled import Program
    from remit.authority.question.asking import Asked, Question
    from remit.authority.question.layout import Layout
    from remit.authority.tables.answer import Prepared


class RowsForgedError(AuthorityError):
    """Both answers together are not rows of the tables: at least one server did not answer with what it holds."""

    def __init__(self) -> None:
        super().__init__("the servers' answers are not rows of the lists", "`remit gateway audit` names the server")


def check_shape(program: Program, question: Question) -> None:
    """AuthorityError if a question has not the shape of the program's."""
    if question.bucket not in range(len(BUCKETS)) or len(question.body) != question_size(program, question.bucket):
        raise AuthorityError(
            "a question has another shape than the program's", "let gateway and servers use one program"
        )


def look_up(program: Program, tables: Mapping[str, Prepared], server: int, question: Question) -> bytes:
    """A server's answer; AuthorityError if the question has not the shape of the program's."""
    check_shape(program, question)
    rest = question.body
    asked = []
    for name, found in parts(program, question.bucket).items():
        count, bits = 2 * sum(part.values for part in found), program.kept(name).bits
        size = size_of(bits, count)
        asked.append((tables[name], read_batch(rest[:size], server, bits, count)))
        rest = rest[size:]
    return b"".join(rows.tobytes() for rows in answers(asked))


def answer_digest(answer: bytes) -> str:
    """What a server signs of its answer."""
    return hashlib.sha256(b"remit/answer/v1\0" + answer).hexdigest()


def members(layout: Layout, asked: Asked, answered: tuple[bytes, bytes]) -> dict[tuple[str, str], bool]:
    """Whether each slot's value, or a window of its text, is in each list; RowsForgedError unless every row bears the holder's tag."""
    size = answer_size(layout.program, asked.bucket)
    if any(len(one) != size for one in answered):
        raise RowsForgedError
    first, second = (np.frombuffer(one, dtype="<u8").reshape(-1, WORDS) for one in answered)
    rest = first ^ second
    out: dict[tuple[str, str], bool] = {}
    for name, found in parts(layout.program, asked.bucket).items():
        points = asked.points[name]
        rows, rest = rest[: len(points)], rest[len(points) :]
        right = tags(layout.tag_key, layout.bound(name), points, rows[:, :2])
        if np.any(right ^ rows[:, 2 + layout.holder]):
            raise RowsForgedError
        there = _there(rows[:, :2], asked.fingerprints[name])
        for part in found:
            out[part.slot, name] = bool(there[: part.values].any())
            there = there[part.values :]
    return out


def _there(contents: Words, fingerprints: bytes) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Whether the value of each look-up lies at one of its two places."""
    wanted = np.frombuffer(fingerprints, dtype="<u8").reshape(-1, 1, 2)
    same: np.ndarray[tuple[int], np.dtype[np.bool_]] = (contents.reshape(-1, 2, 2) == wanted).all(axis=2).any(axis=1)
    return same
