"""The two questions of a request, derived from layout, request and a seed, so that the executor can recompute them.

A slot that the request does not have is asked about like any other, with empty buckets. A text whose windows do not
fit into its size class moves to the next one.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

from remit.authority.dpf.keys import Batch, make_all
from remit.authority.question.layout import BUCKETS, Layout, TextTooLongError, bucket_for, parts, windows_key
from remit.authority.question.slots import Spoken
from remit.authority.tables.batch import Plan, key_domain, plan
from remit.authority.tables.windows import windows_of


class ServerQuestion(NamedTuple):
    """The question to one server."""

    bucket: int
    body: bytes

    def digest(self) -> str:
        """The digest of the question that a proof names."""
        return hashlib.sha256(b"remit/asked/v2\0" + bytes((self.bucket,)) + self.body).hexdigest()


class QuestionPair(NamedTuple):
    """The questions to server 0 and server 1, and the plan of each look-up, in the program's order."""

    questions: tuple[ServerQuestion, ServerQuestion]
    plans: tuple[Plan, ...]

    @property
    def bucket(self) -> int:
        """The size class of the text."""
        return self.questions[0].bucket


def ask(layout: Layout, said: Spoken, seed: bytes) -> QuestionPair:
    """Make the questions to both servers; TextTooLongError if the text fits into no size class."""
    values = [_values(layout, said, slot, name) for slot, name in layout.program.look_ups]
    least = bucket_for(max((len(texts[0].encode()) for texts in said.texts.values()), default=0))
    for bucket in range(least, len(BUCKETS)):
        plans = _plans(layout, values, bucket, seed)
        if plans is not None:
            return QuestionPair(_questions(layout, plans, bucket, seed), plans)
    raise TextTooLongError


def nobody(layout: Layout, size: int = 0) -> Spoken:
    """Return a request of no intent with a text of a given size, none of which is in any list."""
    slots = {slot for slot, name in layout.program.look_ups if layout.program.kept(name).window}
    return Spoken(-1, {}, dict.fromkeys(slots, ("x" * size,)), (False,) * len(layout.program.facts))


def _values(layout: Layout, said: Spoken, slot: str, name: str) -> list[bytes]:
    """Return the values of a request that are looked up in a list."""
    kept = layout.program.kept(name)
    if not kept.window:
        forms = said.values.get(slot, ())
        return [form.encode() for form in (forms if kept.wide else forms[:1])]
    order = windows_key(layout.table_key, name)
    found = (windows_of(text.encode(), kept.window, kept.span, order) for text in said.texts.get(slot, ()))
    return list(dict.fromkeys(window for windows in found for window in windows))


def _plans(layout: Layout, values: list[list[bytes]], bucket: int, seed: bytes) -> tuple[Plan, ...] | None:
    """Return the plan of each look-up, or None if one does not fit into the size class."""
    out = []
    for number, (part, wanted) in enumerate(zip(parts(layout.program, bucket), values, strict=True)):
        found = plan(layout.whereabouts(part.kept.name), wanted, part.bits, _derived(seed, f"rows/{number}"))
        if found is None:
            return None
        out.append(found)
    return tuple(out)


def _questions(
    layout: Layout, plans: tuple[Plan, ...], bucket: int, seed: bytes
) -> tuple[ServerQuestion, ServerQuestion]:
    """Return the keys for each look-up. Those of one size are made together, because the overhead dominates for few."""
    groups: dict[int, list[int]] = {}
    for number, part in enumerate(parts(layout.program, bucket)):
        groups.setdefault(key_domain(part.kept.bits, part.bits), []).append(number)
    made: dict[int, tuple[Batch, Batch]] = {}
    for domain, numbers in groups.items():
        wanted = [(_derived(seed, f"keys/{number}"), plans[number].rows) for number in numbers]
        made |= zip(numbers, make_all(domain, wanted), strict=True)
    first, second = (
        ServerQuestion(bucket, b"".join(made[number][server].to_bytes() for number in range(len(plans))))
        for server in (0, 1)
    )
    return first, second


def _derived(seed: bytes, label: str) -> bytes:
    return hmac.new(seed, label.encode(), hashlib.sha256).digest()[:16]
