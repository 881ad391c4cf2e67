"""Marks of actions (`executor/replay/memory.py`), for any number of executors with one memory, and clocks that differ by no more than is allowed.

One arbitrary action. `time` is what the slowest clock says, so that every other says at most `skew` more. Executors mark, act and finish as they like, are held up for any time in
between, and die. How many were told to go on and have not acted yet is counted, and how often it happened.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.executor import accept, acting
from remit.executor.replay import memory as code
from remit.models.explore.patching import Patch
from remit.models.proofs.solving import choose, value
from remit.models.proofs.theory import Claim, Planted, Red, State, Theorem, Theory, Tie, induction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from random import Random

    from remit.models.proofs.theory import Term, Told

_STATE, _STATES = z3.EnumSort("State", [str(one) for one in code.State])
_S = dict(zip(code.State, _STATES, strict=True))
_STARTED = _S[code.State.STARTED]
_EVENT, _EVENTS = z3.EnumSort("Event", ["marks", "acts", "finishes", "forgets", "dies", "waits"])
_MARKS, _ACTS, _FINISHES, _FORGETS, _DIES, _ = _EVENTS


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
    return z3.And(kept.there, kept.expires <= now, kept.state != _STARTED)


def finishes(kept: Kept, ended: Ended) -> Term:
    """Whether an end is written down."""
    return z3.And(kept.there, kept.state == _STARTED, kept.owner == ended.owner, ended.state != _STARTED)


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
    new = Kept(z3.BoolVal(True), owner, _STARTED, expires)
    return choose(done, new, kept), done


def forgotten(rules: Operators, kept: Kept, now: Term) -> tuple[Kept, Term]:
    """After room was wanted."""
    done = rules.forgets(kept, now)
    return kept._replace(there=z3.And(kept.there, z3.Not(done))), done


def finished(rules: Operators, kept: Kept, ended: Ended) -> tuple[Kept, Term]:
    """After somebody said how it ended."""
    done = rules.finishes(kept, ended)
    return kept._replace(state=z3.If(done, ended.state, kept.state)), done


class World(NamedTuple):
    """The memory, who is about to act, how often it happened, and the time of the slowest clock."""

    kept: Kept
    going: Term
    happened: Term
    time: Term


_EXPIRES, _SKEW = z3.Ints("expires skew")


def _any(name: str) -> World:
    there, owner = z3.Bool(f"there{name}"), z3.Int(f"owner{name}")
    kept = Kept(there, owner, z3.Const(f"state{name}", _STATE), _EXPIRES)
    return World(kept, *z3.Ints(f"going{name} happened{name} time{name}"))


def _holds(world: World) -> Term:
    """At most one goes or went on; and when it did and its mark is gone, it is too late for another."""
    once = world.going + world.happened
    late = z3.Or(world.kept.there, once == 0, world.time >= _EXPIRES)
    return z3.And(world.going >= 0, world.happened >= 0, once <= 1, late)


def _told(name: str, world: World) -> Told:
    return (
        (f"the time {name}", world.time), (f"marked {name}", world.kept.there), (f"about to act {name}", world.going),
        (f"happened {name}", world.happened),
    )  # fmt: skip


def _after(rules: Operators, world: World, event: Term, reading: Term, who: Term, end: Term) -> World:
    """One event of whoever's clock says `reading`."""
    put, done = marked(rules, world.kept, who, _EXPIRES, reading)
    gone, _ = forgotten(rules, world.kept, rules.asked_at(reading, _SKEW))
    over, _ = finished(rules, world.kept, Ended(who, end))
    after = world.kept
    for when, what in ((event == _MARKS, put), (event == _FORGETS, gone), (event == _FINISHES, over)):
        after = choose(when, what, after)
    more = z3.If(z3.And(event == _MARKS, rules.goes_on(done)), 1, 0)
    acts, dies = z3.And(event == _ACTS, world.going > 0), z3.And(event == _DIES, world.going > 0)
    going = world.going + more - z3.If(z3.Or(acts, dies), 1, 0)
    return World(after, going, world.happened + z3.If(acts, 1, 0), z3.Int("time after"))


def _at_most_once(rules: Operators) -> Iterator[Claim]:
    """Any event of any executor, at any time from the last on."""
    world, event, end = _any(""), z3.Const("event", _EVENT), z3.Const("end", _STATE)
    reading, who = z3.Ints("reading who")
    after = _after(rules, world, event, reading, who, end)
    first = World(Kept(z3.BoolVal(False), who, end, _EXPIRES), z3.IntVal(0), z3.IntVal(0), world.time)
    clocks = (_SKEW >= 0, world.time <= after.time, after.time <= reading, reading <= after.time + _SKEW)
    happens = (("the mark is kept until", _EXPIRES), ("clocks differ by", _SKEW), ("an executor", event), ("its clock says", reading))  # fmt: skip
    yield from induction(
        State(_holds(first), _told("at first", first)), State(_holds(world), (*_told("before", world), *happens)),
        State(_holds(after), _told("after", after)), given=clocks, seen=z3.And(event != _EVENTS[-1], world.happened == 1),
    )  # fmt: skip
    told = _told("", world)
    yield Claim("so", (_holds(world),), world.happened > 0, world.happened <= 1, told)


def _never_replaced(rules: Operators) -> Iterator[Claim]:
    kept = _any("").kept
    who, until, now = z3.Ints("who until now")
    after, done = marked(rules, kept, who, until, now)
    told = (("marked by", kept.owner), ("another", who), ("marked then by", after.owner), ("it goes on", done))
    yield Claim("a second mark", (), kept.there, z3.And(z3.Not(done), *(a == b for a, b in zip(after, kept, strict=True))), told)  # fmt: skip
    yield Claim("a mark too late", (), until <= now, z3.Not(done), told)


