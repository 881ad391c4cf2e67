"""The rules of requests to devices (`gateway/inbound/nodes/runs.py`, `store.py`) for a solver, and beside them the code, asked the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound.nodes import runs as code
from remit.gateway.inbound.nodes import store
from remit.gateway.inbound.stores.operations import Read, Write
from remit.models.proofs.solving import choose, value

if TYPE_CHECKING:
    from random import Random

    from remit.models.proofs.theory import Term

PHASE, _PHASE_VALUES = z3.EnumSort("RunPhase", [str(one) for one in code.Phase])
PHASES = dict(zip(code.Phase, _PHASE_VALUES, strict=True))
WAITING, READY, RUNNING, _DONE, DENIED, _UNKNOWN = (PHASES[one] for one in code.Phase)
_KINDS = (code.Ask, code.Approve, code.Deny, code.Run, code.Done, code.Lost)
KIND, _KIND_VALUES = z3.EnumSort("Kind", [one.__name__.lower() for one in _KINDS])
ASK, APPROVE, _DENY, RUN, _IS_DONE, IS_LOST = _KIND_VALUES


class Request(NamedTuple):
    """What is kept of a request."""

    there: Term
    digest: Term
    until: Term
    phase: Term


class Event(NamedTuple):
    """What happens: for which request, of what content, when."""

    kind: Term
    name: Term
    digest: Term
    wants: Term  # asking: a person must approve
    allowed: Term  # running: the settings let it at this moment
    now: Term


def concerns(event: Event, name: Term) -> Term:
    """Whether an event is for a request."""
    return event.name == name


def approves(request: Request, event: Event) -> Term:
    """Whether an approval counts."""
    return z3.And(event.now < request.until, request.phase == WAITING, event.digest == request.digest)


def runs(request: Request, event: Event) -> Term:
    """Whether a device is sent it."""
    in_time = z3.And(event.now < request.until, request.phase == READY)
    return z3.And(in_time, event.digest == request.digest, event.allowed)


def others(request: Request, kind: Term) -> Term:
    """What it becomes by a denial, an answer or a loss."""
    open_, running = z3.Or(request.phase == WAITING, request.phase == READY), request.phase == RUNNING
    denied = z3.If(z3.And(kind == _DENY, open_), DENIED, request.phase)
    done = z3.If(z3.And(kind == _IS_DONE, running), _DONE, denied)
    return z3.If(z3.And(kind == IS_LOST, running), _UNKNOWN, done)


def asks(request: Request, event: Event) -> Request:
    """What is there after somebody asked: what was asked under a name stays."""
    new = Request(z3.BoolVal(True), event.digest, event.now + code.LIFETIME, z3.If(event.wants, WAITING, READY))
    return choose(request.there, request, new)


class Operators(NamedTuple):
    """The rules."""

    concerns: Callable[[Event, Term], Term] = concerns
    approves: Callable[[Request, Event], Term] = approves
    runs: Callable[[Request, Event], Term] = runs
    others: Callable[[Request, Term], Term] = others
    asks: Callable[[Request, Event], Request] = asks


def step(rules: Operators, name: Term, request: Request, event: Event) -> tuple[Request, Term]:
    """What is there of a request after an event, and whether it is run by it."""
    mine, known = rules.concerns(event, name), request.there
    run = z3.And(mine, known, event.kind == RUN, rules.runs(request, event))
    phase = z3.If(
        z3.And(event.kind == APPROVE, rules.approves(request, event)), READY, rules.others(request, event.kind)
    )
    told = request._replace(phase=z3.If(run, RUNNING, phase))
    after = choose(event.kind == ASK, rules.asks(request, event), choose(known, told, request))
    return choose(mine, after, request), run


class Case(NamedTuple):
    """Events for two names, with their times."""

    events: tuple[tuple[str, code.Event, int], ...]


def sample(random: Random) -> Case:
    """Somebody asks twice, and then whatever happens."""
    pick, late = random.choice, code.LIFETIME

    def event(at: int) -> code.Event:
        digest = pick("ddde")
        told = (
            code.Approve(digest, "p"),
            code.Run(digest, random.random() < 0.8),
            code.Done(),
            code.Deny(),
            code.Lost(),
        )
        return code.Ask("device", "command", digest, random.random() < 0.7) if at < 2 else pick((*told[:2], *told))

    times = sorted(pick((0, 1, late - 1, late, late + 1)) if at > 1 else 0 for at in range(7))
    return Case(tuple((pick("xxy"), event(at), now) for at, now in enumerate(times)))


def every() -> Iterator[Case]:
    """What was sent is sent again: while it runs, when it was lost, and when it was done. And what may not be sent: other content, too late, or against the settings."""
    ask, run = code.Ask("device", "command", "d", approval=False), code.Run("d", allowed=True)
    for between in ((run,), (run, code.Lost()), (run, code.Done()), (code.Run("e", allowed=True),)):
        yield Case(tuple(("x", event, 0) for event in (ask, *between, run)))
    over = code.LIFETIME
    for last in ((code.Run("d", allowed=False), 0), (run, over), (run, over - 1), (code.Approve("d", "p"), over)):
        yield Case((("x", ask._replace(approval=isinstance(last[0], code.Approve)), 0), ("x", *last)))


def _number(letter: str) -> Term:
    """Names and contents are numbers here: nothing is done with them but to compare them."""
    return z3.IntVal(ord(letter) if letter else 0)


@cache
def _then(rules: Operators, one: str, kept: tuple[Any, ...], told: tuple[Any, ...]) -> tuple[tuple[Any, ...], bool]:
    """What the operators make of a request, in values."""
    there, digest, until, phase = kept
    kind, name, content, wants, allowed, now = told
    request = Request(z3.BoolVal(there), z3.IntVal(digest), z3.IntVal(until), PHASES[code.Phase(phase)])
    truths = z3.BoolVal(wants), z3.BoolVal(allowed)
    event = Event(_KIND_VALUES[kind], _number(name), _number(content), *truths, z3.IntVal(now))
    after, ran = step(rules, _number(one), request, event)
    return tuple(map(value, after)), value(ran)


def encoded(rules: Operators, case: Case) -> Any:
    """Both requests, after each event, and which ran."""
    kept: dict[str, tuple[Any, ...]] = dict.fromkeys("xy", (False, 0, 0, str(code.Phase.WAITING)))
    found = []
    for name, event, now in case.events:
        truths = (bool(getattr(event, field, False)) for field in ("approval", "allowed"))
        told = (_KINDS.index(type(event)), name, getattr(event, "digest", ""), *truths, now)
        for one in tuple(kept):
            after, ran = _then(rules, one, kept[one], told)
            kept[one] = after
            found.append((after if after[0] else None, ran))
    return tuple(found)


def run(case: Case) -> Any:
    """What the code says."""
    kept: dict[str, code.Request] = {}
    found = []
    for name, event, now in case.events:
        before = dict(kept)
        refused = _apply(kept, store.apply(name, event, now))
        for one in "xy":
            request = kept.get(one)
            run = not refused and isinstance(event, code.Run) and request != before.get(one)
            found.append((request and (True, ord(request.digest), request.until, str(request.phase)), run))
    return tuple(found)


def _apply(kept: dict[str, code.Request], operation: Any) -> str:
    """An operation alone, on what is kept."""
    answer = None
    try:
        while True:
            asked = operation.send(answer)
            answer = kept.get(asked.key) if isinstance(asked, Read) else None
            if isinstance(asked, Write):
                kept[asked.key] = asked.value
    except StopIteration as end:
        return str(end.value)
