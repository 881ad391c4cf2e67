"""Work queues (`gateway/inbound/stores/operations.py`): a worker that takes one thing at a time, and mutants, for all models
that use one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound import delivery, turns
from remit.gateway.inbound.turns import TURNS

if TYPE_CHECKING:
    from remit.gateway.inbound.delivery import Piece
    from remit.gateway.inbound.stores.operations import Operation
    from remit.gateway.inbound.turns import Taken


def take_turn(worker: str, now: int, lane: str = TURNS) -> Operation[Taken | None]:
    """Take one due turn, if there is one."""
    taken = yield from turns.take_many(worker, now, lane, 1)
    return taken[0] if taken else None


def take_piece(worker: str, now: int) -> Operation[tuple[str, Piece] | None]:
    """Take one due piece, if there is one."""
    taken = yield from delivery.take_many(worker, now, 1)
    return taken[0] if taken else None


def always_first(real: Callable[..., Any]) -> Callable[..., Any]:
    """Whoever joins is told to be the first."""

    def join(line: str, name: str) -> Any:
        yield from real(line, name)
        return True

    return join


def leaves_alone(real: Callable[..., Any]) -> Callable[..., Any]:
    """Who leaves names nobody that comes next."""

    def leave(line: str, name: str) -> Any:
        yield from real(line, name)

    return leave
