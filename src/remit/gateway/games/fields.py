"""Every field of what is presented, one at a time: a proof or a request with one letter more or less is another one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.executor.accept import Presented
    from remit.gateway.games.presenting import Hand

_HEX = frozenset("0123456789abcdef")


def proof_fields(hand: Hand) -> Iterator[Presented]:
    """Each field of each of both proofs, and nobody signs again."""
    told = [one.to_json() for one in hand.good.proofs]
    for number, proof in enumerate(told):
        for changed in _each(proof):
            yield hand.good.presented(*(changed if place == number else one for place, one in enumerate(told)))


def request_fields(hand: Hand) -> Iterator[Presented]:
    """Each field of the request, in the one spelling that the changed request has."""
    for changed in _each(json.loads(hand.good.request.spelling())):
        spelled = json.dumps(changed, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
        yield hand.good.presented(request=spelled.encode())


def _each(value: Any) -> Iterator[Any]:
    """The value with one leaf changed, for each leaf; and with one field left out, for each field."""
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
    """A text of the same form, where it is one of hexadecimal digits."""
    if text and set(text) <= _HEX:
        return text[:-1] + ("0" if text[-1] != "0" else "1")
    return text + "x"
