"""The life of one action on a policy server: begun, decided, and signed as often as its gateway commits it in time.

    nothing --begin--> Begun --decide--> Decided --commit--> Decided, and a proof is signed

A step is a function of the entry, the event and the time. What fails is forgotten, so that nothing half decided can be signed.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Begun(NamedTuple):
    """A question that is being answered."""

    commitment: str
    question: str
    until: int


class Decided(NamedTuple):
    """A decision that may be signed until its time is over."""

    commitment: str
    question: str
    outputs: bytes
    tag: bytes
    until: int


Entry: TypeAlias = "Begun | Decided | None"


class Begin(NamedTuple):
    """The gateway asks."""

    commitment: str
    question: str
    until: int


class Decide(NamedTuple):
    """The two servers have computed: the answer to one question for one commitment."""

    commitment: str
    question: str
    outputs: bytes
    tag: bytes


class Fail(NamedTuple):
    """The computation came to no end."""

    commitment: str
    question: str


class Commit(NamedTuple):
    """The gateway wants a proof."""

    commitment: str


Event: TypeAlias = "Begin | Decide | Fail | Commit"


class Sign(NamedTuple):
    """The effect: this decision is signed."""

    decided: Decided


Effect: TypeAlias = "Sign | str | None"  # a text is the code of a refusal


def step(entry: Entry, event: Event, now: int) -> tuple[Entry, Effect]:
    """What becomes of an action."""
    if entry is not None and now >= entry.until:
        entry = None
    match entry, event:
        case None, Begin() if event.until > now:
            return Begun(*event), None
        case None, Begin():
            return None, "ACTION_STALE"
        case Begun(), Decide() if event[:2] == entry[:2]:  # and not one that was begun before it under the same name
            return Decided(*event, entry.until), None
        case Begun(), Fail() if event == entry[:2]:
            return None, None
        case Decided(), Commit() if event.commitment == entry.commitment:
            return entry, Sign(entry)
        case _, Begin():
            return entry, "ACTION_KNOWN"
        case _, Commit():
            return entry, "ACTION_UNKNOWN"
    return entry, "ACTION_OVER"
