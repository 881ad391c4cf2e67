"""Presentations with one changed field: a proof or request that differs in one character must be refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.executor.accept import Presented
    from remit.gateway.games.forged_presentations import Hand

_HEX = frozenset("0123456789abcdef")


def proof_fields(hand: Hand) -> Iterator[Presented]:
    """Yield presentations with one changed field of a proof, not signed again."""
    told = [one.to_json() for one in hand.good.proofs]
    for number, proof in enumerate(told):
        for changed in _each(proof):
            yield hand.good.presented(*(changed if place == number else one for place, one in enumerate(told)))


def request_fields(hand: Hand) -> Iterator[Presented]:
    """Yield presentations with one changed field of the request, in its canonical spelling."""
    for changed in _each(json.loads(hand.good.request.spelling())):
        spelled = json.dumps(changed, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        yield hand.good.presented(request=spelled.encode())


def _each(value: Any) -> Iterator[Any]:
    """Yield the value with each leaf changed, and with each field left out."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield {key: one for key, one in value.items() if key != name}
            for changed in _each(inner):
                yield {**value, name: changed}
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, str):
        yield _other(value)


def _other(text: str) -> str:
    """Return a different text, of the same form if it is hexadecimal."""
    if text and set(text) <= _HEX:
        return text[:-1] + ("0" if text[-1] != "0" else "1")
    return text + "x"
