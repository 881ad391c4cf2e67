"""A connection. Until somebody was let in nothing of what is sent is read as a command, and who guesses is cut off."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from remit.gateway.inbound.access.login import Login

MOST_GUESSES = 3  # of one connection


class Phase(StrEnum):
    """How far it has come."""

    NEW = "new"
    IN = "in"
    CLOSED = "closed"


class Connection(NamedTuple):
    """Its state."""

    phase: Phase = Phase.NEW
    by: str = ""
    guesses: int = 0


class LoggedIn(NamedTuple):
    """What became of a login."""

    login: Login


class Sent(NamedTuple):
    """Anything else that was sent."""


class Ended(NamedTuple):
    """The other end went away, or its rights were taken back."""


Event: TypeAlias = "LoggedIn | Sent | Ended"


def step(known: Connection, event: Event) -> tuple[Connection, str]:
    """What is there after an event, and what is to be done: `hear` a command, `refuse`, `close`, or nothing."""
    if known.phase is Phase.CLOSED:
        return known, "refuse"
    match event:
        case Ended():
            return known._replace(phase=Phase.CLOSED, by=""), "close"
        case LoggedIn(login) if known.phase is Phase.NEW:
            if login.by and not login.refused:
                return Connection(Phase.IN, login.by), ""
            guesses = known.guesses + 1
            over = guesses >= MOST_GUESSES
            return Connection(Phase.CLOSED if over else Phase.NEW, "", guesses), "close" if over else "refuse"
        case Sent() if known.phase is Phase.IN:
            return known, "hear"
    return known._replace(phase=Phase.CLOSED, by=""), "close"  # a command before the login, or a second login
