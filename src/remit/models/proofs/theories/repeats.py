"""Theory of repeated events (`gateway/inbound/events.py`), for any number of repetitions, workers and times.

One arbitrary event, by its name. That looking and writing is one step is the store's (`operations.py`). When it was heard last is written down as it really was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.gateway.inbound import events
from remit.gateway.inbound.events import Event, What
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.models.explore.model import Patch
from remit.models.proofs.solver import value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, Told, induction

if TYPE_CHECKING:
    from random import Random


_KEPT = z3.Int("how long events are remembered")
_BY, (_EVENT, _TRACE, _CONTENT) = z3.EnumSort("By", ["event", "trace", "content"])


class RememberedEvent(NamedTuple):
    """Whether an event is remembered, and until when."""

    there: Term
    until: Term


def heard(known: RememberedEvent, now: Term) -> Term:
    """Return whether it is processed now."""
    return z3.Or(z3.Not(known.there), now >= known.until)


def remembered(now: Term, kept: Term) -> Term:
    """Return until when it is remembered."""
    return now + kept


class Came(NamedTuple):
    """An incoming event; 0 is a missing name. `content` stands for its whole content."""

    place: Term
    event: Term
    trace: Term
    part: Term
    content: Term


class Name(NamedTuple):
    """The name under which it is remembered."""

    place: Term
    by: Term
    name: Term
    part: Term
    content: Term


def name(came: Came) -> Name:
    """Return the platform's name for it; without one, that of the request; without that, its content."""
    by = z3.If(came.event != 0, _EVENT, z3.If(came.trace != 0, _TRACE, _CONTENT))
    called = z3.If(came.event != 0, came.event, came.trace)
    return Name(came.place, by, called, came.part, came.content)


class RepeatRules(NamedTuple):
    """The rules."""

    heard: Callable[[RememberedEvent, Term], Term] = heard
    remembered: Callable[[Term, Term], Term] = remembered
    name: Callable[[Came], Name] = name


def after(rules: RepeatRules, known: RememberedEvent, now: Term, kept: Term) -> tuple[RememberedEvent, Term]:
    """Return what is remembered after it arrived, and whether it is processed."""
    first = rules.heard(known, now)
    until = z3.If(first, rules.remembered(now, kept), known.until)
    return RememberedEvent(z3.Or(known.there, first), until), first


class RepeatHistory(NamedTuple):
    """What is remembered, and when it was heard last, if ever."""

    known: RememberedEvent
    ever: Term
    last: Term


def _apart(rules: RepeatRules) -> Iterator[Claim]:
    """Between two hearings of one event there is at least the time for which it is remembered."""
    seen = RepeatHistory(RememberedEvent(z3.Bool("there"), z3.Int("until")), z3.Bool("ever"), z3.Int("last"))
    now = z3.Int("now")
    then, first = after(rules, seen.known, now, _KEPT)
    next_ = RepeatHistory(then, z3.Or(seen.ever, first), z3.If(first, now, seen.last))

    def right(one: RepeatHistory) -> State:
        told: Told = (
            ("heard before", one.ever),
            ("last", one.last),
            ("remembered until", one.known.until),
            ("now", now),
        )
        return State(z3.Implies(one.ever, z3.And(one.known.there, one.known.until >= one.last + _KEPT)), told)

    nothing = RepeatHistory(RememberedEvent(z3.BoolVal(False), now), z3.BoolVal(False), now)
    yield from induction(
        right(nothing), right(seen), right(next_), given=(_KEPT >= 1,), seen=z3.And(seen.ever, z3.Not(first))
    )
    again = z3.And(first, seen.ever)
    yield Claim(
        "it is heard again",
        (_KEPT >= 1, right(seen).holds),
        again,
        now >= seen.last + _KEPT,
        (*right(seen).told, ("kept for", _KEPT)),
    )


def _heard_at_first(rules: RepeatRules) -> Iterator[Claim]:
    """A new event is always processed: none is lost."""
    known, now = RememberedEvent(z3.Bool("there"), z3.Int("until")), z3.Int("now")
    then, first = after(rules, known, now, _KEPT)
    told = (("known", known.there), ("heard", first), ("remembered", then.there))
    yield Claim("the first time", (_KEPT >= 1,), z3.Not(known.there), z3.And(first, then.there), told)


def _came(number: str) -> Came:
    return Came(*z3.Ints(" ".join(f"{field}-{number}" for field in Came._fields)))


