"""Theory of device requests, for any number of requests, approvals and attempts. The rules are in `_requests`.

One arbitrary request among all; every event names the request that it is for. Besides the request, two things are written down as they really were: whether a person
approved exactly this request with exactly its content, in time; and how often it ran.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound.nodes import runs as code
from remit.gateway.inbound.stores.operations import Read, Write
from remit.models.explore.model import Patch
from remit.models.proofs.solver import choose, value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random


PHASE, _PHASE_VALUES = z3.EnumSort("RunPhase", [str(one) for one in code.RunPhase])
PHASES = dict(zip(code.RunPhase, _PHASE_VALUES, strict=True))
WAITING, READY, RUNNING, _DONE, DENIED, _UNKNOWN = (PHASES[one] for one in code.RunPhase)
_KINDS = (code.Ask, code.Approve, code.Deny, code.RunSent, code.RunDone, code.RunLost)
KIND, _KIND_VALUES = z3.EnumSort("Kind", [one.__name__.lower() for one in _KINDS])
ASK, APPROVE, _DENY, RUN, _IS_DONE, IS_LOST = _KIND_VALUES


class Request(NamedTuple):
    """A stored request."""

    there: Term
    digest: Term
    until: Term
    phase: Term


class Event(NamedTuple):
    """An event: its request, content and time."""

    kind: Term
    name: Term
    digest: Term
    wants: Term  # asking: a person must approve
    allowed: Term  # running: the settings let it at this moment
    now: Term


def concerns(event: Event, name: Term) -> Term:
    """Return whether an event is for a request."""
    return event.name == name


def approves(request: Request, event: Event) -> Term:
    """Return whether an approval counts."""
    return z3.And(event.now < request.until, request.phase == WAITING, event.digest == request.digest)


def runs(request: Request, event: Event) -> Term:
    """Return whether it is sent to a device."""
    in_time = z3.And(event.now < request.until, request.phase == READY)
    return z3.And(in_time, event.digest == request.digest, event.allowed)


def others(request: Request, kind: Term) -> Term:
    """Return its phase after a denial, an answer or a loss."""
    open_, running = z3.Or(request.phase == WAITING, request.phase == READY), request.phase == RUNNING
    denied = z3.If(z3.And(kind == _DENY, open_), DENIED, request.phase)
    done = z3.If(z3.And(kind == _IS_DONE, running), _DONE, denied)
    return z3.If(z3.And(kind == IS_LOST, running), _UNKNOWN, done)


def asks(request: Request, event: Event) -> Request:
    """Return what is stored after a request: an existing one under the same name stays."""
    new = Request(z3.BoolVal(True), event.digest, event.now + code.LIFETIME, z3.If(event.wants, WAITING, READY))
    return choose(request.there, request, new)


class RequestRules(NamedTuple):
    """The rules."""

    concerns: Callable[[Event, Term], Term] = concerns
    approves: Callable[[Request, Event], Term] = approves
    runs: Callable[[Request, Event], Term] = runs
    others: Callable[[Request, Term], Term] = others
    asks: Callable[[Request, Event], Request] = asks


def step(rules: RequestRules, name: Term, request: Request, event: Event) -> tuple[Request, Term]:
    """Return what is stored after an event, and whether the event runs the request."""
    mine, known = rules.concerns(event, name), request.there
    run = z3.And(mine, known, event.kind == RUN, rules.runs(request, event))
    phase = z3.If(
        z3.And(event.kind == APPROVE, rules.approves(request, event)), READY, rules.others(request, event.kind)
    )
    told = request._replace(phase=z3.If(run, RUNNING, phase))
    after = choose(event.kind == ASK, rules.asks(request, event), choose(known, told, request))
    return choose(mine, after, request), run


class RequestCase(NamedTuple):
    """Events for two names, with their times."""

    events: tuple[tuple[str, code.RunEvent, int], ...]


def sample(random: Random) -> RequestCase:
    """Somebody asks twice, and then whatever happens."""
    pick, late = random.choice, code.LIFETIME

    def event(at: int) -> code.RunEvent:
        digest = pick("ddde")
        told = (
            code.Approve(digest, "p"),
            code.RunSent(digest, random.random() < 0.8),
            code.RunDone(),
            code.Deny(),
            code.RunLost(),
        )
        return code.Ask("device", "command", digest, random.random() < 0.7) if at < 2 else pick((*told[:2], *told))

    times = sorted(pick((0, 1, late - 1, late, late + 1)) if at > 1 else 0 for at in range(7))
    return RequestCase(tuple((pick("xxy"), event(at), now) for at, now in enumerate(times)))


def every() -> Iterator[RequestCase]:
    """What was sent is sent again: while it runs, when it was lost, and when it was done. And what may not be sent: other content, too late, or against the settings."""
    ask, run = code.Ask("device", "command", "d", approval=False), code.RunSent("d", allowed=True)
    for between in ((run,), (run, code.RunLost()), (run, code.RunDone()), (code.RunSent("e", allowed=True),)):
        yield RequestCase(tuple(("x", event, 0) for event in (ask, *between, run)))
    over = code.LIFETIME
    for last in ((code.RunSent("d", allowed=False), 0), (run, over), (run, over - 1), (code.Approve("d", "p"), over)):
        yield RequestCase((("x", ask._replace(approval=isinstance(last[0], code.Approve)), 0), ("x", *last)))


def _number(letter: str) -> Term:
    """Names and contents are numbers here: nothing is done with them but to compare them."""
    return z3.IntVal(ord(letter) if letter else 0)


@cache
def _then(rules: RequestRules, one: str, kept: tuple[Any, ...], told: tuple[Any, ...]) -> tuple[tuple[Any, ...], bool]:
    """What the operators make of a request, in values."""
    there, digest, until, phase = kept
    kind, name, content, wants, allowed, now = told
    request = Request(z3.BoolVal(there), z3.IntVal(digest), z3.IntVal(until), PHASES[code.RunPhase(phase)])
    truths = z3.BoolVal(wants), z3.BoolVal(allowed)
    event = Event(_KIND_VALUES[kind], _number(name), _number(content), *truths, z3.IntVal(now))
    after, ran = step(rules, _number(one), request, event)
    return tuple(map(value, after)), value(ran)


def encoded(rules: RequestRules, case: RequestCase) -> Any:
    """Both requests, after each event, and which ran."""
    kept: dict[str, tuple[Any, ...]] = dict.fromkeys("xy", (False, 0, 0, str(code.RunPhase.WAITING)))
    found = []
    for name, event, now in case.events:
        truths = (bool(getattr(event, field, False)) for field in ("approval", "allowed"))
        told = (_KINDS.index(type(event)), name, getattr(event, "digest", ""), *truths, now)
        for one in tuple(kept):
            after, ran = _then(rules, one, kept[one], told)
            kept[one] = after
            found.append((after if after[0] else None, ran))
    return tuple(found)


def run(case: RequestCase) -> Any:
    """Return the code's answer."""
    kept: dict[str, code.Request] = {}
    found = []
    for name, event, now in case.events:
        before = dict(kept)
        refused = _apply(kept, code.apply(name, event, now))
        for one in "xy":
            request = kept.get(one)
            run = not refused and isinstance(event, code.RunSent) and request != before.get(one)
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


