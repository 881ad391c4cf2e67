"""Turns: what an agent does about an event, as a state machine, and their store; and the recovery of work.

    waiting --take--> taken --finish--> done, together with the answer
                      taken --lost--> waiting: nothing was done for it yet; after the last try: interrupted
                      taken --act--> acting --finish--> done
                                     acting --lost--> interrupted: something may have been done; it is reported, not repeated
                                     acting --suspend--> suspended, until a person has answered --take--> acting

The store records that a turn acts before its first tool runs, so a crash repeats only the model's thinking. A worker
leases a turn and renews the lease; a turn whose lease expires is lost. The end of a turn and its answers are written
together: exactly the turns that end get an answer. Turns of a session run in order (stores/operations.py).

A turn that waits for a person is suspended with its conversation so far: question, messages and pause are written
together. It has no worker, and a crash does not affect it. The person's answer wakes it in the same operation.

Work (turns and pieces to be sent) of gateways that have stopped becomes due at once instead of after its lease:

(1) a gateway with a store of its own releases at its start everything that was taken: the previous process is dead
(2) gateways that share a store renew a sign of life every `RENEW` seconds; the work of one without a sign for `LIFE`
    seconds is released by another

Released work is then found as lost in the ordinary way.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.gateway.inbound.delivery import TABLE as DELIVERY
from remit.gateway.inbound.delivery import Piece, Route, queue
from remit.gateway.inbound.routing import ConversationKind
from remit.gateway.inbound.stores.operations import Begin, Commit, Live, Next, Operation, Read, Write, leave

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.turn import Pause
    from remit.gateway.inbound.events import Event
    from remit.gateway.inbound.service import Inbound


COMMANDS = "/"  # pseudo-agent for commands of operators; no agent can have this name
# tables of waiting turns: those of agents, and operators' commands, which wait for no agent
TURNS, ORDERS = "turns", "orders"
MOST_TRIES = 5  # limits retries of an event that makes workers crash


class TurnPhase(StrEnum):
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
    phase: TurnPhase = TurnPhase.WAITING
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


class WorkerLost(NamedTuple):
    """A worker is gone."""

    worker: str


TurnEvent: TypeAlias = "Take | Act | Suspend | Finish | WorkerLost"


def step(known: Turn, event: TurnEvent) -> tuple[Turn, bool]:
    """Return the turn after an event, and whether the event applied.

    Events of a worker that lost the turn do not apply.
    """
    if isinstance(event, Take) and known.phase is TurnPhase.SUSPENDED:
        return known._replace(phase=TurnPhase.ACTING, worker=event.worker), True
    if isinstance(event, Take):
        taken = known._replace(phase=TurnPhase.TAKEN, worker=event.worker, tries=known.tries + 1)
        return (taken, True) if known.phase is TurnPhase.WAITING else (known, False)
    if known.phase not in (TurnPhase.TAKEN, TurnPhase.ACTING) or known.worker != event.worker:
        return known, False
    match event:
        case Act():
            return known._replace(phase=TurnPhase.ACTING), True
        case Suspend():
            acts = known.phase is TurnPhase.ACTING  # a turn is marked as acting before it waits for a person
            return (known._replace(phase=TurnPhase.SUSPENDED, worker=""), True) if acts else (known, False)
        case Finish():
            return known._replace(phase=TurnPhase.DONE, worker=""), True
        case WorkerLost():
            repeated = known.phase is TurnPhase.TAKEN and known.tries < MOST_TRIES
            return known._replace(phase=TurnPhase.WAITING if repeated else TurnPhase.INTERRUPTED, worker=""), True


HEARD, PAUSES = "heard", "pauses"  # tables of the events of turns, and of suspended turns
TURN_LOST = "TURN_LOST"  # refusal of a suspension: another worker has the turn
LEASE = 120  # seconds
KEPT = 24 * 3600  # seconds that the end of a turn is kept for queries
Taken: TypeAlias = "tuple[str, Turn, Event]"
INTERRUPTED = "I was interrupted while I worked on this, and do not know how far it came. Please look, and ask again."


def take_many(worker: str, now: int, lane: str, most: int) -> Operation[list[Taken]]:
    """Take up to so many due turns of a lane for this worker.

    One whose lease expired is returned as waiting again, or as interrupted with a notice to its speaker.
    """
    yield Begin()
    taken: list[Taken] = []
    while len(taken) < most and (one := (yield from _taken(worker, now, lane))) is not None:
        taken.append(one)
    yield Commit()
    return taken


def _taken(worker: str, now: int, lane: str) -> Operation[Taken | None]:
    found: tuple[str, Turn] | None = yield Next(lane, now)
    if found is None:
        return None
    key, known = found
    event: Event = yield Read(HEARD, key)
    if known.phase in (TurnPhase.WAITING, TurnPhase.SUSPENDED):
        turn, _ = step(known, Take(worker))
        yield Write(lane, key, turn, now + LEASE)
    else:
        turn, _ = step(known, WorkerLost(known.worker))
        if turn.phase is TurnPhase.WAITING:
            yield Write(lane, key, turn, now)
        else:
            notice = Piece(turn.session, back_to(event), INTERRUPTED, turn.trace)
            yield from _ended(key, turn, now, (notice,))
    return key, turn, event


def go_on(key: str, worker: str, now: int, *, acts: bool = False) -> Operation[bool]:
    """Renew a worker's lease; `acts`: a tool is about to run. If False, the worker must stop."""
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
    counted = False
    if known is not None and known.phase in (TurnPhase.TAKEN, TurnPhase.ACTING) and known.worker == worker:
        counted = True
        turn = step(known, Act(worker))[0] if acts else known
        yield Write(TURNS, key, turn, now + LEASE)
    yield Commit()
    return counted


