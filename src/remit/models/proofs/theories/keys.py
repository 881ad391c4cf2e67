"""Theory of session keys, for all names and any number of parts. The rules are in `_keys`.

First how parts are written: a key is a row of bytes and separators, and whoever reads it gets the first of them, and the rest of the key, back: so no two rows have one key, by induction over their
length. Then which parts there are: names are of an uninterpreted sort, and may be what they like, `main` and `thread` too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote, unquote

import z3

from remit.gateway.inbound import routing
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.models.explore.model import Patch
from remit.models.proofs.solver import choose, value
from remit.models.proofs.theory import Claim, Mutant, Planted, Term, Theorem, Theory, Tie

if TYPE_CHECKING:
    from random import Random


SCOPE, _SCOPES = z3.EnumSort("Scope", [str(one) for one in routing.Scope])
SCOPES = dict(zip(routing.Scope, _SCOPES, strict=True))
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


class KeyRules(NamedTuple):
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


def written(rules: KeyRules, byte: Term) -> Signs:
    """A byte of a part."""
    return choose(rules.plain(byte), one_sign(byte), rules.escaped(byte))


def parts(rules: KeyRules, agent: Term, at: At, words: Words, nothing: Term) -> tuple[Term, list[Term]]:
    """How many parts a key has, and which; `nothing` fills up."""
    choices = (
        (z3.Not(at.direct), rules.group(at, words)),
        (at.scope == SCOPES[routing.Scope.MAIN], [words.main]),
        (at.scope == SCOPES[routing.Scope.PEER], rules.peer(at, words)),
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


class KeyCase(NamedTuple):
    """An agent, a place, and the scope of its channel."""

    agent: str
    place: ChatAddress
    scope: routing.Scope


def sample(random: Random) -> KeyCase:
    """A place, of names that look like something else."""
    some = [random.choice(_TEXTS) for _ in range(6)]
    kind, scope = (
        random.choice((ConversationKind.DIRECT, ConversationKind.DIRECT, ConversationKind.GROUP)),
        random.choice(tuple(routing.Scope)),
    )
    return KeyCase(some[0], ChatAddress(some[1], some[2], kind, some[3], some[4], some[5]), scope)


def _key(case: KeyCase) -> str:
    return routing.session_key(routing.Sessions(case.scope), case.agent, case.place)


def encoded(rules: KeyRules, case: KeyCase) -> Any:
    """The parts of a key."""
    place = case.place
    channel, account, speaker, room, thread = (z3.StringVal(one) for one in (*place[:2], *place[3:]))
    direct, threaded = z3.BoolVal(place.kind is ConversationKind.DIRECT), z3.BoolVal(bool(place.thread))
    at = At(direct, SCOPES[case.scope], channel, account, speaker, (channel, speaker), room, threaded, thread)
    words = Words(*map(z3.StringVal, Words._fields))
    count, slots = parts(rules, z3.StringVal(case.agent), at, words, z3.StringVal(""))
    return tuple(map(value, slots[: value(count)]))


def run(case: KeyCase) -> Any:
    """What the code says."""
    return tuple(map(unquote, _key(case).split("/")))


def sample_text(random: Random) -> str:
    """Some text, with what is no character too."""
    return "".join(chr(random.choice((random.randrange(128), random.randrange(0x3000), 0xD800))) for _ in range(4))


def every_text() -> Iterator[str]:
    """Every character of ASCII."""
    yield from map(chr, range(128))


def encoded_text(rules: KeyRules, text: str) -> Any:
    """How a part is written, before the next."""
    told = [_byte(rules.plain, rules.escaped, byte) for byte in text.encode("utf-8", "surrogatepass")]
    return "".join(told) + _text(rules.separator()) + "main"


def _text(signs: Signs) -> str:
    size, *numbers = map(value, signs)
    return "".join(map(chr, numbers[:size]))


@cache
def _byte(plain: Callable[[Term], Term], escaped: Callable[[Term], Signs], byte: int) -> str:
    return _text(written(KeyRules(plain, escaped), z3.IntVal(byte)))


def run_text(text: str) -> Any:
    """What the code says."""
    return routing.session_key(
        routing.Sessions(routing.Scope.MAIN), text, ChatAddress("c", "a", ConversationKind.DIRECT, "p")
    )


_NAME = z3.DeclareSort("Name")
_SLASH, _PERCENT = (ord(one) for one in "/%")


def _sign(signs: Signs, rest: Term, place: int) -> Term:
    """What stands at a place of a text that begins with some signs; `rest` is all that follows, a function of places."""
    here = (signs.first, signs.second, signs.third)[place]
    return z3.If(place < signs.size, here, rest(place - signs.size))


def _unhex(number: Term) -> Term:
    return z3.If(number < ord("A"), number - ord("0"), number - ord("A") + 10)


def _reads_back(rules: KeyRules) -> Iterator[Claim]:
    """A byte and any rest, a separator and any rest: each is told from the other and found again, as is where the rest begins."""
    byte, rest = z3.Int("byte"), z3.Function("rest", z3.IntSort(), z3.IntSort())

    def read(signs: Signs) -> tuple[Term, Term, Term]:
        """What a reader finds: whether a separator is first, else which byte, and how many signs that is."""
        first, second, third = (_sign(signs, rest, place) for place in range(3))
        escape = first == _PERCENT
        return first == _SLASH, z3.If(escape, 16 * _unhex(second) + _unhex(third), first), z3.If(escape, 3, 1)

    signs, given = written(rules, byte), (byte >= 0, byte < 256)
    is_separator, found, size = read(signs)
    told = (("a byte", byte), ("its first sign", signs.first), ("a reader finds", found), ("and goes on after", size))
    yield Claim("a byte", given, True, z3.And(z3.Not(is_separator), found == byte), told, seen=byte == _SLASH)
    yield Claim("the rest", given, True, z3.And(size == signs.size, size >= 1), told, seen=byte == _PERCENT)
    between = rules.separator()
    is_separator, _, size = read(between)
    shown = (("the separator's size", between.size), ("a reader finds one", is_separator), ("and goes on after", size))
    yield Claim("a separator", (), True, z3.And(is_separator, size == between.size), shown)


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


def _same_key(rules: KeyRules, one: tuple[Term, At], other: tuple[Term, At]) -> Term:
    (count, slots), (number, others) = (parts(rules, *it, _WORDS, _NOTHING) for it in (one, other))
    return z3.And(count == number, *(a == b for a, b in zip(slots, others, strict=True)))


def _apart(rules: KeyRules) -> Iterator[Claim]:
    """One key: one agent, one thread, and what the settings make one."""
    one, other = _anywhere("one"), _anywhere("other")
    (_, here), (_, there) = one, other
    same = _same_key(rules, one, other)
    both = z3.And(here.direct, there.direct, here.scope == there.scope)
    place = z3.And(here.channel == there.channel, here.account == there.account)
    allowed = z3.Or(
        z3.And(both, here.scope == SCOPES[routing.Scope.MAIN]),
        z3.And(
            both,
            here.scope == SCOPES[routing.Scope.PEER],
            here.person[0] == there.person[0],
            here.person[1] == there.person[1],
        ),
        z3.And(both, here.scope == SCOPES[routing.Scope.CHANNEL_PEER], place, here.peer == there.peer),
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
    Theorem("different-parts-different-keys", "two different lists of parts, of any number and any bytes, never have the same key", _reads_back),
    Theorem("people-apart-by-key", "two conversations have the same key exactly if the settings join them, for any names of agents, people, rooms and threads",
            _apart),
)  # fmt: skip


def theory() -> Theory:
    """The theory."""
    mutants = (
        Mutant("leaves the separator as it is", "different-parts-different-keys", "plain", lambda byte: z3.Or(plain(byte), byte == _SLASH)),
        Mutant("leaves the sign of escapes as it is", "different-parts-different-keys", "plain", lambda byte: z3.Or(plain(byte), byte == _PERCENT)),
        Mutant("writes one digit of an escape", "different-parts-different-keys", "escaped", lambda byte: Signs(z3.IntVal(2), z3.IntVal(_PERCENT), digit(byte % 16), z3.IntVal(0))),
        Mutant("joins parts without anything", "different-parts-different-keys", "separator", lambda: Signs(*[z3.IntVal(0)] * 4)),
        Mutant("knows people by their name alone", "people-apart-by-key", "peer", lambda at, words: [words.direct, at.person[1]]),
        Mutant("forgets the account", "people-apart-by-key", "channel_peer", lambda at, words: [words.direct, at.channel, at.peer]),
        Mutant("calls a room a person", "people-apart-by-key", "group", lambda at, words: [words.direct, at.channel, at.account, at.room]),
        Mutant("does not say that a thread is one", "people-apart-by-key", "in_thread", lambda at, _: [at.thread]),
    )  # fmt: skip
    planted = (
        Planted("forgets the account", Patch(routing, "_direct", lambda real: lambda settings, place: real(settings, place._replace(account="")))),
        Planted("forgets threads", Patch(routing, "session_key", lambda real: lambda settings, agent, place: real(settings, agent, place._replace(thread="")))),
    )  # fmt: skip
    loose = Planted(
        "leaves slashes", Patch(routing, "_quoted", lambda _: lambda part: quote(part, "/", errors="surrogatepass"))
    )
    return Theory(
        "keys", "keys of sessions, for all names and any number of parts", KeyRules(), _THEOREMS, mutants,
        (
            Tie("how a part is written", encoded_text, run_text, sample_text, (loose,), every_text, samples=10),
            Tie("the parts of a key", encoded, run, sample, planted, samples=30),
        ),
    )  # fmt: skip