class RequestHistory(NamedTuple):
    """A request, and what really happened to it."""

    request: Request
    wants: Term  # whether it was asked for as one that a person must approve
    approved: Term
    ran: Term


_NAME = z3.Int("its name")


def _event() -> Event:
    return Event(
        z3.Const("kind", KIND), z3.Int("name"), z3.Int("event digest"), z3.Bool("wants"), z3.Bool("allowed"), z3.Int("now")
    )  # fmt: skip


def _any() -> RequestHistory:
    request = Request(z3.Bool("there"), z3.Int("digest"), z3.Int("until"), z3.Const("phase", PHASE))
    return RequestHistory(request, z3.Bool("wanted"), z3.Bool("approved"), z3.Int("ran"))


def _next(rules: RequestRules, seen: RequestHistory, event: Event) -> tuple[RequestHistory, Term]:
    after, run = step(rules, _NAME, seen.request, event)
    mine, known = event.name == _NAME, seen.request.there
    asked = z3.And(mine, event.kind == ASK, z3.Not(known))
    word = z3.And(
        mine, known, event.kind == APPROVE, event.digest == seen.request.digest, event.now < seen.request.until
    )
    return RequestHistory(
        after, z3.If(asked, event.wants, seen.wants), z3.Or(seen.approved, word), seen.ran + z3.If(run, 1, 0)
    ), run


