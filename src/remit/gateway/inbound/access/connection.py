"""State machine of a connection. Before the login nothing is handled as a command, and repeated wrong logins end it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from remit.gateway.inbound.access.login import Login

MOST_GUESSES = 3  # wrong logins on one connection


class Phase(StrEnum):
    """The phase of a connection."""

    NEW = "new"
    IN = "in"
    CLOSED = "closed"


class Connection(NamedTuple):
    """The state of a connection."""

    phase: Phase = Phase.NEW
    by: str = ""
    guesses: int = 0


class LoggedIn(NamedTuple):
    """The result of a login."""

    login: Login


class Sent(NamedTuple):
    """Any other message arrived."""


class Ended(NamedTuple):
    """The peer disconnected, or its rights were revoked."""


Event: TypeAlias = "LoggedIn | Sent | Ended"


def step(known: Connection, event: Event) -> tuple[Connection, str]:
    """Return the new state, and the action: `hear` a command, `refuse`, `close`, or an empty string."""
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
