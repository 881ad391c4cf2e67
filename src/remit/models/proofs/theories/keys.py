"""Keys of sessions, for all names and any number of parts. The rules are in `_keys`.

First how parts are written: a key is a row of bytes and separators, and whoever reads it gets the first of them, and the rest of the key, back: so no two rows have one key, by induction over their
length. Then which parts there are: names are of an uninterpreted sort, and may be what they like, `main` and `thread` too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from remit.gateway.inbound.routing import sessions as code
from remit.models.explore.patching import Patch
from remit.models.proofs.theories._keys import (
    SCOPE,
    SCOPES,
    At,
    Operators,
    Words,
    digit,
    encoded,
    encoded_text,
    every_text,
    parts,
    plain,
    run,
    run_text,
    sample,
    sample_text,
    written,
)  # fmt: skip
from remit.models.proofs.theory import Claim, Planted, Red, Theorem, Theory, Tie

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.models.proofs.theory import Term

_NAME = z3.DeclareSort("Name")
_SLASH, _PERCENT = (ord(one) for one in "/%")


def _unhex(text: Term, place: int) -> Term:
    number = z3.StrToCode(z3.SubString(text, place, 1))
    return z3.If(number < ord("A"), number - ord("0"), number - ord("A") + 10)


def _first(text: Term) -> Term:
    """What a reader finds first: a byte."""
    number = z3.StrToCode(z3.SubString(text, 0, 1))
    return z3.If(number == _PERCENT, 16 * _unhex(text, 1) + _unhex(text, 2), number)


def _rest(text: Term) -> Term:
    size = z3.If(z3.SubString(text, 0, 1) == z3.StringVal("%"), 3, 1)
    return z3.SubString(text, size, z3.Length(text) - size)


def _reads_back(rules: Operators) -> Iterator[Claim]:
    """A byte and any rest, a separator and any rest: each is told from the other, and found again, and neither is nothing."""
    byte, rest = z3.Int("byte"), z3.String("rest")
    text, given = z3.Concat(written(rules, byte), rest), (byte >= 0, byte < 256)
    told = (("a byte", byte), ("it is written", written(rules, byte)), ("before", rest))
    starts = z3.PrefixOf(z3.StringVal("/"), text)
    yield Claim("a byte", given, True, _first(text) == byte, told, seen=byte == _SLASH)
    yield Claim("the rest", given, True, _rest(text) == rest, told, seen=byte == _PERCENT)
    yield Claim("no separator", given, True, z3.And(z3.Not(starts), z3.Length(text) > 0), told, seen=byte == _SLASH)
    text = z3.Concat(rules.separator(), rest)
    then = z3.And(z3.PrefixOf(z3.StringVal("/"), text), _rest(text) == rest)
    yield Claim("a separator", (), True, then, (("the separator", rules.separator()), ("before", rest)))


_WORDS = Words(*z3.Consts("main direct group thread", _NAME))
_NOTHING = z3.Const("nothing", _NAME)


def _anywhere(name: str) -> tuple[Term, At]:
    """Anywhere, under any settings: a scope by channel, and a person by identity."""
    channel, account, peer, room, thread, agent = z3.Consts(
        " ".join(f"{part}-{name}" for part in ("channel", "account", "peer", "room", "thread", "agent")), _NAME
    )
    scope = z3.Function("scope", _NAME, SCOPE)(channel)
    person = tuple(
        z3.Function(f"{part} of the person", _NAME, _NAME, _NAME)(channel, peer) for part in ("channel", "peer")
    )
    direct, threaded = z3.Bools(f"direct-{name} threaded-{name}")
    return agent, At(direct, scope, channel, account, peer, (person[0], person[1]), room, threaded, thread)


def _same_key(rules: Operators, one: tuple[Term, At], other: tuple[Term, At]) -> Term:
    (count, slots), (number, others) = (parts(rules, *it, _WORDS, _NOTHING) for it in (one, other))
    return z3.And(count == number, *(a == b for a, b in zip(slots, others, strict=True)))


def _apart(rules: Operators) -> Iterator[Claim]:
    """One key: one agent, one thread, and what the settings make one."""
    one, other = _anywhere("one"), _anywhere("other")
    (_, here), (_, there) = one, other
    same = _same_key(rules, one, other)
    both = z3.And(here.direct, there.direct, here.scope == there.scope)
    place = z3.And(here.channel == there.channel, here.account == there.account)
    allowed = z3.Or(
        z3.And(both, here.scope == SCOPES[code.Scope.MAIN]),
        z3.And(
            both,
            here.scope == SCOPES[code.Scope.PEER],
            here.person[0] == there.person[0],
            here.person[1] == there.person[1],
        ),
        z3.And(both, here.scope == SCOPES[code.Scope.CHANNEL_PEER], place, here.peer == there.peer),
        z3.And(z3.Not(here.direct), z3.Not(there.direct), place, here.room == there.room),
    )
    threads = z3.And(here.threaded == there.threaded, z3.Implies(here.threaded, here.thread == there.thread))
    told = (
        ("the one is direct", here.direct), ("its scope", here.scope), ("the other is direct", there.direct), ("its scope ", there.scope),
        ("the one has a thread", here.threaded), ("the other has", there.threaded), ("they have one agent", one[0] == other[0]),
    )  # fmt: skip
    given = (z3.Distinct(*_WORDS),)
    yield Claim("two with one key", given, same, z3.And(one[0] == other[0], threads, allowed), told,
                seen=z3.And(here.threaded, here.direct, here.account != there.account))  # fmt: skip
    yield Claim(
        "what is one has one key", given, z3.And(one[0] == other[0], threads, allowed), same, told, seen=here.threaded
    )


_THEOREMS = (
    Theorem("different-parts-different-keys", "two rows of parts, of any number and any bytes, never have one key", _reads_back),
    Theorem("people-apart-by-key", "two places have one key exactly if the settings make them one: whatever agents, people, rooms and threads are called",
            _apart),
)  # fmt: skip


def theory() -> Theory:
    """The theory."""
    reds = (
        Red("leaves the separator as it is", "different-parts-different-keys", "plain", lambda byte: z3.Or(plain(byte), byte == _SLASH)),
        Red("leaves the sign of escapes as it is", "different-parts-different-keys", "plain", lambda byte: z3.Or(plain(byte), byte == _PERCENT)),
        Red("writes one digit of an escape", "different-parts-different-keys", "escaped", lambda byte: z3.Concat(z3.StringVal("%"), digit(byte % 16))),
        Red("joins parts without anything", "different-parts-different-keys", "separator", lambda: z3.StringVal("")),
        Red("knows people by their name alone", "people-apart-by-key", "peer", lambda at, words: [words.direct, at.person[1]]),
        Red("forgets the account", "people-apart-by-key", "channel_peer", lambda at, words: [words.direct, at.channel, at.peer]),
        Red("calls a room a person", "people-apart-by-key", "group", lambda at, words: [words.direct, at.channel, at.account, at.room]),
        Red("does not say that a thread is one", "people-apart-by-key", "in_thread", lambda at, _: [at.thread]),
    )  # fmt: skip
    planted = (
        Planted("forgets the account", Patch(code, "_direct", lambda real: lambda settings, place: real(settings, place._replace(account="")))),
        Planted("forgets threads", Patch(code, "session_key", lambda real: lambda settings, agent, place: real(settings, agent, place._replace(thread="")))),
    )  # fmt: skip
    loose = Planted(
        "leaves slashes", Patch(code, "quote", lambda real: lambda text, **given: real(text, **{**given, "safe": "/"}))
    )
    return Theory(
        "keys", "keys of sessions, for all names and any number of parts", Operators(), _THEOREMS, reds,
        (
            Tie("how a part is written", encoded_text, run_text, sample_text, (loose,), every_text, samples=10),
            Tie("the parts of a key", encoded, run, sample, planted, samples=30),
        ),
    )  # fmt: skip
