"""Previews and commits, for any number of transactions, callers and tries. The rules are in `_previews`.

One arbitrary transaction. Whoever committed it hands it to the executor, or finds for certain that nothing was handed on, and releases it; it may also die. Whether a person approved exactly this
transaction, and what was handed on, is written down as it really was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import z3

from remit.gateway.transactions import life as code
from remit.models.explore.patching import Patch
from remit.models.proofs.theories._previews import (
    BEGIN,
    COMMIT,
    CONFIRM,
    DONE,
    FINISH,
    KIND,
    OPEN,
    PHASE,
    REFUSE,
    REFUSED,
    RELEASE,
    TAKEN,
    About,
    Event,
    Kept,
    Operators,
    becomes,
    encoded,
    every,
    run,
    sample,
    step,
)  # fmt: skip
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction


class World(NamedTuple):
    """A transaction, who is about to hand it on, how often it was, and whether a person approved it."""

    kept: Kept
    about: About
    going: Term
    handed: Term
    approved: Term


_HANDS, _DIES = z3.Bools("hands dies")  # not an event of the transaction: somebody hands it on, or dies


def _any() -> World:
    caller, session, until, going, handed = z3.Ints("caller session until going handed")
    there, confirm, word, approved = z3.Bools("there confirm word approved")
    kept = Kept(there, caller, session, until, confirm, word, z3.Const("phase", PHASE))
    return World(kept, About(*z3.Ints("action commitment preview")), going, handed, approved)


def _event() -> Event:
    about = About(*z3.Ints("event-action event-commitment event-preview"))
    names = z3.Ints("event-caller event-session event-until now")
    return Event(z3.Const("kind", KIND), names[0], names[1], about, names[2], z3.Bool("wants"), names[3])


def _next(rules: Operators, world: World, event: Event) -> tuple[World, Term]:
    """One thing more: an event, or that it is handed on, or that who was about to do so dies."""
    after, about, committed = step(rules, world.kept, world.about, event)
    beside = z3.Or(_HANDS, _DIES)
    release = event.kind == RELEASE
    happens = z3.And(z3.Not(beside), z3.Or(z3.Not(release), world.going > 0))  # released by who has not handed it on
    kept = Kept(*(z3.If(happens, one, other) for one, other in zip(after, world.kept, strict=True)))
    then = About(*(z3.If(happens, one, other) for one, other in zip(about, world.about, strict=True)))
    ends = z3.And(world.going > 0, z3.Or(beside, release))
    going = world.going + z3.If(z3.And(happens, committed), 1, 0) - z3.If(ends, 1, 0)
    same = z3.And(*(one == other for one, other in zip(event.about, world.about, strict=True)))
    word = z3.And(happens, event.kind == CONFIRM, same, world.kept.there, event.now < world.kept.until)
    handed = world.handed + z3.If(z3.And(_HANDS, world.going > 0), 1, 0)
    return World(kept, then, going, handed, z3.Or(world.approved, word)), z3.And(happens, committed)


def _holds(world: World) -> Term:
    """Handed on, or about to be: once, and then it is taken or done. A word that is kept was given for exactly this."""
    count, kept = world.going + world.handed, world.kept
    taken = z3.And(kept.there, z3.Or(kept.phase == TAKEN, kept.phase == DONE))
    word = z3.Implies(z3.And(kept.there, kept.word), world.approved)
    return z3.And(world.going >= 0, world.handed >= 0, count <= 1, z3.Implies(count > 0, taken), word)


def _told(name: str, world: World) -> Told:
    return (
        (f"the transaction {name}", world.kept.phase), (f"about to be handed on {name}", world.going), (f"handed on {name}", world.handed),
    )  # fmt: skip


def _steps(rules: Operators) -> Iterator[Claim]:
    world, event = _any(), _event()
    after, committed = _next(rules, world, event)
    zero = z3.IntVal(0)
    new = World(world.kept._replace(there=z3.BoolVal(False)), world.about, zero, zero, z3.BoolVal(False))
    happens = (("an event", event.kind), ("it is handed on", _HANDS), ("who has it dies", _DIES))
    before = State(_holds(world), (*_told("before", world), *happens))
    first = State(_holds(new), _told("at first", new))
    yield from induction(
        first, before, State(_holds(after), _told("after", after)), seen=z3.And(committed, world.kept.word)
    )


def _once(rules: Operators) -> Iterator[Claim]:
    yield from _steps(rules)
    world = _any()
    yield Claim("so", (_holds(world),), world.handed > 0, world.handed <= 1, _told("", world))


def _bound(rules: Operators) -> Iterator[Claim]:
    """By its caller, in its session, as it was shown, in time, confirmed for exactly that if it must be."""
    yield from _steps(rules)
    world, event = _any(), _event()
    _, committed = _next(rules, world, event)
    kept = world.kept
    mine = z3.And(
        event.caller == kept.caller, event.session == kept.session, event.about.commitment == world.about.commitment
    )
    right = z3.And(
        mine, kept.there, event.now < kept.until, kept.phase == OPEN, z3.Implies(kept.confirm, world.approved)
    )
    told = (
        ("its caller", kept.caller), ("who commits", event.caller), ("its request", world.about.commitment), ("the request", event.about.commitment),
        ("its end", kept.until), ("now", event.now), ("to be confirmed", kept.confirm), ("approved", world.approved),
    )  # fmt: skip
    yield Claim("it is committed", (_holds(world),), committed, right, told, seen=kept.confirm)


def _stays(rules: Operators) -> Iterator[Claim]:
    """What was begun under a name stays what it is; a no is final, and so is what is done."""
    world, event = _any(), _event()
    after, about, committed = step(rules, world.kept, world.about, event)
    kept = world.kept
    same = z3.And(
        after.caller == kept.caller,
        after.session == kept.session,
        after.until == kept.until,
        after.confirm == kept.confirm,
    )
    told = (
        ("the transaction", kept.phase),
        ("an event", event.kind),
        ("then", after.phase),
        ("its caller", kept.caller),
        ("then ", after.caller),
    )
    bound = z3.And(*(one == other for one, other in zip(about, world.about, strict=True)))
    yield Claim("an event", (), kept.there, z3.And(same, bound, after.there), told, seen=event.kind == BEGIN)
    over = z3.Or(kept.phase == REFUSED, kept.phase == DONE)
    final = z3.And(after.phase == kept.phase, z3.Not(committed))
    yield Claim(
        "what is over",
        (),
        z3.And(kept.there, over),
        final,
        told,
        seen=z3.And(event.kind == COMMIT, kept.phase == REFUSED),
    )


_THEOREMS = (
    Theorem("handed-once-by-any-callers", "a transaction is handed to the executor at most once, whoever commits it how often, and whoever dies", _once),
    Theorem("committed-as-it-was-shown", "among any number one is committed only by its caller, in its session, as it was shown, in time, and confirmed if it must be",
            _bound),
    Theorem("what-was-begun-stays", "what was begun under a name is never replaced, and a no or an end is final", _stays),
)  # fmt: skip


def _twice(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda known, event, now: real(known._replace(phase=code.Phase.OPEN), event, now)


def _anybody(real: Callable[..., Any]) -> Callable[..., Any]:
    return lambda known, event, now: real(known, event._replace(caller=known.caller), now)


def theory() -> Theory:
    """The theory."""

    def committing(*left_out: str) -> Callable[[Kept, About, Event], Term]:
        """Without some of its conditions."""
        return lambda kept, about, event: z3.And(*(so for name, so in {
            "caller": event.caller == kept.caller, "session": event.session == kept.session, "request": event.about.commitment == about.commitment,
            "phase": kept.phase == OPEN, "clock": event.now < kept.until, "word": z3.Or(z3.Not(kept.confirm), kept.word),
        }.items() if name not in left_out))  # fmt: skip

    mutants = (
        Mutant("commits whatever the phase", "handed-once-by-any-callers", "commits", committing("phase")),
        Mutant("opens again what is done", "handed-once-by-any-callers", "becomes",
            lambda kept, kind: z3.If(z3.And(kind == FINISH, kept.phase == TAKEN), OPEN, becomes(kept, kind))),
        Mutant("does not look at the caller", "committed-as-it-was-shown", "commits", committing("caller")),
        Mutant("does not look at the session", "committed-as-it-was-shown", "commits", committing("session")),
        Mutant("does not look at the request", "committed-as-it-was-shown", "commits", committing("request")),
        Mutant("does not look at the clock", "committed-as-it-was-shown", "commits", committing("clock")),
        Mutant("waits for no approver", "committed-as-it-was-shown", "commits", committing("word")),
        Mutant("takes a word for another preview", "committed-as-it-was-shown", "hears",
            lambda kept, about, event: z3.And(event.now < kept.until, kept.phase == OPEN, kept.confirm, event.about.action == about.action)),
        Mutant("begins over what is there", "what-was-begun-stays", "begins", lambda _, event: event.until > event.now),
        Mutant("takes no for nothing", "what-was-begun-stays", "becomes",
            lambda kept, kind: z3.If(z3.And(kind == REFUSE, kept.phase == REFUSED), OPEN, becomes(kept, kind))),
    )  # fmt: skip
    planted = (
        Planted("commits whatever the phase", Patch(code, "_committed", _twice)),
        Planted("does not look at the caller", Patch(code, "_committed", _anybody)),
        Planted("hears every word", Patch(code, "_confirmed", lambda _: lambda known, event, _now: (known._replace(confirmation=event.confirmation), ""))),
    )  # fmt: skip
    return Theory(
        "previews", "previews and commits, for any number of callers and tries", Operators(), _THEOREMS, mutants,
        (Tie("the life of a transaction", encoded, run, sample, planted, every, samples=25),),
    )  # fmt: skip
