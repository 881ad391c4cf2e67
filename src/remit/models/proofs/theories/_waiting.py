"""The rules of pairing (`gateway/inbound/pairing/life.py`) for a solver, and beside them the code, asked the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound.limits import Bucket, Limit
from remit.gateway.inbound.pairing import life as code
from remit.models.proofs.solving import choose, value
from remit.models.proofs.theories import bucket as limits

if TYPE_CHECKING:
    from random import Random

    from remit.models.proofs.theory import Term

_, _OUTCOMES = z3.EnumSort("Outcome", [str(one) for one in code.Outcome])
OUTCOMES = dict(zip(code.Outcome, _OUTCOMES, strict=True))


class Waits(NamedTuple):
    """One who waits. Senders and codes are only compared: they are numbers here."""

    sender: Term
    code: Term
    until: Term


class Found(NamedTuple):
    """The first with a code, if there is one."""

    there: Term
    sender: Term
    code: Term
    until: Term


class Looked(NamedTuple):
    """What is found among those who wait: how many, how many of a sender, how many with a code."""

    all: Term
    of_sender: Term
    with_code: Term


class Ask(NamedTuple):
    """A stranger asks: whether it is let in already, what was found, and whether the channel may have one more now."""

    known: Term
    looked: Looked
    most: Term
    left: Term


def lives(one: Waits, now: Term) -> Term:
    """Whether somebody still waits."""
    return now < one.until


def asked(ask: Ask) -> Term:
    """What comes of asking."""
    new = z3.If(ask.left, OUTCOMES[code.Outcome.ASKED], OUTCOMES[code.Outcome.OFTEN])
    free = z3.If(ask.looked.with_code > 0, OUTCOMES[code.Outcome.CODE_USED], new)
    room = z3.If(ask.looked.all >= ask.most, OUTCOMES[code.Outcome.FULL], free)
    again = z3.If(ask.looked.of_sender > 0, OUTCOMES[code.Outcome.AGAIN], room)
    return z3.If(ask.known, OUTCOMES[code.Outcome.KNOWN], again)


def first(found: Found, one: Waits, wanted: Term, alive: Term) -> Found:
    """The first that waits with a code, one more looked at."""
    mine = z3.And(z3.Not(found.there), alive, one.code == wanted)
    return choose(mine, Found(z3.BoolVal(True), *one), found)


def stays(one: Waits, found: Found, answered: Term) -> Term:
    """Whether who waited still does after an answer of the operator."""
    same = z3.And(*(a == b for a, b in zip(one, found[1:], strict=True)))
    return z3.Not(z3.And(answered, found.there, same))


def renewed(one: Waits, sender: Term, until: Term, again: Term) -> Waits:
    """One who waits, after somebody asked again."""
    return one._replace(until=z3.If(z3.And(again, one.sender == sender), until, one.until))


def lets_in(known: Term, found: Found, sender: Term, approves: Term) -> Term:
    """Whether somebody is let in after an answer."""
    return z3.Or(known, z3.And(approves, found.there, found.sender == sender))


class Operators(NamedTuple):
    """The rules."""

    lives: Callable[[Waits, Term], Term] = lives
    asked: Callable[[Ask], Term] = asked
    first: Callable[[Found, Waits, Term, Term], Found] = first
    stays: Callable[[Waits, Found, Term], Term] = stays
    renewed: Callable[[Waits, Term, Term, Term], Waits] = renewed
    lets_in: Callable[[Term, Found, Term, Term], Term] = lets_in


def look(rules: Operators, looked: Looked, one: Waits, sender: Term, wanted: Term, now: Term) -> Looked:
    """One more of those who wait."""
    alive = rules.lives(one, now)
    so = (alive, z3.And(alive, one.sender == sender), z3.And(alive, one.code == wanted))
    return Looked(*(count + z3.If(this, 1, 0) for count, this in zip(looked, so, strict=True)))


EMPTY = Looked(*[z3.IntVal(0)] * 3)


class Case(NamedTuple):
    """A channel, an event and the time."""

    rules: code.Rules
    known: code.Channel
    event: code.Event
    now: int


def sample(random: Random) -> Case:
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
    return Case(rules, code.Channel(waiting, tuple(random.sample("ef", 1)), bucket), event, random.randint(0, 5))


def _number(text: str) -> Term:
    return z3.IntVal(ord(text))


def encoded(rules: Operators, case: Case) -> Any:
    """Everyone who waits then, everyone who is let in, and what came of it."""
    event, channel, now = case.event, case.known, z3.IntVal(case.now)
    sender, wanted = _number(getattr(event, "sender", "-")), _number(getattr(event, "code", "-"))
    every = [Waits(_number(one.sender), _number(one.code), z3.IntVal(one.until)) for one in channel.waiting]
    looked, found = EMPTY, Found(z3.BoolVal(False), *[z3.IntVal(0)] * 3)
    for one in every:
        looked = Looked(*map(z3.simplify, look(rules, looked, one, sender, wanted, now)))
        found = Found(*map(z3.simplify, rules.first(found, one, wanted, rules.lives(one, now))))
    bucket = channel.asked or Bucket(case.rules.often.most, case.now)
    limit = limits.Limit(*map(z3.IntVal, case.rules.often))
    _, left = limits.take(limits.Operators(), limits.Bucket(*map(z3.IntVal, bucket)), limit, now)
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


def _answer(event: code.Event, channel: code.Channel, *, there: bool) -> str:
    if isinstance(event, code.Remove):
        return str(code.Outcome.REMOVED if event.sender in channel.allowed else code.Outcome.UNKNOWN)
    done = code.Outcome.APPROVED if isinstance(event, code.Approve) else code.Outcome.DENIED
    return str(done if there else code.Outcome.UNKNOWN)


def run(case: Case) -> Any:
    after, outcome = code.step(case.rules, case.known, case.event, case.now)
    then = sorted((ord(one.sender), ord(one.code), one.until) for one in after.waiting)
    return then, list(after.allowed), str(outcome)
