"""The inbound gateway without its loops: one turn or one sending at a time."""

from remit.gateway.inbound import delivery, turns
from remit.gateway.inbound.turns import TURNS


def take_turn(worker, now, lane=TURNS):
    """Take one due turn, or nothing."""
    taken = yield from turns.take_many(worker, now, lane, 1)
    return taken[0] if taken else None


def take_piece(worker, now):
    """Take one due piece, or nothing."""
    taken = yield from delivery.take_many(worker, now, 1)
    return taken[0] if taken else None


async def one_turn(inbound, lane=TURNS):
    """Run one due turn of a lane; return whether there was one."""
    taken = await inbound.kept(take_turn(inbound.worker, inbound.now(), lane))
    if taken is not None:
        await inbound._work_turn(taken)
    return taken is not None


async def one_sending(inbound):
    """Send one due piece; return whether there was one."""
    taken = await inbound.kept(take_piece(inbound.worker, inbound.now()))
    if taken is not None:
        await inbound._work_send(taken)
    return taken is not None
