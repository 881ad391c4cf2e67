"""State machine of a turn, from an accepted event to its end, as a pure function.

    waiting --take--> taken --finish--> done, together with the answer
                      taken --lost--> waiting: nothing was done for it yet; after the last try: interrupted
                      taken --act--> acting --finish--> done
                                     acting --lost--> interrupted: something may have been done; it is reported, not repeated
                                     acting --suspend--> suspended, until a person has answered --take--> acting

The store records that a turn acts before its first tool runs, so a crash repeats only the model's thinking. A turn that
waits for a person is suspended: it has no worker, and a crash does not affect it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

COMMANDS = "/"  # pseudo-agent for commands of operators; no agent can have this name
TURNS, ORDERS = (
    "turns",
    "orders",
)  # tables of waiting turns: those of agents, and operators' commands, which wait for no agent
MOST_TRIES = 5  # limits retries of an event that makes workers crash


class Phase(StrEnum):
    """The state of a turn."""

    WAITING = "waiting"
    TAKEN = "taken"
    ACTING = "acting"
    SUSPENDED = "suspended"
    DONE = "done"
    INTERRUPTED = "interrupted"


class Turn(NamedTuple):
    """An event in its session."""

    session: str
    agent: str
    trace: str
    phase: Phase = Phase.WAITING
    worker: str = ""
    tries: int = 0


def line_of(turn: Turn) -> str:
    """Return the ordering key: an agent's turns in a session run in order.

    Commands have one of their own, since an agent may wait for them.
    """
    return f"turn {turn.agent} {turn.session}"


def lane_of(turn: Turn) -> str:
    """Return the table in which a turn waits. Each has workers of its own."""
    return ORDERS if turn.agent == COMMANDS else TURNS


class Take(NamedTuple):
    """A worker takes the turn."""

    worker: str


class Act(NamedTuple):
    """A tool is about to run."""

    worker: str


class Suspend(NamedTuple):
    """A tool must wait for a person."""

    worker: str


class Finish(NamedTuple):
    """The agent has finished."""

    worker: str


class Lost(NamedTuple):
    """A worker is gone."""

    worker: str


Event: TypeAlias = "Take | Act | Suspend | Finish | Lost"


def step(known: Turn, event: Event) -> tuple[Turn, bool]:
    """Return the turn after an event, and whether the event applied.

    Events of a worker that lost the turn do not apply.
    """
    if isinstance(event, Take) and known.phase is Phase.SUSPENDED:
        return known._replace(phase=Phase.ACTING, worker=event.worker), True
    if isinstance(event, Take):
        taken = known._replace(phase=Phase.TAKEN, worker=event.worker, tries=known.tries + 1)
        return (taken, True) if known.phase is Phase.WAITING else (known, False)
    if known.phase not in (Phase.TAKEN, Phase.ACTING) or known.worker != event.worker:
        return known, False
    match event:
        case Act():
            return known._replace(phase=Phase.ACTING), True
        case Suspend():
            acts = known.phase is Phase.ACTING  # a turn is marked as acting before it waits for a person
            return (known._replace(phase=Phase.SUSPENDED, worker=""), True) if acts else (known, False)
        case Finish():
            return known._replace(phase=Phase.DONE, worker=""), True
        case Lost():
            repeated = known.phase is Phase.TAKEN and known.tries < MOST_TRIES
            return known._replace(phase=Phase.WAITING if repeated else Phase.INTERRUPTED, worker=""), True