def _holds(seen: RequestHistory) -> Term:
    """What waits, is ready or denied did not run; what is ready, or ran, was approved if it had to be; what runs or ran did so once."""
    there, phase = seen.request.there, seen.request.phase
    before = z3.Or(z3.Not(there), phase == WAITING, phase == READY, phase == DENIED)
    word = z3.Or(z3.Not(there), z3.Not(seen.wants), seen.approved, phase == WAITING, phase == DENIED)
    return z3.And(seen.ran >= 0, seen.ran <= 1, z3.Implies(before, seen.ran == 0), word)


def _told(name: str, seen: RequestHistory) -> Told:
    return (
        (f"there {name}", seen.request.there), (f"the request {name}", seen.request.phase), (f"approved, it and this content, {name}", seen.approved), (f"ran {name}", seen.ran),
    )  # fmt: skip


def _steps(rules: RequestRules) -> Iterator[Claim]:
    """The induction on which all rests."""
    world, event = _any(), _event()
    after, run = _next(rules, world, event)
    new = RequestHistory(world.request._replace(there=z3.BoolVal(False)), world.wants, z3.BoolVal(False), z3.IntVal(0))
    happens = (
        ("its name", _NAME),
        ("its content", world.request.digest),
        ("an event", event.kind),
        ("for", event.name),
        ("with", event.digest),
    )
    before = State(_holds(world), (*_told("before", world), *happens))
    first = State(_holds(new), _told("at first", new))
    yield from induction(first, before, State(_holds(after), _told("after", after)), seen=z3.And(run, world.wants))


def _bound(rules: RequestRules) -> Iterator[Claim]:
    """It runs under its own name, with its own content, in time, approved if it must be."""
    yield from _steps(rules)
    world, event = _any(), _event()
    _, run = _next(rules, world, event)
    request = world.request
    word = z3.Implies(world.wants, world.approved)
    same = z3.And(event.name == _NAME, event.digest == request.digest, event.now < request.until, event.allowed)
    told = (
        *_told("", world),
        ("its content", request.digest),
        ("what is sent", event.digest),
        ("until", request.until),
        ("now", event.now),
    )
    yield Claim("it is run", (_holds(world),), run, z3.And(word, same, request.there), told, seen=world.wants)


def _once(rules: RequestRules) -> Iterator[Claim]:
    yield from _steps(rules)
    world, event = _any(), _event()
    after, run = _next(rules, world, event)
    yield Claim("it is run", (_holds(world),), run, z3.And(world.ran == 0, after.ran == 1), _told("", world))


