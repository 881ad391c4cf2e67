"""What a gateway had taken that is gone: it is due at once, and not only when its lease is over.

(1) who has a store of its own alone gives back at its start whatever anybody had taken: that one is dead
(2) gateways that share a store say every `RENEW` seconds that they live; what one had taken that says nothing for `LEASE` seconds is given
    back by another

What is given back is then found as lost, by the ordinary way (turns/store.py, delivery/store.py).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.gateway.inbound.delivery.store import TABLE as DELIVERY
from remit.gateway.inbound.stores.operations import Begin, Commit, Live, Next, Operation, Write
from remit.gateway.inbound.turns.life import ORDERS, TURNS

if TYPE_CHECKING:
    from remit.gateway.inbound.running import Inbound

GATEWAYS = "gateways"
LEASE, RENEW = 10, 2  # seconds


def recover(mine: str, now: int) -> Operation[int]:
    """(1) Everything that another than this gateway had taken; how much that was."""
    yield Begin()
    count = yield from _given_back(lambda worker: worker != mine, now)
    yield Commit()
    return count


def renew(mine: str, now: int) -> Operation[None]:
    """(2) This gateway lives."""
    yield Begin()
    yield Write(GATEWAYS, mine, now, now + LEASE)
    yield Commit()


def bury(now: int) -> Operation[str]:
    """(2) The name of a gateway that lives no more, and whose work is due now; nothing if all live."""
    yield Begin()
    found: tuple[str, int] | None = yield Next(GATEWAYS, now)
    if found is not None:
        yield Write(GATEWAYS, found[0], None)
        yield from _given_back(lambda worker: worker == found[0], now)
    yield Commit()
    return found[0] if found else ""


async def live(inbound: Inbound, mine: str) -> None:
    """(2) Until cancelled."""
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
