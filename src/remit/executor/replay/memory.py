"""What a store must do, and the life of a mark as a pure step.

    nothing --mark--> Marked(started) --finish--> Marked(done | failed)

An executor that dies in between leaves a mark that nobody finishes. It stays a mark: whether the effect happened is not known, and
it does not happen again. A mark is kept at least until proofs of its action are too old to be accepted.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, Protocol, TypeAlias


class State(StrEnum):
    """How far an action has come."""

    STARTED = "started"
    DONE = "done"
    FAILED = "failed"  # for certain nothing happened
    UNKNOWN = "unknown"  # nobody recorded the end


class Marked(NamedTuple):
    """What is remembered of an action."""

    owner: str  # the executor that marked it
    state: State
    expires: int


class Mark(NamedTuple):
    """An executor wants to act."""

    owner: str
    expires: int


class Finish(NamedTuple):
    """The executor that marked it knows the end."""

    owner: str
    state: State


class Forget(NamedTuple):
    """Room is wanted: marks of old proofs may go."""


Event: TypeAlias = "Mark | Finish | Forget"


def step(known: Marked | None, event: Event, now: int) -> tuple[Marked | None, bool]:
    """What is remembered after an event, and whether the event took effect."""
    match known, event:
        case None, Mark() if event.expires > now:
            return Marked(event.owner, State.STARTED, event.expires), True
        case Marked(), Forget() if known.expires <= now and known.state is not State.STARTED:
            return None, True  # its proofs are too old: nothing can bring it back
        case Marked(state=State.STARTED), Finish() if event.owner == known.owner and event.state is not State.STARTED:
            return known._replace(state=event.state), True
    return known, False


class Memory(Protocol):
    """A store. Every method is atomic among all processes that use it; an error of the store is an AuthorityError."""

    def mark(self, action_id: str, owner: str, expires: int, now: int) -> bool:
        """Whether this call, and no other before it, marked the action."""
        ...

    def finish(self, action_id: str, owner: str, state: State) -> None:
        """Write the end of an action down."""
        ...

    def unfinished(self, owner: str) -> tuple[str, ...]:
        """Actions that this owner marked and did not finish: after a restart, those whose end is not known."""
        ...

    def forget(self, now: int) -> int:
        """Remove marks whose proofs are too old; gives how many."""
        ...

    def state(self, action_id: str) -> State | None:
        """How far an action has come; None if it was never marked here, or is forgotten."""
        ...

    def identity(self) -> str:
        """The store's own name, drawn when it was made: two stores never have one name, and one that is made anew has a new one."""
        ...

    def advance(self, epoch: int) -> int:
        """Note the epoch of a policy; gives the highest that was ever noted."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...
