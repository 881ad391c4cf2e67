"""The theory type: rules of ours for a solver (*operators*), theorems about them, and ties between them and the code
that runs.

A theorem is a few claims, each for all values of its variables. What holds of any number of things is claimed of none, and of one more
in an arbitrary state for which it holds (`induction`). A mutant changes one operator, and the theorem that it names must fail with a story. A tie evaluates the
operators, step by step, on values, and compares with what the code gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from random import Random

    from remit.models.explore.model import Patch

Term: TypeAlias = Any  # of the solver
Told: TypeAlias = tuple[tuple[str, Any], ...]  # what a story tells: words, and the term whose value follows them
Operators: TypeAlias = Any  # a NamedTuple of functions over terms


class Claim(NamedTuple):
    """For all values: if `given` and `when` hold, then `then` does. All of that must be possible together, and with
    `seen`.
    """

    name: str
    given: tuple[Term, ...]
    when: Term
    then: Term
    told: Told
    seen: Term = True  # the case for whose sake it is claimed; the claim is not about this one alone


class Theorem(NamedTuple):
    """A property for all sizes, in one sentence."""

    name: str
    says: str
    claims: Callable[[Operators], Iterable[Claim]]


class Mutant(NamedTuple):
    """One operator replaced by a wrong one, and the theorem that must notice.

    `tied`: the ties notice it too, so that operators cannot differ from the code. False for operators that model the environment.
    """

    name: str
    invariant: str  # the name of the theorem
    operator: str
    wrong: Callable[..., Any]
    tied: bool = True


class Planted(NamedTuple):
    """A difference seeded in the code that runs, which the tie must notice."""

    name: str
    patch: Patch


class Tie(NamedTuple):
    """A comparison of operators and code. `sample` draws a case; `every` has all small ones."""

    name: str
    encoded: Callable[[Operators, Any], Any]
    code: Callable[[Any], Any]
    sample: Callable[[Random], Any]
    planted: tuple[Planted, ...]
    every: Callable[[], Iterable[Any]] = tuple
    samples: int = 60  # how many are drawn for a check; tests draw more


class Theory(NamedTuple):
    """The rules of one part, and what is proved of them."""

    name: str
    about: str
    operators: Operators
    theorems: tuple[Theorem, ...]
    mutants: tuple[Mutant, ...]
    ties: tuple[Tie, ...]

    @property
    def properties(self) -> tuple[Theorem, ...]:
        """All theorems."""
        return self.theorems

    def theorem(self, name: str) -> Theorem | None:
        """The theorem of this name."""
        return next((one for one in self.theorems if one.name == name), None)


class State(NamedTuple):
    """A state before or after a step of an induction, and what must hold of it."""

    holds: Term
    told: Told


def induction(
    first: State, before: State, after: State, *, given: tuple[Term, ...] = (), seen: Term = True
) -> tuple[Claim, Claim]:
    """Return base case and step: it holds at first, and if it holds before a step, it holds after any step. `seen`: a
    step in which something happens.
    """
    return (
        Claim("at first", given, True, first.holds, first.told),
        Claim("one more", (*given, before.holds), True, after.holds, (*before.told, *after.told), seen),
    )
