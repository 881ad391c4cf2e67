"""Store of requests to devices: one operation for each event."""

from __future__ import annotations

from remit.gateway.inbound.nodes.runs import LIFETIME, Approve, Deny, Event, Request, step
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.turns.store import wake

TABLE = "runs"
KEPT = 24 * 3600 + LIFETIME  # seconds: a name stays used for longer than any request lives


def apply(name: str, event: Event, now: int) -> Operation[str]:
    """Apply an event; return the reason code if it is refused."""
    yield Begin()
    refused = yield from change(name, event, now)
    yield Commit()
    return refused


def change(name: str, event: Event, now: int) -> Operation[str]:
    """Within an operation: apply an event. A person's answer wakes the turn that waits for it."""
    known: Request | None = yield Read(TABLE, name)
    after, refused = step(known, event, now)
    if after is not None and after != known:
        yield Write(TABLE, name, after, until=now + KEPT)
        if after.turn and isinstance(event, Approve | Deny):
            yield from wake(after.turn, now)
    return refused


def look(name: str) -> Operation[Request | None]:
    """Return a request, or None."""
    found: Request | None = yield Read(TABLE, name)
    return found
