"""Theory of replay marks, for any number of executors with one store, and clocks within the allowed skew. The rules are
in `_marks`.

One arbitrary action. `time` is what the slowest clock says, so that every other says at most `skew` more. Executors mark, act and finish as they like, are held up for any time in
between, and die. How many were told to go on and have not acted yet is counted, and how often it happened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.executor import accept
from remit.executor import executor as executor_module
from remit.executor.effects.adapter import EffectDone
from remit.executor.replay import memory as code
from remit.models.explore.model import Patch
from remit.models.explore.worlds import _signed as there
from remit.models.proofs.solver import choose, value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random

    from remit.executor.accepted_request import Accepted


STATE, STATE_VALUES = z3.EnumSort("State", [str(one) for one in code.State])
STATES = dict(zip(code.State, STATE_VALUES, strict=True))
STARTED = STATES[code.State.STARTED]


class ActionRecord(NamedTuple):
    """The store's record of the action."""

    there: Term
    owner: Term
    state: Term
    expires: Term


class ReportedEnd(NamedTuple):
    """The reported end of an action, and the reporter."""

    owner: Term
    state: Term


def marks(kept: ActionRecord, expires: Term, now: Term) -> Term:
    """Return whether a mark is made."""
    return z3.And(z3.Not(kept.there), expires > now)


def forgets(kept: ActionRecord, now: Term) -> Term:
    """Return whether a mark may be removed."""
    return z3.And(kept.there, kept.expires <= now, kept.state != STARTED)


def finishes(kept: ActionRecord, ended: ReportedEnd) -> Term:
    """Return whether an end is recorded."""
    return z3.And(kept.there, kept.state == STARTED, kept.owner == ended.owner, ended.state != STARTED)


def asked_at(now: Term, skew: Term) -> Term:
    """Return the time by which an executor removes marks, which the slowest clock must have reached."""
    return now - skew


def goes_on(marked: Term) -> Term:
    """Return whether an executor acts after it asked for a mark."""
    return marked


class MarkRules(NamedTuple):
    """The rules."""

    marks: Callable[[ActionRecord, Term, Term], Term] = marks
    forgets: Callable[[ActionRecord, Term], Term] = forgets
    finishes: Callable[[ActionRecord, ReportedEnd], Term] = finishes
    asked_at: Callable[[Term, Term], Term] = asked_at
    goes_on: Callable[[Term], Term] = goes_on


def marked(rules: MarkRules, kept: ActionRecord, owner: Term, expires: Term, now: Term) -> tuple[ActionRecord, Term]:
    """Return the record after an attempt to mark it."""
    done = rules.marks(kept, expires, now)
    new = ActionRecord(z3.BoolVal(True), owner, STARTED, expires)
    return choose(done, new, kept), done


def forgotten(rules: MarkRules, kept: ActionRecord, now: Term) -> tuple[ActionRecord, Term]:
    """Return the record after a clean-up."""
    done = rules.forgets(kept, now)
    return kept._replace(there=z3.And(kept.there, z3.Not(done))), done


def finished(rules: MarkRules, kept: ActionRecord, ended: ReportedEnd) -> tuple[ActionRecord, Term]:
    """Return the record after an end was reported."""
    done = rules.finishes(kept, ended)
    return kept._replace(state=z3.If(done, ended.state, kept.state)), done


class MarkCase(NamedTuple):
    """What is known, an event and the time."""

    known: code.Marked | None
    event: code.Event
    now: int


def sample(random: Random) -> MarkCase:
    """Whatever is known, and any event."""
    who, states = random.choice, tuple(code.State)
    known = code.Marked(who("ab"), who(states), random.randint(1, 3)) if random.random() < 0.7 else None
    event = who((code.Mark(who("ab"), random.randint(1, 3)), code.Finish(who("ab"), who(states)), code.Forget()))
    return MarkCase(known, event, random.randint(0, 4))


def encoded(rules: MarkRules, case: MarkCase) -> Any:
    """What is remembered then, and whether the event took effect."""
    owner, state, expires = case.known or ("", code.State.STARTED, 0)
    kept = ActionRecord(z3.BoolVal(case.known is not None), z3.StringVal(owner), STATES[state], z3.IntVal(expires))
    now = z3.IntVal(case.now)
    match case.event:
        case code.Mark(owner, expires):
            after, done = marked(rules, kept, z3.StringVal(owner), z3.IntVal(expires), now)
        case code.Finish(owner, state):
            after, done = finished(rules, kept, ReportedEnd(z3.StringVal(owner), STATES[state]))
        case _:
            after, done = forgotten(rules, kept, now)
    return tuple(map(value, after)) if value(after.there) else None, value(done)


def run(case: MarkCase) -> Any:
    """Return the code's answer."""
    after, done = code.step(case.known, case.event, case.now)
    return None if after is None else (True, after.owner, str(after.state), after.expires), done


class Clocks(NamedTuple):
    """The clock of an executor, and the allowed skew."""

    now: int
    skew: int