def _stays(rules: RequestRules) -> Iterator[Claim]:
    """What was asked under a name is not replaced; and events for others change nothing."""
    world, event = _any(), _event()
    after, run = step(rules, _NAME, world.request, event)
    told = (
        ("its content", world.request.digest),
        ("an event", event.kind),
        ("with", event.digest),
        ("its content then", after.digest),
    )
    stays = z3.And(after.there, after.digest == world.request.digest, after.until == world.request.until)
    yield Claim("an event", (), world.request.there, stays, told, seen=event.kind == ASK)
    same = z3.And(*(one == other for one, other in zip(after, world.request, strict=True)), z3.Not(run))
    yield Claim(
        "an event for another",
        (),
        event.name != _NAME,
        same,
        told,
        seen=z3.And(event.kind == APPROVE, world.request.there),
    )
    final = z3.And(world.request.there, world.request.phase == DENIED)
    yield Claim(
        "what a person denied", (), final, z3.And(after.phase == DENIED, z3.Not(run)), told, seen=event.kind == RUN
    )


_THEOREMS = (
    Theorem("bound-to-its-own-name-and-content", "among any number of requests, one runs only by an approval of its own name and content, in time",
            _bound),
    Theorem("runs-at-most-once-among-any-number", "among any number of requests, each runs at most once, however often it is tried", _once),
    Theorem("nothing-for-others-changes-it", "a request keeps its content, a denial is final, and no operation on another request changes it", _stays),
)  # fmt: skip


def _any_content(real: Callable[..., Any]) -> Callable[..., Any]:
    def spoiled(known: Any, event: Any, now: int) -> Any:
        return real(
            known, event._replace(digest=known.digest) if known and isinstance(event, code.RunSent) else event, now
        )

    return spoiled


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("takes an approval for any request", "bound-to-its-own-name-and-content", "concerns", lambda _event, _name: z3.BoolVal(True)),
        Mutant("takes what is for any request", "nothing-for-others-changes-it", "concerns", lambda _event, _name: z3.BoolVal(True)),
        Mutant("approves any content", "bound-to-its-own-name-and-content", "approves",
            lambda request, event: z3.And(event.now < request.until, request.phase == WAITING)),
        Mutant("approves when its time is over", "bound-to-its-own-name-and-content", "approves",
            lambda request, event: z3.And(request.phase == WAITING, event.digest == request.digest)),
        Mutant("runs any content", "bound-to-its-own-name-and-content", "runs",
            lambda request, event: z3.And(event.now < request.until, request.phase == READY, event.allowed)),
        Mutant("runs what waits", "bound-to-its-own-name-and-content", "runs",
            lambda request, event: z3.And(event.now < request.until, z3.Or(request.phase == READY, request.phase == WAITING),
                                          event.digest == request.digest, event.allowed)),
        Mutant("runs again what is lost", "runs-at-most-once-among-any-number", "others",
            lambda request, kind: z3.If(z3.And(kind == IS_LOST, request.phase == RUNNING), READY, others(request, kind))),
        Mutant("runs what runs", "runs-at-most-once-among-any-number", "runs",
            lambda request, event: z3.And(event.now < request.until, z3.Or(request.phase == READY, request.phase == RUNNING),
                                          event.digest == request.digest, event.allowed)),
        Mutant("asks over what is there", "nothing-for-others-changes-it", "asks",
            lambda _, event: Request(z3.BoolVal(True), event.digest, event.now + code.LIFETIME, z3.If(event.wants, WAITING, READY))),
    )  # fmt: skip
    planted = (
        Planted("takes an approval for any request", Patch(code, "apply",
            lambda real: lambda name, event, now: real("x" if isinstance(event, code.Approve) else name, event, now))),
        Planted("compares no content when it runs", Patch(code, "step", _any_content)),
        Planted("does not look at the clock", Patch(code, "_late", lambda _: lambda *_: "")),
        Planted("waits for nobody", Patch(code, "_not_ready", lambda _: lambda known: "" if known.phase is code.RunPhase.WAITING else "X")),
    )  # fmt: skip
    return Theory(
        "requests", "requests to devices and their approvals, for any number of them", RequestRules(), _THEOREMS, mutants,
        (Tie("two requests, event by event", encoded, run, sample, planted, every, samples=12),),
    )  # fmt: skip
