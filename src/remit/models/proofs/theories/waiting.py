"""Theory of waiting pairing requests, for any cap and any number of unknown senders. The rules are in `_waiting`.

Who waits is looked through one after the other: what is counted begins with nothing, and each adds its part. What holds of the counts, whoever is added, holds of all. So it is shown of the
counts first, and then of an event that finds such counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound import pairing as code
from remit.gateway.inbound.limits import Bucket, Limit
from remit.models.explore.model import Patch
from remit.models.proofs.solver import choose, value
from remit.models.proofs.theories import bucket as limits
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random


_, _OUTCOMES = z3.EnumSort("Outcome", [str(one) for one in code.Outcome])
OUTCOMES = dict(zip(code.Outcome, _OUTCOMES, strict=True))


class WaitingSender(NamedTuple):
    """One who waits. Senders and codes are only compared: they are numbers here."""

    sender: Term
    code: Term
    until: Term


class FirstMatch(NamedTuple):
    """The first with a code, if there is one."""

    there: Term
    sender: Term
    code: Term
    until: Term


class WaitingScan(NamedTuple):
    """The result of a scan of waiting requests: how many, how many of a sender, how many with a code."""

    all: Term
    of_sender: Term
    with_code: Term


class Ask(NamedTuple):
    """A stranger asks: whether it is let in already, what was found, and whether the channel may have one more now."""

    known: Term
    looked: WaitingScan
    most: Term
    left: Term


def lives(one: WaitingSender, now: Term) -> Term:
    """Return whether a request still waits."""
    return now < one.until


def asked(ask: Ask) -> Term:
    """Return the result of a request."""
    new = z3.If(ask.left, OUTCOMES[code.Outcome.ASKED], OUTCOMES[code.Outcome.OFTEN])
    free = z3.If(ask.looked.with_code > 0, OUTCOMES[code.Outcome.CODE_USED], new)
    room = z3.If(ask.looked.all >= ask.most, OUTCOMES[code.Outcome.FULL], free)
    again = z3.If(ask.looked.of_sender > 0, OUTCOMES[code.Outcome.AGAIN], room)
    return z3.If(ask.known, OUTCOMES[code.Outcome.KNOWN], again)


def first(found: FirstMatch, one: WaitingSender, wanted: Term, alive: Term) -> FirstMatch:
    """The first that waits with a code, one more looked at."""
    mine = z3.And(z3.Not(found.there), alive, one.code == wanted)
    return choose(mine, FirstMatch(z3.BoolVal(True), *one), found)


def stays(one: WaitingSender, found: FirstMatch, answered: Term) -> Term:
    """Return whether a request still waits after an answer of the operator."""
    same = z3.And(*(a == b for a, b in zip(one, found[1:], strict=True)))
    return z3.Not(z3.And(answered, found.there, same))


def renewed(one: WaitingSender, sender: Term, until: Term, again: Term) -> WaitingSender:
    """Return a waiting request after its sender asked again."""
    return one._replace(until=z3.If(z3.And(again, one.sender == sender), until, one.until))


def lets_in(known: Term, found: FirstMatch, sender: Term, approves: Term) -> Term:
    """Return whether an answer admits a sender."""
    return z3.Or(known, z3.And(approves, found.there, found.sender == sender))


class WaitingRules(NamedTuple):
    """The rules."""

    lives: Callable[[WaitingSender, Term], Term] = lives
    asked: Callable[[Ask], Term] = asked
    first: Callable[[FirstMatch, WaitingSender, Term, Term], FirstMatch] = first
    stays: Callable[[WaitingSender, FirstMatch, Term], Term] = stays
    renewed: Callable[[WaitingSender, Term, Term, Term], WaitingSender] = renewed
    lets_in: Callable[[Term, FirstMatch, Term, Term], Term] = lets_in


def look(
    rules: WaitingRules, looked: WaitingScan, one: WaitingSender, sender: Term, wanted: Term, now: Term
) -> WaitingScan:
    """One more of those who wait."""
    alive = rules.lives(one, now)
    so = (alive, z3.And(alive, one.sender == sender), z3.And(alive, one.code == wanted))
    return WaitingScan(*(count + z3.If(this, 1, 0) for count, this in zip(looked, so, strict=True)))


EMPTY = WaitingScan(*[z3.IntVal(0)] * 3)


class WaitingCase(NamedTuple):
    """A channel, an event and the time."""

    rules: code.Rules
    known: code.ChannelPairings
    event: code.PairingEvent
    now: int


def sample(random: Random) -> WaitingCase:
    """Any rules, any number who wait, and any event."""

    def pick(letters: str) -> str:
        return random.choice(letters)

    waiting = tuple(code.Waiting(pick("abcd"), pick("uvwx"), random.randint(1, 6)) for _ in range(random.randint(0, 4)))
    event = random.choice(
        (
            code.Ask(pick("abcde"), pick("uvwx")),
            code.Approve(pick("uvwx")),
            code.Deny(pick("uvwx")),
            code.Remove(pick("ef")),
        )
    )
    bucket = random.choice((None, Bucket(random.randint(0, 1), random.randint(0, 4))))
    rules = code.Rules(random.randint(1, 9), max(0, len(waiting) - random.randint(-1, 2)), Limit(2, 3))
    return WaitingCase(
        rules, code.ChannelPairings(waiting, tuple(random.sample("ef", 1)), bucket), event, random.randint(0, 5)
    )


def _number(text: str) -> Term:
    return z3.IntVal(ord(text))


def encoded(rules: WaitingRules, case: WaitingCase) -> Any:
    """Everyone who waits then, everyone who is let in, and what came of it."""
    event, channel, now = case.event, case.known, z3.IntVal(case.now)
    sender, wanted = _number(getattr(event, "sender", "-")), _number(getattr(event, "code", "-"))
    every = [WaitingSender(_number(one.sender), _number(one.code), z3.IntVal(one.until)) for one in channel.waiting]
    looked, found = EMPTY, FirstMatch(z3.BoolVal(False), *[z3.IntVal(0)] * 3)
    for one in every:
        looked = WaitingScan(*map(z3.simplify, look(rules, looked, one, sender, wanted, now)))
        found = FirstMatch(*map(z3.simplify, rules.first(found, one, wanted, rules.lives(one, now))))
    bucket = channel.asked or Bucket(case.rules.often.most, case.now)
    limit = limits.Limit(*map(z3.IntVal, case.rules.often))
    _, left = limits.take(limits.BucketRules(), limits.Bucket(*map(z3.IntVal, bucket)), limit, now)
    ask = Ask(z3.BoolVal(getattr(event, "sender", "-") in channel.allowed), looked, z3.IntVal(case.rules.most), left)
    answered, approves = isinstance(event, code.Approve | code.Deny), isinstance(event, code.Approve)
    said = value(rules.asked(ask)) if isinstance(event, code.Ask) else _answer(event, channel, there=value(found.there))
    kept = [one for one in every if value(z3.And(rules.lives(one, now), rules.stays(one, found, z3.BoolVal(answered))))]
    until, again = now + case.rules.lifetime, z3.BoolVal(said == code.Outcome.AGAIN)
    then = [tuple(map(value, rules.renewed(one, sender, until, again))) for one in kept]
    then += [tuple(map(value, (sender, wanted, until)))] if said == code.Outcome.ASKED else []
    now_in = [
        who
        for who in "abcdef"
        if value(rules.lets_in(z3.BoolVal(who in channel.allowed), found, _number(who), z3.BoolVal(approves)))
    ]
    removed = event.sender if isinstance(event, code.Remove) else ""
    return sorted(then), [who for who in now_in if who != removed], said


def _answer(event: code.PairingEvent, channel: code.ChannelPairings, *, there: bool) -> str:
    if isinstance(event, code.Remove):
        return str(code.Outcome.REMOVED if event.sender in channel.allowed else code.Outcome.UNKNOWN)
    done = code.Outcome.APPROVED if isinstance(event, code.Approve) else code.Outcome.DENIED
    return str(done if there else code.Outcome.UNKNOWN)


def run(case: WaitingCase) -> Any:
    """What the code makes of it."""
    after, outcome = code.step(case.rules, case.known, case.event, case.now)
    then = sorted((ord(one.sender), ord(one.code), one.until) for one in after.waiting)
    return then, list(after.allowed), str(outcome)


_ONE = WaitingSender(*z3.Ints("sender-of-one code-of-one until-of-one"))
_FOUND = FirstMatch(z3.Bool("found"), *z3.Ints("sender-found code-found until-found"))
_LOOKED = WaitingScan(*z3.Ints("waiting of-sender with-code"))
_SENDER, _CODE, _NOW, _LATER, _MOST, _UNTIL = z3.Ints("sender code now later most until")
_SOME, _THEIRS = z3.Ints("some-sender some-code")  # any sender, any code
_ANSWERED, _AGAIN, _LEFT, _IS_KNOWN = z3.Bools("answered again left known")


class Counts(NamedTuple):
    """How many wait, before and after an event; and of these, how many of some sender and with some code."""

    looked: WaitingScan
    later: Term  # how many of them still wait at a later time
    some: WaitingScan  # all, of some sender, with some code
    after: WaitingScan


_COUNTS = Counts(_LOOKED, z3.Int("later waiting"), WaitingScan(*z3.Ints("a1 a2 a3")), WaitingScan(*z3.Ints("b1 b2 b3")))


def _counted(rules: WaitingRules, counts: Counts) -> Counts:
    """One more of those who wait: looked at, and after the event."""
    some = look(rules, counts.some, _ONE, _SOME, _THEIRS, _NOW)
    kept = rules.renewed(_ONE, _SENDER, _UNTIL, _AGAIN)
    there = z3.And(rules.lives(_ONE, _NOW), rules.stays(_ONE, _FOUND, _ANSWERED))
    so = (there, z3.And(there, kept.sender == _SOME), z3.And(there, kept.code == _THEIRS))
    return Counts(
        look(rules, counts.looked, _ONE, _SENDER, _CODE, _NOW), counts.later + z3.If(rules.lives(_ONE, _LATER), 1, 0),
        some, WaitingScan(*(count + z3.If(this, 1, 0) for count, this in zip(counts.after, so, strict=True))),
    )  # fmt: skip


def _sound(counts: Counts) -> State:
    """The same sender and the same code are the same number; and an event takes away at most."""
    same = (
        z3.Implies(_SOME == _SENDER, counts.some.of_sender == counts.looked.of_sender),
        z3.Implies(_THEIRS == _CODE, counts.some.with_code == counts.looked.with_code),
        counts.some.all == counts.looked.all,
    )
    fewer = (one <= other for one, other in zip(counts.after, counts.some, strict=True))
    least = (one >= 0 for one in (*counts.after, *counts.looked, counts.later))
    told = (
        ("waiting", counts.looked.all),
        ("later", counts.later),
        ("of some sender", counts.some.of_sender),
        ("after", counts.after.of_sender),
    )
    return State(z3.And(*same, *fewer, *least, counts.later <= counts.looked.all), told)


def _looking(rules: WaitingRules) -> Iterator[Claim]:
    nothing = Counts(EMPTY, z3.IntVal(0), EMPTY, EMPTY)
    seen = z3.And(_SOME == _SENDER, _counted(rules, _COUNTS).after.of_sender == 1)
    yield from induction(
        _sound(nothing), _sound(_COUNTS), _sound(_counted(rules, _COUNTS)), given=(_LATER >= _NOW,), seen=seen
    )


def _event(rules: WaitingRules) -> tuple[Term, Told]:
    """What comes of asking where counts are as they may be, and its story."""
    said = rules.asked(Ask(_IS_KNOWN, _COUNTS.looked, _MOST, _LEFT))
    told = (("the cap", _MOST), ("waiting", _LOOKED.all), ("of this sender", _LOOKED.of_sender), ("with this code", _LOOKED.with_code),
            ("a stranger is told", said))  # fmt: skip
    return said, told


def _cap(rules: WaitingRules) -> Iterator[Claim]:
    """Time takes away, and so do answers; who is added found room."""
    yield from _looking(rules)
    said, told = _event(rules)
    new = said == OUTCOMES[code.Outcome.ASKED]
    given = (_sound(_COUNTS).holds, _LOOKED.all <= _MOST, _MOST >= 0)
    after = _COUNTS.after.all + z3.If(new, 1, 0)
    yield Claim(
        "somebody asks", given, True, after <= _MOST, (*told, ("waiting then", after)), seen=z3.And(new, after == _MOST)
    )
    yield Claim("an answer, or time", given, True, z3.And(_COUNTS.after.all <= _MOST, _COUNTS.later <= _MOST), told)


def _one_each(rules: WaitingRules) -> Iterator[Claim]:
    yield from _looking(rules)
    said, told = _event(rules)
    mine = z3.And(said == OUTCOMES[code.Outcome.ASKED], _SOME == _SENDER)
    after = _COUNTS.after.of_sender + z3.If(mine, 1, 0)
    given = (_sound(_COUNTS).holds, _COUNTS.some.of_sender <= 1)
    yield Claim("somebody asks", given, True, after <= 1, (*told, ("requests of some sender", after)), seen=mine)
    coded = z3.And(said == OUTCOMES[code.Outcome.ASKED], _THEIRS == _CODE)
    after = _COUNTS.after.with_code + z3.If(coded, 1, 0)
    given = (_sound(_COUNTS).holds, _COUNTS.some.with_code <= 1)
    yield Claim("a code", given, True, after <= 1, (*told, ("with some code", after)), seen=coded)


def _in_time(rules: WaitingRules) -> Iterator[Claim]:
    """Who is let in by an approval waits, in time, with exactly this code."""
    waits = z3.Function("waits", *[z3.IntSort()] * 3, z3.BoolSort())

    def right(found: FirstMatch) -> State:
        holds = z3.Implies(found.there, z3.And(found.until > _NOW, found.code == _CODE, waits(*found[1:])))
        return State(
            holds,
            (
                ("somebody is found", found.there),
                ("its code", found.code),
                ("it waits until", found.until),
                ("now", _NOW),
            ),
        )

    nobody = _FOUND._replace(there=z3.BoolVal(False))
    then = rules.first(_FOUND, _ONE, _CODE, rules.lives(_ONE, _NOW))
    yield from induction(
        right(nobody), right(_FOUND), right(then), given=(waits(*_ONE),), seen=z3.And(z3.Not(_FOUND.there), then.there)
    )
    approves = z3.Bool("approves")
    now_in = rules.lets_in(_IS_KNOWN, _FOUND, _SOME, approves)
    told = (
        ("was let in", _IS_KNOWN),
        ("approved", approves),
        ("found", _FOUND.there),
        ("whom", _FOUND.sender),
        ("somebody", _SOME),
        ("is let in", now_in),
    )
    word = z3.And(
        approves, _FOUND.there, _FOUND.sender == _SOME, _FOUND.until > _NOW, _FOUND.code == _CODE, waits(*_FOUND[1:])
    )
    yield Claim("an answer", (right(_FOUND).holds,), z3.And(now_in, z3.Not(_IS_KNOWN)), word, told)
    kept = z3.Implies(
        rules.stays(_ONE, _FOUND, z3.BoolVal(True)),
        z3.Not(z3.And(_FOUND.there, *(a == b for a, b in zip(_ONE, _FOUND[1:], strict=True)))),
    )
    yield Claim("who was answered waits no more", (right(_FOUND).holds,), _FOUND.there, kept, told)


def _refresh(rules: WaitingRules) -> Iterator[Claim]:
    said, told = _event(rules)
    given = (_sound(_COUNTS).holds, z3.Not(_IS_KNOWN))
    yield Claim(
        "who waits asks",
        given,
        _LOOKED.of_sender > 0,
        said == OUTCOMES[code.Outcome.AGAIN],
        told,
        seen=z3.And(_LOOKED.all >= _MOST, z3.Not(_LEFT)),
    )
    one = rules.renewed(_ONE, _SENDER, _UNTIL, z3.BoolVal(True))
    told = (("one who waits", _ONE.sender), ("who asked", _SENDER), ("until", _ONE.until), ("then until", one.until))
    right = z3.And(
        one.sender == _ONE.sender, one.code == _ONE.code, one.until == z3.If(_ONE.sender == _SENDER, _UNTIL, _ONE.until)
    )
    yield Claim("its time", (), True, right, told, seen=_ONE.sender == _SENDER)


_THEOREMS = (
    Theorem("cap-for-any-number", "for any limit, no more senders wait than it allows, after any event and at any time", _cap),
    Theorem("one-request-each-for-any-number", "for any number of senders, each waits at most once, and each code belongs to one sender", _one_each),
    Theorem("approved-in-time-among-any-number", "for any number of senders, an approval admits only a waiting sender, in time, by exactly its code, and once", _in_time),
    Theorem("refresh-at-any-cap", "a waiting sender can ask again however many wait, and renews only its own time", _refresh),
)  # fmt: skip


def theory() -> Theory:
    """The theory."""
    full = OUTCOMES[code.Outcome.FULL]
    mutants = (
        Mutant("lets one more wait than may", "cap-for-any-number", "asked",
            lambda ask: z3.If(ask.looked.all == ask.most, asked(ask._replace(most=ask.most + 1)), asked(ask))),
        Mutant("lets the same wait twice", "one-request-each-for-any-number", "asked",
            lambda ask: asked(ask._replace(looked=ask.looked._replace(of_sender=z3.IntVal(0))))),
        Mutant("gives one code to two", "one-request-each-for-any-number", "asked",
            lambda ask: asked(ask._replace(looked=ask.looked._replace(with_code=z3.IntVal(0))))),
        Mutant("lets nobody ask again when it is full", "refresh-at-any-cap", "asked",
            lambda ask: z3.If(z3.And(z3.Not(ask.known), ask.looked.all >= ask.most), full, asked(ask))),
        Mutant("lets what is over wait again", "cap-for-any-number", "lives", lambda one, now: z3.Or(now < one.until, now > one.until + 2)),
        Mutant("finds whose time is over", "approved-in-time-among-any-number", "first",
            lambda found, one, wanted, _: first(found, one, wanted, z3.BoolVal(True))),
        Mutant("finds any code", "approved-in-time-among-any-number", "first", lambda found, one, _, alive: first(found, one, one.code, alive)),
        Mutant("lets who was answered wait on", "approved-in-time-among-any-number", "stays", lambda _one, _found, _answered: z3.BoolVal(True)),
        Mutant("renews everybody", "refresh-at-any-cap", "renewed", lambda one, _, until, again: one._replace(until=z3.If(again, until, one.until))),
        Mutant("lets in who is denied", "approved-in-time-among-any-number", "lets_in",
            lambda known, found, sender, _: z3.Or(known, z3.And(found.there, found.sender == sender))),
    )  # fmt: skip
    planted = (
        Planted("does not look at the clock", Patch(code, "live", lambda _: lambda channel, _now: channel)),
        Planted("lets one more wait", Patch(code, "_asked",
            lambda real: lambda rules, channel, event, now: real(rules._replace(most=rules.most + 1), channel, event, now))),
        Planted("lets in whom it denies", Patch(code, "_answered", lambda real: lambda channel, wanted, **_: real(channel, wanted, let_in=True))),
    )  # fmt: skip
    return Theory(
        "waiting", "pairing, for any cap and any number who wait", WaitingRules(), _THEOREMS, mutants,
        (Tie("a channel, event by event", encoded, run, sample, planted, samples=35),),
    )  # fmt: skip