def sample_clocks(random: Random) -> Clocks:
    """Any clock."""
    return Clocks(random.randint(1000, 2000), random.randint(0, 9))


def encoded_clocks(rules: MarkRules, case: Clocks) -> Any:
    """Return the time by which marks are removed."""
    return value(rules.asked_at(z3.IntVal(case.now), z3.IntVal(case.skew)))


def run_clocks(case: Clocks) -> Any:
    """Return the code's answer."""
    memory: Any = SimpleNamespace(forget=lambda now: now)
    nothing: Any = None
    known = accept.ExecutorConfiguration({}, {}, {}, "", nothing, nothing, 30, case.skew, nothing, nothing)
    return executor_module.Executor("e", known, memory, nothing, {}, lambda: case.now).forget()


@cache
def _presented() -> tuple[accept.ExecutorConfiguration, accept.Presented]:
    """Return an acceptable request, from the explorer's model `acceptance`."""
    return there.known(), there.presentings()[there.Presenting("plain", (0, "plain", 0), (1, "plain", 0))]


def encoded_going(rules: MarkRules, marked: bool) -> Any:  # noqa: FBT001  a case
    """Return whether an executor acts after this answer."""
    return value(rules.goes_on(z3.BoolVal(marked)))


def run_going(marked: bool) -> Any:  # noqa: FBT001
    """Run an executor whose store gives this answer."""
    known, presented = _presented()
    happened: list[str] = []
    memory: Any = SimpleNamespace(advance=lambda epoch: epoch, mark=lambda *_: marked, finish=lambda *_: None)
    log: Any = SimpleNamespace(append=lambda *_, **__: None)

    def happen(accepted: Accepted) -> EffectDone:
        happened.append(accepted.action_id)
        return EffectDone("sent")

    effect: Any = SimpleNamespace(happen=happen)
    executor = executor_module.Executor("e", known, memory, log, {"SendMessage": effect}, lambda: there.CLOCK[0])
    asyncio.run(executor.act(presented))
    return bool(happened)


_EVENT, _EVENTS = z3.EnumSort("Event", ["marks", "acts", "finishes", "forgets", "dies", "waits"])
_MARKS, _ACTS, _FINISHES, _FORGETS, _DIES, _ = _EVENTS


class MarkState(NamedTuple):
    """The store, the executors about to act, how often it happened, and the time of the slowest clock."""

    kept: ActionRecord
    going: Term
    happened: Term
    time: Term


_EXPIRES, _SKEW = z3.Ints("expires skew")


def _any(name: str) -> MarkState:
    there, owner = z3.Bool(f"there{name}"), z3.Int(f"owner{name}")
    kept = ActionRecord(there, owner, z3.Const(f"state{name}", STATE), _EXPIRES)
    return MarkState(kept, *z3.Ints(f"going{name} happened{name} time{name}"))


def _holds(world: MarkState) -> Term:
    """At most one goes or went on; and when it did and its mark is gone, it is too late for another."""
    once = world.going + world.happened
    late = z3.Or(world.kept.there, once == 0, world.time >= _EXPIRES)
    return z3.And(world.going >= 0, world.happened >= 0, once <= 1, late)


def _told(name: str, world: MarkState) -> Told:
    return (
        (f"the time {name}", world.time), (f"marked {name}", world.kept.there), (f"about to act {name}", world.going),
        (f"happened {name}", world.happened),
    )  # fmt: skip


def _after(rules: MarkRules, world: MarkState, event: Term, reading: Term, who: Term, end: Term) -> MarkState:
    """Return the world after an event of an executor whose clock reads `reading`."""
    put, done = marked(rules, world.kept, who, _EXPIRES, reading)
    gone, _ = forgotten(rules, world.kept, rules.asked_at(reading, _SKEW))
    over, _ = finished(rules, world.kept, ReportedEnd(who, end))
    after = world.kept
    for when, what in ((event == _MARKS, put), (event == _FORGETS, gone), (event == _FINISHES, over)):
        after = choose(when, what, after)
    more = z3.If(z3.And(event == _MARKS, rules.goes_on(done)), 1, 0)
    acts, dies = z3.And(event == _ACTS, world.going > 0), z3.And(event == _DIES, world.going > 0)
    going = world.going + more - z3.If(z3.Or(acts, dies), 1, 0)
    return MarkState(after, going, world.happened + z3.If(acts, 1, 0), z3.Int("time after"))


def _at_most_once(rules: MarkRules) -> Iterator[Claim]:
    """Any event of any executor, at any time from the last on."""
    world, event, end = _any(""), z3.Const("event", _EVENT), z3.Const("end", STATE)
    reading, who = z3.Ints("reading who")
    after = _after(rules, world, event, reading, who, end)
    first = MarkState(ActionRecord(z3.BoolVal(False), who, end, _EXPIRES), z3.IntVal(0), z3.IntVal(0), world.time)
    clocks = (_SKEW >= 0, world.time <= after.time, after.time <= reading, reading <= after.time + _SKEW)
    happens = (("the mark is kept until", _EXPIRES), ("clocks differ by", _SKEW), ("an executor", event), ("its clock says", reading))  # fmt: skip
    yield from induction(
        State(_holds(first), _told("at first", first)), State(_holds(world), (*_told("before", world), *happens)),
        State(_holds(after), _told("after", after)), given=clocks, seen=z3.And(event != _EVENTS[-1], world.happened == 1),
    )  # fmt: skip
    told = _told("", world)
    yield Claim("so", (_holds(world),), world.happened > 0, world.happened <= 1, told)


