"""Theory of the audit chain (`audit/entry.py`), for logs of any length.

A hash is an uninterpreted function of texts that gives two texts one hash only if they are one: that is believed of SHA-256, and nothing else is. What is
hashed is the texts of the code, byte for byte (as characters): a domain, the hash before, and the record.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import z3

from remit.audit import entry as code
from remit.audit import verify
from remit.audit.entry import Entry, RecordKind
from remit.models.explore.model import Patch
from remit.models.proofs.solver import characters, value
from remit.models.proofs.theory import Claim, Mutant, Planted, State, Term, Theorem, Theory, Tie, induction

if TYPE_CHECKING:
    from random import Random


_BYTES = z3.Int("bytes of a hash")  # any number, but always the same
_TEXT = z3.StringSort()
_hash = z3.Function("hash", _TEXT, _TEXT)
_unhash = z3.Function("what has the hash", _TEXT, _TEXT)  # that there is one says that no two texts have one hash


def record(previous: Term, text: Term) -> Term:
    """Return the hashed text of a record."""
    return z3.Concat(characters(code._RECORD), previous, text)  # noqa: SLF001  the very bytes


def beginning(log: Term) -> Term:
    """Return the hashed text of the beginning of a log."""
    return z3.Concat(characters(code._LOG), log)  # noqa: SLF001


class ChainRules(NamedTuple):
    """The rules."""

    record: Callable[[Term, Term], Term] = record
    beginning: Callable[[Term], Term] = beginning


def _hashed(text: Term) -> tuple[Term, tuple[Term, ...]]:
    """Return the hash of a text, and the assumption about it."""
    found = _hash(text)
    return found, (_unhash(found) == text, z3.Length(found) == _BYTES, _BYTES >= 1)


class Log(NamedTuple):
    """Any log: what its last record stands on, that record, its hash; and what is known of hashes."""

    before: Term
    text: Term
    head: Term
    known: tuple[Term, ...]


def _log(rules: ChainRules, name: str) -> Log:
    before, text = z3.Strings(f"head-before-{name} record-{name}")
    head, known = _hashed(rules.record(before, text))
    return Log(before, text, head, (*known, z3.Length(before) == _BYTES))


def _any_change(rules: ChainRules) -> Iterator[Claim]:
    """Two logs of one length with the same head have the same records: `which` is an arbitrary one."""
    one, other = _log(rules, "one"), _log(rules, "other")
    k, which = z3.Ints("records which")
    texts = [z3.Function(f"records of {name}", z3.IntSort(), _TEXT) for name in ("one", "other")]

    def agree(count: Term, first: Term, second: Term) -> State:
        same = texts[0](which) == texts[1](which)
        told = (
            ("records", count),
            ("the heads are the same", first == second),
            ("which record", which),
            ("it is the same", same),
        )
        return State(z3.Implies(z3.And(first == second, which >= 0, which < count), same), told)

    given = (*one.known, *other.known, texts[0](k) == one.text, texts[1](k) == other.text, k >= 0)
    yield from induction(
        agree(z3.IntVal(0), one.before, one.before), agree(k, one.before, other.before), agree(k + 1, one.head, other.head),
        given=given, seen=z3.And(one.head != other.head, which >= 0, which <= k),
    )  # fmt: skip


def _removal(rules: ChainRules) -> Iterator[Claim]:
    """If one log is shorter, by any number, their heads differ."""
    one, other, name = _log(rules, "one"), _log(rules, "other"), z3.String("log")
    begin, known = _hashed(rules.beginning(name))
    told = (("the shorter ends on", one.head), ("the longer on", other.head))
    first = State(begin != other.head, (("the log", name), ("the longer has the record", other.text)))
    before, after = State(one.before != other.before, told), State(one.head != other.head, told)
    yield from induction(first, before, after, given=(*one.known, *other.known, *known), seen=one.text == other.text)


def _swap(rules: ChainRules) -> Iterator[Claim]:
    """If two different adjacent records change places, the head differs."""
    start, first, second = z3.Strings("start first second")

    def both(one: Term, two: Term) -> tuple[Term, tuple[Term, ...]]:
        middle, known = _hashed(rules.record(start, one))
        end, more = _hashed(rules.record(middle, two))
        return end, (*known, *more)

    here, known = both(first, second)
    there, more = both(second, first)
    told = (("one record", first), ("the next", second), ("the heads are the same", here == there))
    yield Claim(
        "two that change places", (*known, *more, z3.Length(start) == _BYTES), first != second, here != there, told
    )


def _other_log(rules: ChainRules) -> Iterator[Claim]:
    """A record of one log in another changes the head, because it depends on the beginning."""
    one, other = z3.Strings("log-one log-other")
    (here, known), (there, more) = _hashed(rules.beginning(one)), _hashed(rules.beginning(other))
    told = (("a log", one), ("another", other), ("they begin the same", here == there))
    yield Claim("the beginning", (*known, *more), one != other, here != there, told)
    logs = _log(rules, "one"), _log(rules, "other")
    shown = (
        ("the records are the same", logs[0].text == logs[1].text),
        ("and the heads", logs[0].head == logs[1].head),
    )
    known = (*logs[0].known, *logs[1].known)
    yield Claim("one more record", known, logs[0].before != logs[1].before, logs[0].head != logs[1].head, shown,
                seen=logs[0].text == logs[1].text)  # fmt: skip


_THEOREMS = (
    Theorem("any-change-changes-the-head", "two logs of any length with the same head have the same records", _any_change),
    Theorem("any-removal-changes-the-head", "removing any number of records from a log changes its head", _removal),
    Theorem("any-swap-changes-the-head", "swapping two different neighbouring records changes the head, at any position", _swap),
    Theorem("no-record-fits-another-log", "the same records in a log of another name have another head", _other_log),
)  # fmt: skip


class ChainCase(NamedTuple):
    """A log, and the texts of its records."""

    log: str
    texts: tuple[str, ...]


def _sample(random: Random) -> ChainCase:
    log = random.randbytes(4).hex()
    entries = [
        Entry(kind=RecordKind.ENVELOPE, session=random.choice("ab"), reason="x" * random.randint(0, 3))
        for _ in range(3)
    ]
    return ChainCase(log, tuple(code.written(number, 7, entry).decode() for number, entry in enumerate(entries, 1)))


def _sha(text: Term) -> bytes:
    return hashlib.sha256(str(value(text)).encode("latin-1")).digest()


def _encoded(rules: ChainRules, case: ChainCase) -> Any:
    """The hash at the beginning, and after each record; and that such a log is believed."""
    heads = [_sha(rules.beginning(z3.StringVal(case.log)))]
    for text in case.texts:
        heads.append(_sha(rules.record(characters(heads[-1]), z3.StringVal(text))))
    return tuple(heads), len(case.texts)


def _code(case: ChainCase) -> Any:
    """Return the log as written, and as read with the writer's hashes."""
    heads = [code.genesis(case.log)]
    for text in case.texts:
        heads.append(code.link(heads[-1], text.encode()))
    stored = [verify.Stored(number, text.encode(), heads[number]) for number, text in enumerate(case.texts, 1)]
    read = verify.check(case.log, stored, (), {})
    return tuple(heads), read.records if isinstance(read, verify.IntactLog) else read.number


