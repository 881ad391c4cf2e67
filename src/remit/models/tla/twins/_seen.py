"""The projection of the explorer's state onto a twin's: memory and operations as in `_Store.tla`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.pairing import Channel
from remit.gateway.inbound.stores.operations import BEHIND, LAST, Next, Operation, Read
from remit.gateway.inbound.turns import HEARD, TURNS

if TYPE_CHECKING:
    from remit.models.explore.interleave import Call, Memory, Point

_BETWEEN = "\x1f"  # the parts of a key (`stores.forms.key_of`)
# names of events and answers stand in several tables, and in lines: there all are tuples
_NAMED = (LAST, BEHIND, HEARD, TURNS, DELIVERY)


def key(name: str, table: str = "") -> Any:
    """A key: the tuple of its parts if it was joined of such."""
    return tuple(name.split(_BETWEEN)) if _BETWEEN in name or table in _NAMED else name


def value(kept: Any, table: str = "") -> Any:
    """A value that is kept: who waits is a set, for it is sorted, and never twice the same."""
    if isinstance(kept, Channel):
        return {**kept._asdict(), "waiting": frozenset(kept.waiting)}
    return key(kept, table) if isinstance(kept, str) else kept


def event(known: Any) -> Mapping[str, Any]:
    """An event with its kind: two of different kinds may hold the same."""
    return {"kind": type(known).__name__.lower(), **known._asdict()}


@cache
def memory(known: Memory) -> Mapping[Any, Any]:
    """What is kept, by table and key; a key that was joined of parts is the tuple of them."""
    return {
        (table, key(name, table)): kept._replace(value=value(kept.value, table))
        for (table, name), kept in known.rows.items()
    }


class Operations:
    """Operations as the twin has them: what was asked, what was read, and how many questions were answered."""

    def __init__(self, call: Callable[[Call], Any], made: Callable[[Call], Operation[Any]]) -> None:
        self._call = call
        self._made = made  # the operation itself, as the code has it at this moment: it may be spoiled
        self.seen = cache(self._seen)

    def doing(self, points: tuple[Point | None, ...]) -> tuple[Any, ...]:
        """The operation at each place, if there is one."""
        return tuple(point and self.seen(point) for point in points)

    def _seen(self, point: Point) -> Mapping[str, Any]:
        heard = []
        operation = self._made(point.call)
        asked = next(operation)
        for number, answer in enumerate(point.answers, 1):
            match asked:
                case Read(table):
                    heard.append(value(answer, table))
                case Next(table):
                    heard.append(answer and (key(answer[0], table), answer[1]))
            if number < len(point.answers):
                asked = operation.send(answer)
        return {"call": self._call(point.call), "heard": tuple(heard), "at": len(point.answers), "began": point.began}
