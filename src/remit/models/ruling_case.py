"""Any state of affairs of which the laws of decisions speak (`ruling_laws.py`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from remit.manifest.model import Verification
from remit.models.ruling import AUTHORITIES, CHANGES, PRIORITIES, Answer, Asked, Entry, Heard, Outcome, Ruling
from remit.policy.logic import all_of, implies
from remit.proof.sessions.terms import Bits, Term, Terms

if TYPE_CHECKING:
    from remit.policy.gate import Standing

Rules: TypeAlias = "Ruling[Term, Bits]"
K = TypeVar("K")
_WIDTH = 2  # bits of an authority or a priority


class Case:
    """Any state of affairs: variables for everything that a law speaks of."""

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

    def heard(self, name: str) -> Heard[Term, Bits]:
        """Whatever was heard before: what fits is held, and whoever decides is there."""
        truths = (self.truth(f"{name}.{field}") for field in Heard._fields[:-2])
        found: Heard[Term, Bits] = Heard._make((*truths, *self._rank(name)))
        self.assume(implies(self.terms, found.fits, found.held), implies(self.terms, found.fits, found.decided))
        return found

    def reply(self, name: str) -> Answer[Term]:
        """Any answer: one that is denied asks nothing."""
        found: Answer[Term] = Answer(*(self.truth(f"{name}.{field}") for field in Answer._fields))
        self.assume(implies(self.terms, found.hard, found.denied), -self.terms.both(found.denied, found.asks))
        return found

    def asked(self, name: str) -> Asked[Term]:
        """Anything else about a call."""
        return Asked(*(self.truth(f"{name}.{field}") for field in Asked._fields))

    def level(self) -> Mapping[Verification, Term]:
        """Any level, and only one."""
        return self._one_of("level", Verification)

    def change(self) -> Mapping[Standing, Term]:
        """Any change, and only one."""
        return self._one_of("change", CHANGES)

    def assume(self, *claims: Term) -> None:
        """From now on these hold."""
        self.given = all_of(self.terms, (self.given, *claims))

    def implies(self, one: Term, other: Term) -> Term:
        """A claim about what the first holds of."""
        self.reached.append(one)
        return implies(self.terms, one, other)

    def stricter(self, one: Answer[Term], other: Answer[Term]) -> Term:
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

    def not_freer(self, one: Outcome[Term], other: Outcome[Term]) -> Term:
        """Whether a call comes to no more than another."""
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
