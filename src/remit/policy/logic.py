"""A logic interface with several implementations, so that one function can both run and be proved.

The rules of a session (`session.py`) are written over this interface. With `Plain` they are evaluated on booleans and numbers while
an agent works; `remit.proof` evaluates the same functions on terms, and gives these to solvers.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Protocol, TypeVar

B = TypeVar("B")  # a truth value
N = TypeVar("N")  # a count


class Logic(Protocol[B, N]):
    """Operations on truth values and counts."""

    @property
    def true(self) -> B:
        """What always holds."""

    @property
    def false(self) -> B:
        """What never holds."""

    @property
    def zero(self) -> N:
        """The count at the start."""

    def no(self, one: B) -> B:
        """It does not hold."""

    def both(self, one: B, other: B) -> B:
        """Both hold."""

    def either(self, one: B, other: B) -> B:
        """One of them holds, or both."""

    def more(self, count: N, when: B) -> N:
        """One more, if the condition holds."""

    def is_at(self, count: N, number: int) -> B:
        """Whether so many were counted."""

    def equal(self, count: N, other: N) -> B:
        """Whether two counts are the same."""

    def choose(self, condition: B, count: N, other: N) -> N:
        """The first if the condition holds, else the second."""


class Plain:
    """Booleans and whole numbers, for run time."""

    true, false, zero = True, False, 0

    def no(self, one: bool) -> bool:  # noqa: FBT001
        """It does not hold."""
        return not one

    def both(self, one: bool, other: bool) -> bool:  # noqa: FBT001
        """Both hold."""
        return one and other

    def either(self, one: bool, other: bool) -> bool:  # noqa: FBT001
        """One of them holds, or both."""
        return one or other

    def more(self, count: int, when: bool) -> int:  # noqa: FBT001
        """One more, if the condition holds."""
        return count + when

    def is_at(self, count: int, number: int) -> bool:
        """Whether so many were counted."""
        return count == number

    def equal(self, count: int, other: int) -> bool:
        """Whether two counts are the same."""
        return count == other

    def choose(self, condition: bool, count: int, other: int) -> int:  # noqa: FBT001
        """The first if the condition holds, else the second."""
        return count if condition else other


def all_of(logic: Logic[B, N], parts: Iterable[B]) -> B:
    """All hold; true if there is none."""
    return reduce(logic.both, parts, logic.true)


def any_of(logic: Logic[B, N], parts: Iterable[B]) -> B:
    """At least one holds; false if there is none."""
    return reduce(logic.either, parts, logic.false)


def implies(logic: Logic[B, N], one: B, other: B) -> B:
    """If the first holds, the second does."""
    return logic.either(logic.no(one), other)


def same(logic: Logic[B, N], one: B, other: B) -> B:
    """Both hold, or neither."""
    return logic.both(implies(logic, one, other), implies(logic, other, one))
