"""The laws of decisions, which a solver proves for any number of entries, layers, requests and principals.

Each law is about one more entry, or one more answer, in an arbitrary state: what one more never does, no number of them does. A law
that does not hold comes with values that break it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from remit.core.errors import InputError
from remit.manifest.model import Verification
from remit.models.ruling import (
    AUTHORITIES,
    CHANGES,
    PRIORITIES,
    CallDecision,
    CallFacts,
    CombinedEntries,
    Entry,
    RequestAnswer,
    Ruling,
)
from remit.policy.logic import all_of, implies, same
from remit.proof.sessions.smtlib import LOGIC, body
from remit.proof.sessions.solvers import ask, model
from remit.proof.sessions.terms import Bits, Term, Terms

if TYPE_CHECKING:
    from remit.policy.gate import Standing


Rules: TypeAlias = "Ruling[Term, Bits]"
K = TypeVar("K")
_WIDTH = 2  # bits of an authority or a priority


class LawCase:
    """An arbitrary state: variables for everything that a law mentions."""

    def __init__(self, make: Callable[[Terms], Rules]) -> None:
        self.terms = Terms(_WIDTH)
        self.rules = make(self.terms)
        self.given = self.terms.true  # what surely is so: numbers in their range, one level, one change
        self.reached: list[Term] = []  # what the law is about: each must be possible

    def truth(self, name: str) -> Term:
        """A truth value."""
        return self.terms.variable(name)

    def number(self, name: str, end: int) -> Bits:
        """A number below `end`."""
        found = self.terms.bits(name, _WIDTH)
        self.given = self.terms.both(self.given, self.terms.below(found, end))
        return found

    def entry(self, name: str) -> Entry[Term, Bits]:
        """Any entry."""
        truths = (self.truth(f"{name}.{field}") for field in Entry._fields[:-2])
        return Entry._make((*truths, *self._rank(name)))

    def heard(self, name: str) -> CombinedEntries[Term, Bits]:
        """Return an arbitrary consistent state of heard entries."""
        truths = (self.truth(f"{name}.{field}") for field in CombinedEntries._fields[:-2])
        found: CombinedEntries[Term, Bits] = CombinedEntries._make((*truths, *self._rank(name)))
        self.assume(implies(self.terms, found.fits, found.held), implies(self.terms, found.fits, found.decided))
        return found

    def reply(self, name: str) -> RequestAnswer[Term]:
        """Return any answer; a denied one asks nothing."""
        found: RequestAnswer[Term] = RequestAnswer(*(self.truth(f"{name}.{field}") for field in RequestAnswer._fields))
        self.assume(implies(self.terms, found.hard, found.denied), -self.terms.both(found.denied, found.asks))
        return found

    def asked(self, name: str) -> CallFacts[Term]:
        """Anything else about a call."""
        return CallFacts(*(self.truth(f"{name}.{field}") for field in CallFacts._fields))

    def level(self) -> Mapping[Verification, Term]:
        """Any level, and only one."""
        return self._one_of("level", Verification)

    def change(self) -> Mapping[Standing, Term]:
        """Any change, and only one."""
        return self._one_of("change", CHANGES)

    def assume(self, *claims: Term) -> None:
        """Assume these claims from now on."""
        self.given = all_of(self.terms, (self.given, *claims))

    def implies(self, one: Term, other: Term) -> Term:
        """A claim about what the first holds of."""
        self.reached.append(one)
        return implies(self.terms, one, other)

    def stricter(self, one: RequestAnswer[Term], other: RequestAnswer[Term]) -> Term:
        """Whether an answer is at least as strict as another."""
        terms = self.terms
        return all_of(
            terms,
            (
                implies(terms, other.denied, one.denied),
                implies(terms, other.hard, one.hard),
                implies(terms, other.asks, terms.either(one.asks, one.denied)),
            ),
        )

    def not_freer(self, one: CallDecision[Term], other: CallDecision[Term]) -> Term:
        """Return whether a call is at most as permissive as another."""
        terms = self.terms
        return terms.both(implies(terms, other.denied, one.denied), implies(terms, one.allowed, other.allowed))

    def _rank(self, name: str) -> tuple[Bits, Bits]:
        return self.number(f"{name}.authority", AUTHORITIES), self.number(f"{name}.priority", PRIORITIES)

    def _one_of(self, name: str, kinds: Iterable[K]) -> dict[K, Term]:
        found = {kind: self.truth(f"{name}.{kind}") for kind in kinds}
        values = list(found.values())
        self.assume(*(-self.terms.both(one, two) for at, one in enumerate(values) for two in values[:at]))
        self.assume(-all_of(self.terms, (-one for one in values)))
        return found


def _deny_wins(case: LawCase) -> Iterable[Term]:
    rules, terms, heard, entry = case.rules, case.terms, case.heard("heard"), case.entry("entry")
    after = rules.hear(heard, entry)
    yield case.implies(terms.either(heard.denied, terms.both(entry.denies, entry.meets)), after.denied)
    answer = rules.answer(heard, case.truth("low"), case.level(), case.change())
    yield case.implies(heard.denied, terms.both(answer.denied, answer.hard))
    one, two = case.reply("one"), case.reply("two")
    yield case.implies(terms.either(one.hard, two.hard), rules.join(one, two).hard)
    yield case.implies(one.hard, rules.outcome(one, two, case.asked("call")).denied)


def _default_deny(case: LawCase) -> Iterable[Term]:
    rules, terms, heard, entry = case.rules, case.terms, case.heard("heard"), case.entry("entry")
    yield -rules.silence().fits
    gives = all_of(terms, (entry.holds, entry.fits, -entry.denies, -entry.only_asks))
    yield case.implies(-terms.either(heard.fits, gives), -rules.hear(heard, entry).fits)
    answer = rules.answer(heard, case.truth("low"), case.level(), case.change())
    yield case.implies(-heard.fits, answer.denied)
    first, other, asked = case.reply("first"), case.reply("other"), case.asked("call")
    yield case.implies(terms.both(first.denied, other.denied), rules.outcome(first, other, asked).denied)


def _monotone(case: LawCase) -> Iterable[Term]:
    """A further denial, request, delegator, task or doubt never frees: by steps that keep one session stricter than another."""
    rules, terms, heard, entry = case.rules, case.terms, case.heard("heard"), case.entry("entry")
    worse = heard._replace(denied=terms.either(heard.denied, case.truth("denial")))
    one, two = rules.hear(heard, entry), rules.hear(worse, entry)
    yield case.implies(one.denied, two.denied)
    yield all_of(
        terms, (same(terms, first, second) for first, second in zip(_flat(one)[1:], _flat(two)[1:], strict=True))
    )
    denial = rules.hear(heard, entry._replace(denies=terms.true))
    yield all_of(terms, (same(terms, a, b) for a, b in zip(_flat(denial)[1:], _flat(heard)[1:], strict=True)))
    low, level, change = case.truth("low"), case.level(), case.change()
    yield case.stricter(rules.answer(worse, low, level, change), rules.answer(heard, low, level, change))
    first, further, other, asked = case.reply("first"), case.reply("further"), case.reply("other"), case.asked("call")
    more = rules.join(first, further)
    yield case.stricter(more, first)
    plain = rules.outcome(first, other, asked)
    yield case.not_freer(rules.outcome(more, other, asked), plain)
    yield case.not_freer(rules.outcome(first, rules.join(other, further), asked), plain)
    yield case.not_freer(rules.outcome(first, other, asked._replace(doubt=terms.true)), plain)


def _no_cross_skill(case: LawCase) -> Iterable[Term]:
    """What is allowed without consent is allowed to the first principal by itself, whatever others exist."""
    rules, terms = case.rules, case.terms
    first, other, asked = case.reply("first"), case.reply("other"), case.asked("call")
    found = rules.outcome(first, other, asked)
    alone = rules.outcome(first, other, asked._replace(another=terms.false))
    unasked = terms.both(found.allowed, -asked.approved)
    yield case.implies(unasked, terms.both(alone.allowed, -terms.either(first.denied, first.asks)))
    yield case.implies(terms.both(asked.runs, first.denied), found.denied)


def _delegates(case: LawCase) -> Iterable[Term]:
    rules, own, sender = case.rules, case.reply("own"), case.reply("sender")
    other, asked = case.reply("other"), case.asked("call")
    chain = rules.join(own, sender)
    yield case.stricter(chain, sender)
    yield case.not_freer(rules.outcome(chain, other, asked), rules.outcome(sender, other, asked))


def _approval(case: LawCase) -> Iterable[Term]:
    rules, terms = case.rules, case.terms
    first, other, asked = case.reply("first"), case.reply("other"), case.asked("call")
    agreed = rules.outcome(first, other, asked._replace(approved=terms.true))
    silent = rules.outcome(first, other, asked._replace(approved=terms.false))
    yield same(terms, agreed.denied, silent.denied)
    yield case.implies(agreed.denied, -agreed.allowed)
    yield case.implies(silent.asks, -silent.allowed)


def _people_decide(case: LawCase) -> Iterable[Term]:
    """No manifest outranks a workspace or person that asks, at any priority; at a tie the entry that asks decides."""
    rules, terms, heard, entry = case.rules, case.terms, case.heard("heard"), case.entry("entry")
    after = rules.hear(heard, entry)
    zero = terms.zero
    people = all_of(terms, (heard.decided, heard.asks, -terms.equal(heard.authority, zero)))
    yield case.implies(terms.both(people, terms.equal(entry.authority, zero)), after.asks)
    tie = all_of(
        terms,
        (
            heard.decided,
            rules.speaks(entry),
            terms.equal(entry.authority, heard.authority),
            terms.equal(entry.priority, heard.priority),
        ),
    )
    yield case.implies(terms.both(tie, terms.either(heard.asks, entry.asks)), after.asks)


def _asks_never_grant(case: LawCase) -> Iterable[Term]:
    rules, terms, heard, entry = case.rules, case.terms, case.heard("heard"), case.entry("entry")
    after = rules.hear(heard, entry._replace(only_asks=terms.true, asks=terms.true))
    yield terms.both(same(terms, after.fits, heard.fits), same(terms, after.held, heard.held))
    low, level, change = case.truth("low"), case.level(), case.change()
    yield case.stricter(rules.answer(after, low, level, change), rules.answer(heard, low, level, change))


def _levels(case: LawCase) -> Iterable[Term]:
    """A better level never asks more, one that is too low denies, and without any only what changes nothing is unasked."""
    rules, terms, heard, change = case.rules, case.terms, case.heard("heard"), case.change()
    low = case.truth("low")
    order = list(Verification)
    at = [{level: terms.true if level is one else terms.false for level in order} for one in order]
    answers = [rules.answer(heard, low, level, change) for level in at]
    for worse, better in pairwise(answers):
        yield case.stricter(worse, better)
    yield case.implies(low, answers[-1].denied)
    skills = terms.equal(heard.authority, terms.zero)
    changes = -change[CHANGES[0]]
    yield case.implies(terms.both(skills, changes), terms.either(answers[0].denied, answers[0].asks))


def _unknown(case: LawCase) -> Iterable[Term]:
    """A doubtful call runs only if a person agreed; an entry whose limits are not known to hold grants nothing."""
    rules, terms, heard, entry = case.rules, case.terms, case.heard("heard"), case.entry("entry")
    first, other, asked = case.reply("first"), case.reply("other"), case.asked("call")
    found = rules.outcome(first, other, asked)
    yield case.implies(terms.both(asked.doubt, -asked.approved), -found.allowed)
    yield case.implies(-terms.either(heard.fits, entry.fits), -rules.hear(heard, entry).fits)


LAWS: Mapping[str, Callable[[LawCase], Iterable[Term]]] = {
    "a denial overrides every layer, priority, grant and approval": _deny_wins,
    "a request that no entry grants is denied": _default_deny,
    "an additional restriction never allows more": _monotone,
    "the rights of two principals are never combined": _no_cross_skill,
    "a delegate has at most the rights of its caller": _delegates,
    "an approval never overrides a denial, and a call that needs approval never runs without it": _approval,
    "people take precedence over manifests, and in a tie the entry that needs approval decides": _people_decide,
    "an entry that only requires approval grants nothing": _asks_never_grant,
    "a higher evidence level never needs more approvals": _levels,
    "missing information never allows more": _unknown,
}


class BrokenLaw(NamedTuple):
    """A law that fails, and values that break it."""

    law: str
    example: Mapping[str, bool]


class LawText(NamedTuple):
    """A law in SMT-LIB: names, what is given, what is claimed, and what that is about; each a text that can be asserted."""

    names: tuple[str, ...]
    given: str
    claims: tuple[str, ...]
    reached: tuple[str, ...]


def said(law: str, make: Callable[[Terms], Rules] = Ruling) -> LawText:
    """A law of these rules."""
    case = LawCase(make)
    claims, terms = tuple(LAWS[law](case)), case.terms
    texts = (tuple(body(terms, one) for one in some) for some in ((case.given,), claims, case.reached))
    (given,), claimed, reached = texts
    return LawText(tuple(terms.names.values()), given, claimed, reached)


def proved(law: str, make: Callable[[Terms], Rules] = Ruling, solver: str = "z3") -> BrokenLaw | None:
    """Return None if these rules satisfy a law in every case. No answer of the solver is no proof, and an error."""
    case = LawCase(make)
    claim = all_of(case.terms, LAWS[law](case))
    text = _text(case, case.terms.both(case.given, -claim))
    said = ask(solver, text + "(check-sat)\n").finish()
    words = getattr(said, "out", b"").split()
    if words == [b"unsat"]:
        return None
    found = model(solver, text + "(check-sat)\n(get-model)\n") if words == [b"sat"] else None
    if found is None:
        raise InputError(
            f"{solver} gives no answer about: {law}", "see that it is installed: `pip install 'remit[prove]'`"
        )
    return BrokenLaw(law, found)


def _text(case: LawCase, claim: Term) -> str:
    declared = (f"(declare-const {name} Bool)" for name in case.terms.names.values())
    return "\n".join((LOGIC, *declared, f"(assert {body(case.terms, claim)})")) + "\n"


def _flat(heard: CombinedEntries[Term, Bits]) -> list[Term]:
    return [*heard[:5], *heard.authority, *heard.priority]
