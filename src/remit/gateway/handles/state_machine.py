"""State machine of a handle, as a pure function.

    none --mint--> live --use--> live, and its value goes to an allowed sink
                   live --revoke--> revoked: the value is deleted
    live, and its time over: expired

A handle belongs to one caller in one session; for others it does not exist. A value of high sensitivity is never shown
to an agent.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.authority.sinks import ANYWHERE, NOWHERE, RUNTIME


class Sensitivity(StrEnum):
    """How harmful a leak of the value is."""

    LOW = "low"
    HIGH = "high"


class Handle(NamedTuple):
    """A handle without its value."""

    session: str
    caller: str
    sensitivity: Sensitivity
    sinks: frozenset[str]  # allowed sinks of the value; `*` is any but the agent
    until: int
    revoked: bool = False


class Mint(NamedTuple):
    """Create a handle for a value."""

    handle: Handle


class Use(NamedTuple):
    """A caller sends the value to a sink."""

    session: str
    caller: str
    sink: str


class Revoke(NamedTuple):
    """A caller gives up a handle."""

    session: str
    caller: str


class EndSession(NamedTuple):
    """A session ends with all its handles."""

    session: str


Event: TypeAlias = "Mint | Use | Revoke | EndSession"


def step(known: Handle | None, event: Event, now: int) -> tuple[Handle | None, str]:
    """Return the handle after an event, and the reason code if it is refused."""
    match event:
        case Mint():
            return (event.handle, "") if known is None and event.handle.until > now else (known, "HANDLE_EXPIRED")
        case EndSession():
            if known is None or known.session != event.session:
                return known, "HANDLE_UNKNOWN"
            return known._replace(revoked=True), ""
    if known is None or (known.session, known.caller) != (event.session, event.caller):
        return known, "HANDLE_UNKNOWN"
    if known.revoked:
        return known, "HANDLE_REVOKED"
    if isinstance(event, Revoke):
        return known._replace(revoked=True), ""
    if now >= known.until:
        return known, "HANDLE_EXPIRED"
    return known, _reach(known, event.sink)


def _reach(known: Handle, sink: str) -> str:
    if sink == RUNTIME:
        if known.sensitivity is Sensitivity.HIGH:
            return "HANDLE_HIGH"
        return "" if RUNTIME in known.sinks else "HANDLE_SINK"
    return "" if sink in known.sinks or (ANYWHERE in known.sinks and sink != NOWHERE) else "HANDLE_SINK"
