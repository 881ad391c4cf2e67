"""The interface of a replay store, and the life of a mark as a pure step.

    nothing --mark--> Marked(started) --finish--> Marked(done | failed)

An executor that crashes in between leaves an unfinished mark. It stays: whether the effect happened is unknown, and
the action never runs again. A mark is kept at least until proofs of its action are too old to be accepted.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Protocol, TypeAlias


class State(StrEnum):
    """The state of an action."""

    STARTED = "started"
    DONE = "done"
    FAILED = "failed"  # for certain nothing happened
    UNKNOWN = "unknown"  # the end was never recorded


class Marked(NamedTuple):
    """The record of an action."""

    owner: str  # the executor that marked it
    state: State
    expires: int


class Mark(NamedTuple):
    """An executor is about to act."""

    owner: str
    expires: int


class Finish(NamedTuple):
    """The executor that marked the action reports its end."""

    owner: str
    state: State


class Forget(NamedTuple):
    """Marks whose proofs are too old may be removed."""


Event: TypeAlias = "Mark | Finish | Forget"


def step(known: Marked | None, event: Event, now: int) -> tuple[Marked | None, bool]:
    """Return the record after an event, and whether the event took effect."""
    match known, event:
        case None, Mark() if event.expires > now:
            return Marked(event.owner, State.STARTED, event.expires), True
        case Marked(), Forget() if known.expires <= now and known.state is not State.STARTED:
            return None, True  # its proofs are too old to be accepted again
        case Marked(state=State.STARTED), Finish() if event.owner == known.owner and event.state is not State.STARTED:
            return known._replace(state=event.state), True
    return known, False


class Memory(Protocol):
    """A store. Every method is atomic among all processes that use it; an error of the store is an AuthorityError."""

    def mark(self, action_id: str, owner: str, expires: int, now: int) -> bool:
        """Return whether this call marked the action, and no earlier one did."""
        ...

    def finish(self, action_id: str, owner: str, state: State) -> None:
        """Record the end of an action."""
        ...

    def unfinished(self, owner: str) -> tuple[str, ...]:
        """Return actions that this owner marked and did not finish: after a restart, those whose end is unknown."""
        ...

    def forget(self, now: int) -> int:
        """Remove marks whose proofs are too old, and return how many."""
        ...

    def state(self, action_id: str) -> State | None:
        """Return the state of an action; None if it was never marked here, or its mark was removed."""
        ...

    def identity(self) -> str:
        """Return the store's unique name, drawn when it was created: a recreated store has a new one."""
        ...

    def advance(self, epoch: int) -> int:
        """Record the epoch of a policy, and return the highest that was ever recorded."""
        ...

    def close(self) -> None:
        """Close the store."""
        ...
