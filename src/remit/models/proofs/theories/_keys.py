"""The rules of session keys (`gateway/inbound/routing/sessions.py`) for a solver, and beside them the code, asked the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import z3

from remit.gateway.inbound.routing import sessions as code
from remit.gateway.inbound.routing.message import Kind, Place
from remit.models.proofs.solving import choose, value

if TYPE_CHECKING:
    from random import Random

    from remit.models.proofs.theory import Term

SCOPE, _SCOPES = z3.EnumSort("Scope", [str(one) for one in code.Scope])
SCOPES = dict(zip(code.Scope, _SCOPES, strict=True))
_MOST = 7  # parts of a key


def plain(byte: Term) -> Term:
    """Whether a byte is written as it is."""
    ranges = [z3.And(byte >= ord(low), byte <= ord(high)) for low, high in ("az", "AZ", "09")]
    return z3.Or(*ranges, *(byte == ord(one) for one in "_.-~"))


class Signs(NamedTuple):
    """Up to three characters, by their numbers."""

    size: Term
    first: Term
    second: Term
    third: Term


def one_sign(number: Term) -> Signs:
    """One character."""
    return Signs(z3.IntVal(1), number, z3.IntVal(0), z3.IntVal(0))


def escaped(byte: Term) -> Signs:
    """How any other byte is written."""
    return Signs(z3.IntVal(3), z3.IntVal(ord("%")), digit(byte / 16), digit(byte % 16))


def separator() -> Signs:
    """What stands between two parts."""
    return one_sign(z3.IntVal(ord("/")))


class Words(NamedTuple):
    """Parts that are no names."""

    main: Term
    direct: Term
    group: Term
    thread: Term


class At(NamedTuple):
    """Where something was said, by names; `person` is the channel and peer of who stands for the speaker."""

    direct: Term
    scope: Term
    channel: Term
    account: Term
    peer: Term
    person: tuple[Term, Term]
    room: Term
    threaded: Term
    thread: Term


def peer(at: At, words: Words) -> list[Term]:
    """Where people are kept apart by person."""
    return [words.direct, *at.person]


def channel_peer(at: At, words: Words) -> list[Term]:
    """Where they are kept apart by channel too."""
    return [words.direct, at.channel, at.account, at.peer]


def group(at: At, words: Words) -> list[Term]:
    """In a room."""
    return [words.group, at.channel, at.account, at.room]


def in_thread(at: At, words: Words) -> list[Term]:
    """What follows where it is in a thread."""
    return [words.thread, at.thread]


class Operators(NamedTuple):
    """The rules."""

    plain: Callable[[Term], Term] = plain
    escaped: Callable[[Term], Signs] = escaped
    separator: Callable[[], Signs] = separator
    peer: Callable[[At, Words], list[Term]] = peer
    channel_peer: Callable[[At, Words], list[Term]] = channel_peer
    group: Callable[[At, Words], list[Term]] = group
    in_thread: Callable[[At, Words], list[Term]] = in_thread


def digit(number: Term) -> Term:
    """A digit of an escape."""
    return z3.If(number < 10, number + ord("0"), number - 10 + ord("A"))


def written(rules: Operators, byte: Term) -> Signs:
    """A byte of a part."""
    return choose(rules.plain(byte), one_sign(byte), rules.escaped(byte))


def parts(rules: Operators, agent: Term, at: At, words: Words, nothing: Term) -> tuple[Term, list[Term]]:
    """How many parts a key has, and which; `nothing` fills up."""
    choices = (
        (z3.Not(at.direct), rules.group(at, words)),
        (at.scope == SCOPES[code.Scope.MAIN], [words.main]),
        (at.scope == SCOPES[code.Scope.PEER], rules.peer(at, words)),
        (z3.BoolVal(True), rules.channel_peer(at, words)),
    )
    count, slots = z3.IntVal(0), [nothing] * _MOST
    for when, rest in reversed(choices):
        for so, row in (
            (z3.Not(at.threaded), [agent, *rest]),
            (at.threaded, [agent, *rest, *rules.in_thread(at, words)]),
        ):
            here, full = z3.And(when, so), [*row, *[nothing] * (_MOST - len(row))]
            count = z3.If(here, len(row), count)
            slots = [z3.If(here, one, other) for one, other in zip(full, slots, strict=True)]
    return count, slots


_TEXTS = ("a", "main", "thread", "a/b", "%2F", "ü~", "")


class Case(NamedTuple):
    """An agent, a place, and the scope of its channel."""

    agent: str
    place: Place
    scope: code.Scope


def sample(random: Random) -> Case:
    """A place, of names that look like something else."""
    some = [random.choice(_TEXTS) for _ in range(6)]
    kind, scope = random.choice((Kind.DIRECT, Kind.DIRECT, Kind.GROUP)), random.choice(tuple(code.Scope))
    return Case(some[0], Place(some[1], some[2], kind, some[3], some[4], some[5]), scope)


def _key(case: Case) -> str:
    return code.session_key(code.Sessions(case.scope), case.agent, case.place)


def encoded(rules: Operators, case: Case) -> Any:
    """The parts of a key."""
    place = case.place
    channel, account, speaker, room, thread = (z3.StringVal(one) for one in (*place[:2], *place[3:]))
    direct, threaded = z3.BoolVal(place.kind is Kind.DIRECT), z3.BoolVal(bool(place.thread))
    at = At(direct, SCOPES[case.scope], channel, account, speaker, (channel, speaker), room, threaded, thread)
    words = Words(*map(z3.StringVal, Words._fields))
    count, slots = parts(rules, z3.StringVal(case.agent), at, words, z3.StringVal(""))
    return tuple(map(value, slots[: value(count)]))


def run(case: Case) -> Any:
    """What the code says."""
    return tuple(map(unquote, _key(case).split("/")))


def sample_text(random: Random) -> str:
    """Some text, with what is no character too."""
    return "".join(chr(random.choice((random.randrange(128), random.randrange(0x3000), 0xD800))) for _ in range(4))


def every_text() -> Iterator[str]:
    """Every character of ASCII."""
    yield from map(chr, range(128))


def encoded_text(rules: Operators, text: str) -> Any:
    """How a part is written, before the next."""
    told = [_byte(rules.plain, rules.escaped, byte) for byte in text.encode("utf-8", "surrogatepass")]
    return "".join(told) + _text(rules.separator()) + "main"


def _text(signs: Signs) -> str:
    size, *numbers = map(value, signs)
    return "".join(map(chr, numbers[:size]))


@cache
def _byte(plain: Callable[[Term], Term], escaped: Callable[[Term], Signs], byte: int) -> str:
    return _text(written(Operators(plain, escaped), z3.IntVal(byte)))


def run_text(text: str) -> Any:
    """What the code says."""
    return code.session_key(code.Sessions(code.Scope.MAIN), text, Place("c", "a", Kind.DIRECT, "p"))