def _names(rules: RepeatRules) -> Iterator[Claim]:
    """Two events with one name say the same, at one place, as one part; and have the same name of the platform, where they have any."""
    one, other = _came("one"), _came("other")
    here, there = rules.name(one), rules.name(other)
    same = z3.And(*(a == b for a, b in zip(here, there, strict=True)))
    right = z3.And(
        one.place == other.place, one.part == other.part, one.content == other.content, one.event == other.event
    )
    told = (
        ("what one says", one.content),
        ("what the other says", other.content),
        ("its name", one.event),
        ("the other's", other.event),
        ("one name", same),
    )
    yield Claim("two with one name", (), same, right, told, seen=z3.And(one.event != 0, one.trace != other.trace))
    twice = z3.And(
        one.place == other.place,
        one.part == other.part,
        one.content == other.content,
        one.event == other.event,
        one.event != 0,
    )
    yield Claim("one that comes again", (), twice, same, told, seen=one.trace != other.trace)


_THEOREMS = (
    Theorem("heard-again-only-when-forgotten", "however often an event arrives, it is heard again only after the time for which it is remembered", _apart),
    Theorem("what-was-not-heard-is-heard", "an event that arrives for the first time is heard, whatever arrived before", _heard_at_first),
    Theorem("one-name-says-the-same", "two events of any names are the same only if they have the same content in the same conversation; a repeated event is always recognised", _names),
)  # fmt: skip


class RepeatCase(NamedTuple):
    """What is remembered and the time; and an event."""

    until: int | None
    now: int
    names: tuple[str, str]
    part: int
    text: str


def _sample(random: Random) -> RepeatCase:
    now = random.randint(0, 5)
    return RepeatCase(
        random.choice((None, now - 1, now, now + 1)),
        now,
        (random.choice("-e"), random.choice("-t")),
        random.randint(0, 1),
        "x",
    )


def _every() -> Iterator[RepeatCase]:
    for until, event, trace in product((None, 3, 4, 5), "-e", "-t"):
        yield RepeatCase(until, 4, (event, trace), 1, "x")


def _encoded(rules: RepeatRules, case: RepeatCase) -> Any:
    known = RememberedEvent(z3.BoolVal(case.until is not None), z3.IntVal(case.until or 0))
    then, first = after(rules, known, z3.IntVal(case.now), z3.IntVal(events.KEPT))
    numbers = [0 if one == "-" else ord(one) for one in case.names]
    found = rules.name(Came(*map(z3.IntVal, (7, *numbers, case.part, 9))))
    return value(then.until), value(first), tuple(map(value, found))


def _code(case: RepeatCase) -> Any:
    event, trace = ("" if one == "-" else one for one in case.names)
    place = ChatAddress("c", "a", ConversationKind.DIRECT, "p")
    came = Event(place, What.SAID, case.text, "message", event, trace, "digest", case.part)
    found = events.name_of(came)
    where = 7 if (found.channel, found.account) == ("c", "a") else 0
    content = 9 if found.digest == came.digest else 0
    return (
        *events.first_time(case.until, case.now),
        (where, found.by, ord(found.name) if found.name else 0, found.part, content),
    )


def _shorter(real: Callable[..., Any]) -> Callable[..., Any]:
    def first_time(until: int | None, now: int) -> tuple[int, bool]:
        found, first = real(until, now)
        return found - 1, first

    return first_time


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("forgets a second too early", "heard-again-only-when-forgotten", "remembered", lambda now, kept: now + kept - 1),
        Mutant("hears what it remembers", "heard-again-only-when-forgotten", "heard", lambda known, now: z3.Or(z3.Not(known.there), now + 1 >= known.until)),
        Mutant("hears nothing new", "what-was-not-heard-is-heard", "heard", lambda known, now: z3.And(known.there, now >= known.until)),
        Mutant("takes one name for one event", "one-name-says-the-same", "name", lambda came: name(came)._replace(content=z3.IntVal(0))),
        Mutant("names by the request alone", "one-name-says-the-same", "name", lambda came: name(came._replace(event=z3.IntVal(0)))),
    )  # fmt: skip
    planted = (
        Planted("remembers for less", Patch(events, "first_time", _shorter)),
        Planted("names by the request alone", Patch(events, "name_of", lambda real: lambda event: real(event._replace(event="")))),
    )  # fmt: skip
    return Theory(
        "repeats", "events that come again, any number of times", RepeatRules(), _THEOREMS, mutants,
        (Tie("what is remembered", _encoded, _code, _sample, planted, _every, samples=20),),
    )  # fmt: skip
