"""The rules of marks (`executor/replay/memory.py`, `executor/acting.py`) for a solver, and beside them the code, asked the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.executor import accept, acting
from remit.executor.effects.form import Done
from remit.executor.replay import memory as code
from remit.models.explore.worlds import _signed as there
from remit.models.proofs.solving import choose, value

if TYPE_CHECKING:
    from random import Random

    from remit.executor.accepted import Accepted
    from remit.models.proofs.theory import Term

STATE, STATE_VALUES = z3.EnumSort("State", [str(one) for one in code.State])
STATES = dict(zip(code.State, STATE_VALUES, strict=True))
STARTED = STATES[code.State.STARTED]


class Kept(NamedTuple):
    """What the memory has of the action."""

    there: Term
    owner: Term
    state: Term
    expires: Term


class Ended(NamedTuple):
    """Who says that it ended, and how."""

    owner: Term
    state: Term


def marks(kept: Kept, expires: Term, now: Term) -> Term:
    """Whether a mark is made."""
    return z3.And(z3.Not(kept.there), expires > now)


def forgets(kept: Kept, now: Term) -> Term:
    """Whether a mark may go."""
    return z3.And(kept.there, kept.expires <= now, kept.state != STARTED)


def finishes(kept: Kept, ended: Ended) -> Term:
    """Whether an end is written down."""
    return z3.And(kept.there, kept.state == STARTED, kept.owner == ended.owner, ended.state != STARTED)


def asked_at(now: Term, skew: Term) -> Term:
    """By which time an executor lets marks go: when the slowest clock says so too."""
    return now - skew


def goes_on(marked: Term) -> Term:
    """Whether an executor acts after it asked for a mark."""
    return marked


class Operators(NamedTuple):
    """The rules."""

    marks: Callable[[Kept, Term, Term], Term] = marks
    forgets: Callable[[Kept, Term], Term] = forgets
    finishes: Callable[[Kept, Ended], Term] = finishes
    asked_at: Callable[[Term, Term], Term] = asked_at
    goes_on: Callable[[Term], Term] = goes_on


def marked(rules: Operators, kept: Kept, owner: Term, expires: Term, now: Term) -> tuple[Kept, Term]:
    """After somebody wanted to mark it."""
    done = rules.marks(kept, expires, now)
    new = Kept(z3.BoolVal(True), owner, STARTED, expires)
    return choose(done, new, kept), done


def forgotten(rules: Operators, kept: Kept, now: Term) -> tuple[Kept, Term]:
    """After room was wanted."""
    done = rules.forgets(kept, now)
    return kept._replace(there=z3.And(kept.there, z3.Not(done))), done


def finished(rules: Operators, kept: Kept, ended: Ended) -> tuple[Kept, Term]:
    """After somebody said how it ended."""
    done = rules.finishes(kept, ended)
    return kept._replace(state=z3.If(done, ended.state, kept.state)), done


class Case(NamedTuple):
    """What is known, an event and the time."""

    known: code.Marked | None
    event: code.Event
    now: int


def sample(random: Random) -> Case:
    """Whatever is known, and any event."""
    who, states = random.choice, tuple(code.State)
    known = code.Marked(who("ab"), who(states), random.randint(1, 3)) if random.random() < 0.7 else None
    event = who((code.Mark(who("ab"), random.randint(1, 3)), code.Finish(who("ab"), who(states)), code.Forget()))
    return Case(known, event, random.randint(0, 4))


def encoded(rules: Operators, case: Case) -> Any:
    """What is remembered then, and whether the event took effect."""
    owner, state, expires = case.known or ("", code.State.STARTED, 0)
    kept = Kept(z3.BoolVal(case.known is not None), z3.StringVal(owner), STATES[state], z3.IntVal(expires))
    now = z3.IntVal(case.now)
    match case.event:
        case code.Mark(owner, expires):
            after, done = marked(rules, kept, z3.StringVal(owner), z3.IntVal(expires), now)
        case code.Finish(owner, state):
            after, done = finished(rules, kept, Ended(z3.StringVal(owner), STATES[state]))
        case _:
            after, done = forgotten(rules, kept, now)
    return tuple(map(value, after)) if value(after.there) else None, value(done)


def run(case: Case) -> Any:
    """What the code says."""
    after, done = code.step(case.known, case.event, case.now)
    return None if after is None else (True, after.owner, str(after.state), after.expires), done


class Clocks(NamedTuple):
    """What an executor's clock says, and how far clocks may differ."""

    now: int
    skew: int


def sample_clocks(random: Random) -> Clocks:
    """Any clock."""
    return Clocks(random.randint(1000, 2000), random.randint(0, 9))


def encoded_clocks(rules: Operators, case: Clocks) -> Any:
    """By what time marks go."""
    return value(rules.asked_at(z3.IntVal(case.now), z3.IntVal(case.skew)))


def run_clocks(case: Clocks) -> Any:
    """What the code says."""
    memory: Any = SimpleNamespace(forget=lambda now: now)
    nothing: Any = None
    known = accept.Known({}, {}, {}, "", nothing, nothing, 30, case.skew, nothing, nothing)
    return acting.Executor("e", known, memory, nothing, {}, lambda: case.now).forget()


@cache
def _presented() -> tuple[accept.Known, accept.Presented]:
    """Something that is accepted, from the world of the explorer's model `acceptance`."""
    return there.known(), there.presentings()[there.Presenting("plain", (0, "plain", 0), (1, "plain", 0))]


def encoded_going(rules: Operators, marked: bool) -> Any:  # noqa: FBT001  a case
    """Whether an executor acts that was told so."""
    return value(rules.goes_on(z3.BoolVal(marked)))


def run_going(marked: bool) -> Any:  # noqa: FBT001
    """An executor whose memory says so, from what is presented to what happens."""
    known, presented = _presented()
    happened: list[str] = []
    memory: Any = SimpleNamespace(advance=lambda epoch: epoch, mark=lambda *_: marked, finish=lambda *_: None)
    log: Any = SimpleNamespace(append=lambda *_, **__: None)

    def happen(accepted: Accepted) -> Done:
        happened.append(accepted.action_id)
        return Done("sent")

    effect: Any = SimpleNamespace(happen=happen)
    executor = acting.Executor("e", known, memory, log, {"SendMessage": effect}, lambda: there.CLOCK[0])
    asyncio.run(executor.act(presented))
    return bool(happened)
