"""State machine of a request to a device, as a pure function.

    none --ask--> waiting for a person, or ready --run--> running --done--> done
                  waiting --approve--> ready
                  waiting, ready --deny--> denied
                  running --lost--> unknown, and never run again

An approval covers one request, under its own name, with exactly the content that the person saw.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

LIFETIME = 600  # seconds from request to run


class Phase(StrEnum):
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
    phase: Phase = Phase.WAITING
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


class Run(NamedTuple):
    """The request is about to be sent to the device. `allowed`: by the current settings."""

    digest: str
    allowed: bool


class Done(NamedTuple):
    """The device answered."""


class Lost(NamedTuple):
    """The device or the gateway went away in between."""


Event: TypeAlias = "Ask | Approve | Deny | Run | Done | Lost"


def step(known: Request | None, event: Event, now: int) -> tuple[Request | None, str]:  # noqa: PLR0911  one refusal for each reason
    """Return the request after an event, and the reason code if it is refused."""
    if isinstance(event, Ask):
        if known is not None:
            return known, "RUN_USED"
        phase = Phase.WAITING if event.approval else Phase.READY
        until = now + LIFETIME
        return Request(
            event.device, event.command, event.digest, until, phase, "", event.shown, event.by, event.turn
        ), ""
    if known is None:
        return None, "RUN_UNKNOWN"
    match event:
        case Approve(digest, approver):
            refused = _late(known, now) or ("" if known.phase is Phase.WAITING else "RUN_USED")
            refused = refused or ("" if digest == known.digest else "RUN_DIFFERS")
            return (known, refused) if refused else (known._replace(phase=Phase.READY, approver=approver), "")
        case Deny() if known.phase in (Phase.WAITING, Phase.READY):
            return known._replace(phase=Phase.DENIED, approver=""), ""
        case Run(digest, allowed):
            refused = _late(known, now) or _not_ready(known)
            refused = (
                refused or ("" if digest == known.digest else "RUN_DIFFERS") or ("" if allowed else "COMMAND_DENIED")
            )
            return (known, refused) if refused else (known._replace(phase=Phase.RUNNING), "")
        case Done() if known.phase is Phase.RUNNING:
            return known._replace(phase=Phase.DONE), ""
        case Lost() if known.phase is Phase.RUNNING:
            return known._replace(phase=Phase.UNKNOWN), ""
    return known, "RUN_USED"


def _late(known: Request, now: int) -> str:
    return "RUN_EXPIRED" if now >= known.until else ""


def _not_ready(known: Request) -> str:
    return {Phase.READY: "", Phase.WAITING: "APPROVAL_MISSING", Phase.DENIED: "APPROVAL_DENIED"}.get(
        known.phase, "RUN_USED"
    )