def suspend(key: str, worker: str, pause: Pause, due: int, asks: Operation[str]) -> Operation[str]:
    """Suspend a turn that must wait for a person; return the reason code if it is refused.

    `asks`: operation that stores the question, together with the pause. `due`: when the turn continues, with or without
    an answer.
    """
    yield Begin()
    known: Turn | None = yield Read(TURNS, key)
    turn, counted = step(known, Suspend(worker)) if known is not None else (None, False)
    refused = TURN_LOST
    if counted:
        refused = yield from asks
    if not refused:
        yield Write(TURNS, key, turn, due)
        yield Write(PAUSES, key, pause, until=due + KEPT)
    yield Commit()
    return refused


def wake(key: str, now: int) -> Operation[None]:
    """Within an operation: continue a suspended turn."""
    known: Turn | None = yield Read(TURNS, key)
    if known is not None and known.phase is TurnPhase.SUSPENDED:
        yield Write(TURNS, key, known, now)


def paused(key: str) -> Operation[Pause | None]:
    """Return the state of a suspended turn."""
    found: Pause | None = yield Read(PAUSES, key)
    return found


def finish(
    key: str, worker: str, now: int, answers: tuple[Piece, ...], also: tuple[Write, ...] = (), lane: str = TURNS
) -> Operation[bool]:
    """End a turn and store its answers; return whether the worker still had it. `also`: further writes."""
    yield Begin()
    known: Turn | None = yield Read(lane, key)
    counted = False
    if known is not None:
        turn, counted = step(known, Finish(worker))
        if counted:
            yield from _ended(key, turn, now, answers)
            yield from also
    yield Commit()
    return counted


def look(key: str) -> Operation[Turn | None]:
    """Return a turn, or None."""
    found: Turn | None = yield Read(TURNS, key)
    return found


def back_to(event: Event) -> Route:
    """Return where an answer to an event goes: where it was sent, or where the platform requests it."""
    place = event.place
    to = place.room if place.kind is ConversationKind.GROUP else place.peer
    return Route(place.channel, place.account, event.back or to, place.thread, place.kind)


def _ended(key: str, turn: Turn, now: int, answers: tuple[Piece, ...]) -> Operation[None]:
    lane = lane_of(turn)
    yield Write(lane, key, turn, until=now + KEPT)
    yield Write(HEARD, key, None)
    for number, answer in enumerate(answers):
        yield from queue(f"{key}\x1f{number:04}", answer, now)
    behind = yield from leave(line_of(turn), key)
    if behind is not None:
        yield Write(lane, behind, (yield Read(lane, behind)), now)


GATEWAYS = "gateways"
LIFE, RENEW = 10, 2  # seconds


def recover(mine: str, now: int) -> Operation[int]:
    """(1) Release all work of other workers; return how much it was."""
    yield Begin()
    count = yield from _given_back(lambda worker: worker != mine, now)
    yield Commit()
    return count


def renew(mine: str, now: int) -> Operation[None]:
    """(2) Renew this gateway's sign of life."""
    yield Begin()
    yield Write(GATEWAYS, mine, now, now + LIFE)
    yield Commit()


def bury(now: int) -> Operation[str]:
    """(2) Release the work of a gateway without a recent sign of life; return its name, or an empty string."""
    yield Begin()
    found: tuple[str, int] | None = yield Next(GATEWAYS, now)
    if found is not None:
        yield Write(GATEWAYS, found[0], None)
        yield from _given_back(lambda worker: worker == found[0], now)
    yield Commit()
    return found[0] if found else ""


async def live(inbound: Inbound, mine: str) -> None:
    """(2) Renew and watch until cancelled."""
    while True:
        await inbound.kept(renew(mine, inbound.now()))
        while await inbound.kept(bury(inbound.now())):
            inbound.ring()
        await asyncio.sleep(RENEW)


def _given_back(gone: Callable[[str], bool], now: int) -> Operation[int]:
    count = 0
    for table in (TURNS, ORDERS, DELIVERY):
        for key, one in (yield Live(table)):
            if one.worker and gone(one.worker):
                yield Write(table, key, one, now)
                count += 1
    return count
