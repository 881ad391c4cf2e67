"""State machine of the tool calls of a session, as a pure function. The gateway keeps no such state: it asks the policy
again whenever it shows tools or is about to run one (`agent/turn.py`), and the monitor checks the same laws there.

A tool shown to a model may still be denied: the policy when it runs counts.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class WaitingCall(NamedTuple):
    """A call that is to run."""

    id: str
    tool: str


class Session(NamedTuple):
    """A session: allowed tools, tools that its model was shown, and calls that wait to run."""

    allowed: frozenset[str]
    shown: frozenset[str] = frozenset()
    waiting: tuple[WaitingCall, ...] = ()


class Reload(NamedTuple):
    """The policy changed."""

    allowed: frozenset[str]


class Show(NamedTuple):
    """The model is asked and shown its tools."""


class ModelCall(NamedTuple):
    """The model calls a tool by its canonical name."""

    call: WaitingCall


class CallStarts(NamedTuple):
    """A call is about to run."""

    id: str


Event: TypeAlias = "Reload | Show | ModelCall | CallStarts"


def step(known: Session, event: Event) -> tuple[Session, str]:
    """Return the session after an event, and the reason code if it is refused."""
    match event:
        case Reload(allowed):
            return known._replace(allowed=allowed, shown=known.shown & allowed), ""
        case Show():
            return known._replace(shown=known.allowed), ""
        case ModelCall(call):
            if call.tool not in known.allowed:
                return known, "TOOL_DENIED"
            if call.id in {one.id for one in known.waiting}:
                return known, "CALL_TWICE"
            return known._replace(waiting=(*known.waiting, call)), ""
        case CallStarts(name):
            found = next((one for one in known.waiting if one.id == name), None)
            if found is None:
                return known, "CALL_UNKNOWN"
            rest = known._replace(waiting=tuple(one for one in known.waiting if one != found))
            return rest, "" if found.tool in known.allowed else "TOOL_DENIED"
