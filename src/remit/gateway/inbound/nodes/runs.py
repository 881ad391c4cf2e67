"""Requests to devices: the state machine of one request, and their store.

    none --ask--> waiting for a person, or ready --run--> running --done--> done
                  waiting --approve--> ready
                  waiting, ready --deny--> denied
                  running --lost--> unknown, and never run again

An approval covers one request, under its own name, with exactly the content that the person saw.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Read, Write
from remit.gateway.inbound.turns import wake

LIFETIME = 600  # seconds from request to run


class RunPhase(StrEnum):
    """The state of a request."""

    WAITING = "waiting"
    READY = "ready"
    RUNNING = "running"
    DONE = "done"
    DENIED = "denied"
    UNKNOWN = "unknown"


class Request(NamedTuple):
    """A request to a device. `digest`: of device, command and arguments."""

    device: str
    command: str
    digest: str
    until: int
    phase: RunPhase = RunPhase.WAITING
    approver: str = ""
    shown: str = ""  # the arguments, for the approver
    by: str = ""  # who asked, for the approver
    turn: str = ""  # the turn that waits for it, if any


class Ask(NamedTuple):
    """A new request that the settings allow (`commands.refusal`)."""

    device: str
    command: str
    digest: str
    approval: bool  # whether a person must approve
    shown: str = ""
    by: str = ""
    turn: str = ""


class Approve(NamedTuple):
    """A person saw this content and approves it."""

    digest: str
    approver: str


class Deny(NamedTuple):
    """A person denies it."""


class RunSent(NamedTuple):
    """The request is about to be sent to the device. `allowed`: by the current settings."""

    digest: str
    allowed: bool


class RunDone(NamedTuple):
    """The device answered."""


class RunLost(NamedTuple):
    """The device or the gateway went away in between."""


RunEvent: TypeAlias = "Ask | Approve | Deny | RunSent | RunDone | RunLost"


def step(known: Request | None, event: RunEvent, now: int) -> tuple[Request | None, str]:  # noqa: PLR0911  one refusal for each reason
    """Return the request after an event, and the reason code if it is refused."""
    if isinstance(event, Ask):
        if known is not None:
            return known, "RUN_USED"
        phase = RunPhase.WAITING if event.approval else RunPhase.READY
        until = now + LIFETIME
        return Request(
            event.device, event.command, event.digest, until, phase, "", event.shown, event.by, event.turn
        ), ""
    if known is None:
        return None, "RUN_UNKNOWN"
    match event:
        case Approve(digest, approver):
            refused = _late(known, now) or ("" if known.phase is RunPhase.WAITING else "RUN_USED")
            refused = refused or ("" if digest == known.digest else "RUN_DIFFERS")
            return (known, refused) if refused else (known._replace(phase=RunPhase.READY, approver=approver), "")
        case Deny() if known.phase in (RunPhase.WAITING, RunPhase.READY):
            return known._replace(phase=RunPhase.DENIED, approver=""), ""
        case RunSent(digest, allowed):
            refused = _late(known, now) or _not_ready(known)
            refused = (
                refused or ("" if digest == known.digest else "RUN_DIFFERS") or ("" if allowed else "COMMAND_DENIED")
            )
            return (known, refused) if refused else (known._replace(phase=RunPhase.RUNNING), "")
        case RunDone() if known.phase is RunPhase.RUNNING:
            return known._replace(phase=RunPhase.DONE), ""
        case RunLost() if known.phase is RunPhase.RUNNING:
            return known._replace(phase=RunPhase.UNKNOWN), ""
    return known, "RUN_USED"


def _late(known: Request, now: int) -> str:
    return "RUN_EXPIRED" if now >= known.until else ""


def _not_ready(known: Request) -> str:
    return {RunPhase.READY: "", RunPhase.WAITING: "APPROVAL_MISSING", RunPhase.DENIED: "APPROVAL_DENIED"}.get(
        known.phase, "RUN_USED"
    )


TABLE = "runs"
KEPT = 24 * 3600 + LIFETIME  # seconds: a name stays used for longer than any request lives


def apply(name: str, event: RunEvent, now: int) -> Operation[str]:
    """Apply an event; return the reason code if it is refused."""
    yield Begin()
    refused = yield from change(name, event, now)
    yield Commit()
    return refused


def change(name: str, event: RunEvent, now: int) -> Operation[str]:
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
