"""The rules of deliveries (`gateway/inbound/delivery/life.py`, `store.py`) for a solver, and beside them the code, asked the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound.delivery import life as code
from remit.gateway.inbound.delivery import store
from remit.gateway.inbound.stores.operations import Commit, Next, Write
from remit.models.proofs.solving import choose, value

if TYPE_CHECKING:
    from random import Random

    from remit.models.proofs.theory import Term

PHASE, _PHASE_VALUES = z3.EnumSort("Phase", [str(one) for one in code.Phase])
PHASES = dict(zip(code.Phase, _PHASE_VALUES, strict=True))
WAITING, TAKEN, SENT, GIVEN_UP, UNKNOWN = (PHASES[one] for one in code.Phase)
SAID, (IS_SENT, IS_LOST, HAS_FAILED) = z3.EnumSort("Said", ["sent", "lost", "failed"])


class Piece(NamedTuple):
    """How far a piece has come."""

    phase: Term
    tries: Term
    after: Term
    worker: Term


def takes(piece: Piece, now: Term) -> Term:
    """Whether it may be taken."""
    return z3.And(piece.phase == WAITING, now >= piece.after)


def counts(piece: Piece, worker: Term) -> Term:
    """Whether it counts what a worker says of it."""
    return z3.And(piece.phase == TAKEN, piece.worker == worker)


def becomes(said: Term, tries: Term, most: Term) -> Term:
    """What it becomes by what counts."""
    failed = z3.If(tries >= most, GIVEN_UP, WAITING)
    return z3.If(said == IS_SENT, SENT, z3.If(said == IS_LOST, UNKNOWN, failed))


def crashes(piece: Piece) -> Piece:
    """What is there after a crash of the worker that took it: what was on the disk, and that it was taken is."""
    return piece


class Operators(NamedTuple):
    """The rules."""

    takes: Callable[[Piece, Term], Term] = takes
    counts: Callable[[Piece, Term], Term] = counts
    becomes: Callable[[Term, Term, Term], Term] = becomes
    crashes: Callable[[Piece], Piece] = crashes


def taken(rules: Operators, piece: Piece, worker: Term, now: Term) -> tuple[Piece, Term]:
    """After a worker wanted to send it."""
    done = rules.takes(piece, now)
    return choose(done, Piece(TAKEN, piece.tries + 1, piece.after, worker), piece), done


def told(rules: Operators, piece: Piece, said: Term, worker: Term, most: Term, again: Term) -> tuple[Piece, Term]:
    """After a worker said something of it. `again`: when it may be tried again, if that is what becomes of it."""
    done, nobody = rules.counts(piece, worker), z3.IntVal(0)
    phase = rules.becomes(said, piece.tries, most)
    after = z3.If(phase == WAITING, again, piece.after)
    return choose(done, Piece(phase, piece.tries, after, nobody), piece), done


class Case(NamedTuple):
    """A piece, an event and the time."""

    phase: code.Phase
    tries: int
    after: int
    worker: str
    event: code.Event
    now: int


_NUMBERS = {"": 0, "a": 1, "b": 2}  # of workers


def sample(random: Random) -> Case:
    """Any piece and any event."""
    name = random.choice
    event = name(
        (
            code.Take(name("ab")),
            code.Sent(name("ab")),
            code.Failed(name("ab"), random.randint(0, 9)),
            code.Lost(name("ab")),
        )
    )
    phase = name((code.Phase.TAKEN, *code.Phase))
    return Case(
        phase, random.randint(1, code.MOST_TRIES), random.randint(0, 3), name("ab"), event, random.randint(0, 4)
    )


def every() -> Iterator[Case]:
    """Every phase and every kind of event, by its worker and by another."""
    for phase, event in product(code.Phase, (code.Take, code.Sent, code.Failed, code.Lost)):
        for who in "ab":
            yield Case(phase, 2, 1, "a", event(who), 1)
    for now in (2, 3):  # before it may be tried again, and then
        yield Case(code.Phase.WAITING, 2, 3, "", code.Take("a"), now)


def encoded(rules: Operators, case: Case) -> Any:
    """What becomes of the piece, and whether it counted."""
    piece = Piece(PHASES[case.phase], *map(z3.IntVal, (case.tries, case.after, _NUMBERS[case.worker])))
    by, now = z3.IntVal(_NUMBERS[case.event.worker]), z3.IntVal(case.now)
    if isinstance(case.event, code.Take):
        after, done = taken(rules, piece, by, now)
    else:
        pause = max(case.event.pause, code.pause_after(case.tries)) if isinstance(case.event, code.Failed) else 0
        said = {code.Sent: IS_SENT, code.Lost: IS_LOST, code.Failed: HAS_FAILED}[type(case.event)]
        after, done = told(rules, piece, said, by, z3.IntVal(code.MOST_TRIES), now + pause)
    return (*map(value, after), value(done), True)


def run(case: Case) -> Any:
    """And what is sent, where to and for whom stays."""
    route = code.Route("c", "a", "t")
    known = code.Piece("s", route, "body", "trace", case.phase, case.tries, case.after, case.worker)
    after, done = code.step(known, case.event, case.now)
    return str(after.phase), after.tries, after.after, _NUMBERS[after.worker], done, after[:4] == known[:4]


def encoded_crash(rules: Operators, due: bool) -> Any:  # noqa: FBT001  a case
    """What is there when a worker dies that was given a piece, if it was due."""
    piece, now = Piece(WAITING, z3.IntVal(0), z3.IntVal(5), z3.IntVal(0)), z3.IntVal(5 if due else 4)
    after, done = taken(rules, piece, z3.IntVal(1), now)
    return value(done), value(choose(done, rules.crashes(after), piece).phase)


def run_crash(due: bool) -> Any:  # noqa: FBT001
    """A worker that dies as soon as it has its answer: nothing that was not committed stays."""
    disk = {"k": code.Piece("s", code.Route("c", "a", "t"), "body", "trace", after=5)}
    written: dict[str, code.Piece] = {}
    operation, answer, now = store.take("a", 5 if due else 4), None, 5 if due else 4
    found: Any = None
    try:
        while True:
            asked: Any = operation.send(answer)
            answer = ("k", disk["k"]) if isinstance(asked, Next) and disk["k"].after <= now else None
            written |= {asked.key: asked.value} if isinstance(asked, Write) else {}
            disk |= written if isinstance(asked, Commit) else {}
    except StopIteration as end:
        found = end.value
    return found is not None, str(disk["k"].phase)
