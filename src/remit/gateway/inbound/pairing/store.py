"""Pairing store: one operation for each event."""

from __future__ import annotations

from remit.gateway.inbound.pairing.state_machine import Channel, Event, Outcome, Rules, step
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write

TABLE = "pairing"


def apply(rules: Rules, channel: str, event: Event, now: int) -> Operation[Outcome]:
    """Apply an event to a channel and return the result."""
    yield Begin()
    known: Channel = (yield Read(TABLE, channel)) or Channel()
    after, outcome = step(rules, known, event, now)
    if after != known:
        yield Write(TABLE, channel, after)
    yield Commit()
    return outcome


def let_in(channel: str, sender: str) -> Operation[bool]:
    """Return whether a sender is admitted now."""
    known: Channel | None = yield Read(TABLE, channel)
    return known is not None and sender in known.allowed
