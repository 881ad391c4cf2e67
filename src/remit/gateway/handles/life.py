"""What becomes of a handle, as a pure step.

    nothing --mint--> live --use--> live, and its value goes to a sink that it may reach
                      live --revoke--> revoked: the value is gone
    live, and its time over: expired

A handle is of one caller in one session. Others are told that there is none. A value of high sensitivity is never shown to an agent.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.authority.sinks import ANYWHERE, NOWHERE, RUNTIME


class Sensitivity(StrEnum):
    """How much harm a value does in the wrong place."""

    LOW = "low"
    HIGH = "high"


class Handle(NamedTuple):
    """What is known of a handle, besides its value."""

    session: str
    caller: str
    sensitivity: Sensitivity
    sinks: frozenset[str]  # where the value may go; `*` is anywhere but to the agent
    until: int
    revoked: bool = False


class Mint(NamedTuple):
    """A value gets a handle."""

    handle: Handle


class Use(NamedTuple):
    """A caller wants the value to go to a sink."""

    session: str
    caller: str
    sink: str


class Revoke(NamedTuple):
    """A caller gives a handle back."""

    session: str
    caller: str


class EndSession(NamedTuple):
    """A session is over, and all its handles with it."""

    session: str


Event: TypeAlias = "Mint | Use | Revoke | EndSession"


def step(known: Handle | None, event: Event, now: int) -> tuple[Handle | None, str]:
    """What is there after an event, and the code of the refusal if it is refused."""
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