def _ends(rules: Operators) -> Iterator[Claim]:
    kept = _any("").kept
    who, now = z3.Ints("who now")
    end = z3.Const("end", _STATE)
    after, done = finished(rules, kept, Ended(who, end))
    told = (("marked by", kept.owner), ("its state", kept.state), ("who says", who), ("that it is", end), ("its state then", after.state))  # fmt: skip
    yield Claim("somebody else", (), kept.owner != who, z3.And(z3.Not(done), after.state == kept.state), told)
    yield Claim("an end", (), z3.And(kept.there, kept.state != _STARTED), z3.And(z3.Not(done), after.state == kept.state), told)  # fmt: skip
    yield Claim("its owner", (), done, z3.And(kept.owner == who, after.state == end), told)
    left, gone = forgotten(rules, kept, now)
    yield Claim("one without an end", (), z3.And(kept.there, kept.state == _STARTED), z3.And(left.there, z3.Not(gone)), told)  # fmt: skip


_THEOREMS = (
    Theorem("at-most-once-by-any-executors", "no action happens twice, for any number of executors, hold-ups, deaths, and clocks within what is allowed",
            _at_most_once),
    Theorem("a-mark-is-never-replaced", "whoever marks second, or too late, changes nothing and does not go on", _never_replaced),
    Theorem("an-end-is-its-owners-and-final", "only who marked says how it ended, once; without an end a mark is never forgotten", _ends),
)  # fmt: skip


class Case(NamedTuple):
    """What is known, an event and the time."""

    known: code.Marked | None
    event: code.Event
    now: int


def _sample(random: Random) -> Case:
    who, states = random.choice, tuple(code.State)
    known = code.Marked(who("ab"), who(states), random.randint(1, 3)) if random.random() < 0.7 else None
    event = who((code.Mark(who("ab"), random.randint(1, 3)), code.Finish(who("ab"), who(states)), code.Forget()))
    return Case(known, event, random.randint(0, 4))


def _encoded(rules: Operators, case: Case) -> Any:
    owner, state, expires = case.known or ("", code.State.STARTED, 0)
    kept = Kept(z3.BoolVal(case.known is not None), z3.StringVal(owner), _S[state], z3.IntVal(expires))
    now = z3.IntVal(case.now)
    match case.event:
        case code.Mark(owner, expires):
            after, done = marked(rules, kept, z3.StringVal(owner), z3.IntVal(expires), now)
        case code.Finish(owner, state):
            after, done = finished(rules, kept, Ended(z3.StringVal(owner), _S[state]))
        case _:
            after, done = forgotten(rules, kept, now)
    return tuple(map(value, after)) if value(after.there) else None, value(done)


def _code(case: Case) -> Any:
    after, done = code.step(case.known, case.event, case.now)
    return None if after is None else (True, after.owner, str(after.state), after.expires), done


class Clocks(NamedTuple):
    """What an executor's clock says, and how far clocks may differ."""

    now: int
    skew: int


def _clocks(random: Random) -> Clocks:
    return Clocks(random.randint(1000, 2000), random.randint(0, 9))


def _encoded_clocks(rules: Operators, case: Clocks) -> Any:
    """By what time marks go."""
    return value(rules.asked_at(z3.IntVal(case.now), z3.IntVal(case.skew)))


def _code_clocks(case: Clocks) -> Any:
    memory: Any = SimpleNamespace(forget=lambda now: now)
    nothing: Any = None
    known = accept.Known({}, {}, nothing, nothing, 30, case.skew, nothing, nothing)
    return acting.Executor("e", known, memory, nothing, {}, lambda: case.now).forget()


def _any_time(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda known, event, now: real(known, event, 0 if isinstance(event, code.Mark) else now)


def _over(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda known, event, now: real(None if isinstance(event, code.Mark) else known, event, now)


class _Hasty(acting.Executor):
    """Lets marks go by its own clock."""

    def forget(self) -> int:
        return self._memory.forget(int(self._clock()))


def theory() -> Theory:
    """The theory."""
    reds = (
        Red("marks over a mark", "a-mark-is-never-replaced", "marks", lambda _, expires, now: expires > now),
        Red("marks at any time", "at-most-once-by-any-executors", "marks", lambda kept, _expires, _now: z3.Not(kept.there)),
        Red("forgets when it likes", "at-most-once-by-any-executors", "forgets", lambda kept, _: z3.And(kept.there, kept.state != _STARTED)),
        Red("forgets what has no end", "an-end-is-its-owners-and-final", "forgets", lambda kept, now: z3.And(kept.there, kept.expires <= now)),
        Red("lets anybody say how it ended", "an-end-is-its-owners-and-final", "finishes",
            lambda kept, ended: z3.And(kept.there, kept.state == _STARTED, ended.state != _STARTED)),
        Red("forgets by its own clock alone", "at-most-once-by-any-executors", "asked_at", lambda now, _: now),
        Red("acts whether it marked or not", "at-most-once-by-any-executors", "goes_on", lambda _: True, tied=False),
    )  # fmt: skip
    planted = (Planted("marks over marks", Patch(code, "step", _over)), Planted("marks at any time", Patch(code, "step", _any_time)))  # fmt: skip
    hasty = Planted("forgets by its own clock", Patch(acting, "Executor", lambda _: _Hasty))
    return Theory(
        "marks", "what is marked happens at most once, for any number of executors", Operators(), _THEOREMS, reds,
        (
            Tie("the life of a mark", _encoded, _code, _sample, planted, samples=120),
            Tie("when marks go", _encoded_clocks, _code_clocks, _clocks, (hasty,), samples=3),
        ),
    )  # fmt: skip