def theory() -> Theory:
    """The theory."""
    domain = characters(code._RECORD)  # noqa: SLF001
    mutants = (
        Mutant("hashes the record alone", "any-change-changes-the-head", "record", lambda _, text: z3.Concat(domain, text)),
        Mutant("hashes what came before alone", "any-swap-changes-the-head", "record", lambda previous, _: z3.Concat(domain, previous)),
        Mutant("does not tell beginnings from records", "any-removal-changes-the-head", "record", lambda previous, text: z3.Concat(characters(code._LOG), previous, text)),  # noqa: SLF001
        Mutant("begins every log alike", "no-record-fits-another-log", "beginning", lambda _: characters(code._LOG)),  # noqa: SLF001
    )  # fmt: skip
    planted = (
        Planted("hashes the record alone", Patch(code, "link", lambda real: lambda _, text: real(b"", text))),
        Planted("has another domain", Patch(code, "_RECORD", lambda _: b"remit audit record 2\0")),
        Planted("begins every log alike", Patch(code, "genesis", lambda real: lambda _: real(""))),
        Planted("reads by another rule than it writes", Patch(verify, "link", lambda real: lambda previous, text: real(previous[::-1], text))),
    )  # fmt: skip
    return Theory(
        "chain", "the audit log of any length, if no two texts have one hash", ChainRules(), _THEOREMS, mutants,
        (Tie("hashes, record by record", _encoded, _code, _sample, planted, samples=6),),
    )  # fmt: skip