def _never_replaced(rules: MarkRules) -> Iterator[Claim]:
    kept = _any("").kept
    who, until, now = z3.Ints("who until now")
    after, done = marked(rules, kept, who, until, now)
    told = (("marked by", kept.owner), ("another", who), ("marked then by", after.owner), ("it goes on", done))
    yield Claim("a second mark", (), kept.there, z3.And(z3.Not(done), *(a == b for a, b in zip(after, kept, strict=True))), told)  # fmt: skip
    yield Claim("a mark too late", (), until <= now, z3.Not(done), told)


def _ends(rules: MarkRules) -> Iterator[Claim]:
    kept = _any("").kept
    who, now = z3.Ints("who now")
    end = z3.Const("end", STATE)
    after, done = finished(rules, kept, ReportedEnd(who, end))
    told = (("marked by", kept.owner), ("its state", kept.state), ("who says", who), ("that it is", end), ("its state then", after.state))  # fmt: skip
    yield Claim("somebody else", (), kept.owner != who, z3.And(z3.Not(done), after.state == kept.state), told)
    yield Claim("an end", (), z3.And(kept.there, kept.state != STARTED), z3.And(z3.Not(done), after.state == kept.state), told)  # fmt: skip
    yield Claim("its owner", (), done, z3.And(kept.owner == who, after.state == end), told)
    left, gone = forgotten(rules, kept, now)
    yield Claim("one without an end", (), z3.And(kept.there, kept.state == STARTED), z3.And(left.there, z3.Not(gone)), told)  # fmt: skip


_THEOREMS = (
    Theorem("at-most-once-by-any-executors", "no action happens twice, for any number of executors, delays and crashes, and for clocks within the allowed difference",
            _at_most_once),
    Theorem("a-mark-is-never-replaced", "an executor that marks second, or too late, changes nothing and does not continue", _never_replaced),
    Theorem("an-end-is-its-owners-and-final", "only the executor that marked an action records its outcome, once; a mark without an outcome is never deleted", _ends),
)  # fmt: skip


class _Rash(executor_module.Executor):
    """An executor that acts whether it marked or not."""

    def _begin(self, accepted: Any) -> str:
        super()._begin(accepted)
        return ""


class _Hasty(executor_module.Executor):
    """An executor that removes marks by its own clock."""

    def forget(self) -> int:
        return self._memory.forget(int(self._clock()))


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("marks over a mark", "a-mark-is-never-replaced", "marks", lambda _, expires, now: expires > now),
        Mutant("marks at any time", "at-most-once-by-any-executors", "marks", lambda kept, _expires, _now: z3.Not(kept.there)),
        Mutant("forgets when it likes", "at-most-once-by-any-executors", "forgets", lambda kept, _: z3.And(kept.there, kept.state != STARTED)),
        Mutant("forgets what has no end", "an-end-is-its-owners-and-final", "forgets", lambda kept, now: z3.And(kept.there, kept.expires <= now)),
        Mutant("lets anybody say how it ended", "an-end-is-its-owners-and-final", "finishes",
            lambda kept, ended: z3.And(kept.there, kept.state == STARTED, ended.state != STARTED)),
        Mutant("forgets by its own clock alone", "at-most-once-by-any-executors", "asked_at", lambda now, _: now),
        Mutant("acts whether it marked or not", "at-most-once-by-any-executors", "goes_on", lambda _: z3.BoolVal(True)),
    )  # fmt: skip
    planted = (Planted("marks over marks", Patch(code, "step",
        lambda real: lambda known, event, now: real(None if isinstance(event, code.Mark) else known, event, now))), Planted("marks at any time", Patch(code, "step",
        lambda real: lambda known, event, now: real(known, event, 0 if isinstance(event, code.Mark) else now))))  # fmt: skip
    rash = Planted("acts without a mark", Patch(executor_module, "Executor", lambda _: _Rash))
    hasty = Planted("forgets by its own clock", Patch(executor_module, "Executor", lambda _: _Hasty))
    return Theory(
        "marks", "what is marked happens at most once, for any number of executors", MarkRules(), _THEOREMS, mutants,
        (
            Tie("the life of a mark", encoded, run, sample, planted, samples=120),
            Tie("when marks go", encoded_clocks, run_clocks, sample_clocks, (hasty,), samples=3),
            Tie("who acts", encoded_going, run_going, lambda random: random.random() < 0.5, (rash,), lambda: (False, True), samples=0),
        ),
    )  # fmt: skip
