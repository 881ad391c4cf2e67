"""Recovery of work from gateways that have stopped: it becomes due at once instead of after its lease.

(1) a gateway with a store of its own releases at its start everything that was taken: the previous process is dead
(2) gateways that share a store renew a sign of life every `RENEW` seconds; the work of one without a sign for `LEASE` seconds is
    released by another

Released work is then found as lost in the ordinary way (turns.py, delivery.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.stores.operations import Begin, Commit, Live, Next, Operation, Write
from remit.gateway.inbound.turns import ORDERS, TURNS

if TYPE_CHECKING:
    from remit.gateway.inbound.service import Inbound

GATEWAYS = "gateways"
LEASE, RENEW = 10, 2  # seconds


def recover(mine: str, now: int) -> Operation[int]:
    """(1) Release all work of other workers; return how much it was."""
    yield Begin()
    count = yield from _given_back(lambda worker: worker != mine, now)
    yield Commit()
    return count


def renew(mine: str, now: int) -> Operation[None]:
    """(2) Renew this gateway's sign of life."""
    yield Begin()
    yield Write(GATEWAYS, mine, now, now + LEASE)
    yield Commit()


def bury(now: int) -> Operation[str]:
    """(2) Release the work of a gateway without a recent sign of life; return its name, or an empty string."""
    yield Begin()
    found: tuple[str, int] | None = yield Next(GATEWAYS, now)
    if found is not None:
        yield Write(GATEWAYS, found[0], None)
        yield from _given_back(lambda worker: worker == found[0], now)
    yield Commit()
    return found[0] if found else ""


async def live(inbound: Inbound, mine: str) -> None:
    """(2) Renew and watch until cancelled."""
    while True:
        await inbound.kept(renew(mine, inbound.now()))
        while await inbound.kept(bury(inbound.now())):
            inbound.ring()
        await asyncio.sleep(RENEW)


def _given_back(gone: Callable[[str], bool], now: int) -> Operation[int]:
    count = 0
    for table in (TURNS, ORDERS, DELIVERY):
        for key, one in (yield Live(table)):
            if one.worker and gone(one.worker):
                yield Write(table, key, one, now)
                count += 1
    return count
