"""Pairing, kept: one operation for each event."""

from __future__ import annotations

from remit.gateway.inbound.pairing.life import Channel, Event, Outcome, Rules, step
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write

TABLE = "pairing"


def apply(rules: Rules, channel: str, event: Event, now: int) -> Operation[Outcome]:
    """One event of a channel."""
    yield Begin()
    known: Channel = (yield Read(TABLE, channel)) or Channel()
    after, outcome = step(rules, known, event, now)
    if after != known:
        yield Write(TABLE, channel, after)
    yield Commit()
    return outcome


def let_in(channel: str, sender: str) -> Operation[bool]:
    """Whether somebody is let in at this moment."""
    known: Channel | None = yield Read(TABLE, channel)
    return known is not None and sender in known.allowed
