"""One event that was accepted, until the agent has done with it, as a pure step.

    waiting --take--> taken --finish--> done, together with the answer
                      taken --lost--> waiting: nothing was done for it yet; after the last try: interrupted
                       taken --act--> acting --finish--> done
                                     acting --lost--> interrupted: something may have been done; it is told and not repeated
                                     acting --suspend--> suspended, until a person has answered --take--> acting

Before the first tool runs for an event that is written down. So a crash repeats thinking, never acting. A turn that waits for a person is
suspended: no worker has it, and a crash does not touch it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple, TypeAlias

COMMANDS = "/"  # what hears commands of operators in the place of an agent; no agent can have this name
TURNS, ORDERS = "turns", "orders"  # the lanes: turns of agents, and commands of operators, which wait for no agent
MOST_TRIES = 5  # an event over which workers die again and again is not taken for ever


class Phase(StrEnum):
    """How far it has come."""

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
    """What comes one after the other: the turns of an agent in a session. Commands wait for no agent, which may wait for them."""
    return f"turn {turn.agent} {turn.session}"


def lane_of(turn: Turn) -> str:
    """The table in which a turn waits. Each lane has workers of its own."""
    return ORDERS if turn.agent == COMMANDS else TURNS


class Take(NamedTuple):
    """A worker begins."""

    worker: str


class Act(NamedTuple):
    """A tool is about to run for it."""

    worker: str


class Suspend(NamedTuple):
    """A tool must wait for a person."""

    worker: str


class Finish(NamedTuple):
    """The agent has done."""

    worker: str


class Lost(NamedTuple):
    """A worker is gone."""

    worker: str


Event: TypeAlias = "Take | Act | Suspend | Finish | Lost"


def step(known: Turn, event: Event) -> tuple[Turn, bool]:
    """What is there after an event, and whether it counted. What comes from a worker that lost it counts for nothing."""
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
            acts = known.phase is Phase.ACTING  # what waits for a person was written down as acting first
            return (known._replace(phase=Phase.SUSPENDED, worker=""), True) if acts else (known, False)
        case Finish():
            return known._replace(phase=Phase.DONE, worker=""), True
        case Lost():
            repeated = known.phase is Phase.TAKEN and known.tries < MOST_TRIES
            return known._replace(phase=Phase.WAITING if repeated else Phase.INTERRUPTED, worker=""), True
