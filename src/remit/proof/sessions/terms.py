"""Truth values as terms: the implementation of `policy.logic` that is proved.

A term is a whole number: 1 is true, a variable or a conjunction has a number of its own, and a minus sign negates. Equal terms have
equal numbers, so that what is shared is stored once. A count is a row of terms, the lowest bit first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

Term: TypeAlias = int
Bits: TypeAlias = "tuple[int, ...]"
TRUE: Term = 1


class Terms:
    """A store of terms. Numbers follow the order of creation, so that the same calls give the same text."""

    def __init__(self, width: int) -> None:
        self.true, self.false = TRUE, -TRUE
        self.zero: Bits = (-TRUE,) * width
        self.names: dict[Term, str] = {}  # of the variables
        self.gates: dict[Term, tuple[Term, Term]] = {}  # the conjunctions
        self._numbers: dict[tuple[Term, Term], Term] = {}
        self._last = TRUE

    def variable(self, name: str) -> Term:
        """A new variable."""
        self._last += 1
        self.names[self._last] = name
        return self._last

    def bits(self, name: str, width: int) -> Bits:
        """A new count of variables."""
        return tuple(self.variable(f"{name}.{place}") for place in range(width))

    def no(self, one: Term) -> Term:
        """Negation."""
        return -one

    def both(self, one: Term, other: Term) -> Term:
        """Conjunction, simplified where that is free."""
        if other in (one, TRUE):
            return one
        if one == TRUE:
            return other
        if -TRUE in (one, other) or one == -other:
            return -TRUE
        pair = (one, other) if one < other else (other, one)
        found = self._numbers.get(pair)
        if found is None:
            self._last += 1
            found = self._numbers[pair] = self._last
            self.gates[found] = pair
        return found

    def either(self, one: Term, other: Term) -> Term:
        """Disjunction."""
        return -self.both(-one, -other)

    def pick(self, condition: Term, one: Term, other: Term) -> Term:
        """The first if the condition holds, else the second."""
        return self.both(self.either(-condition, one), self.either(condition, other))

    def choose(self, condition: Term, count: Bits, other: Bits) -> Bits:
        """The same for counts."""
        return tuple(self.pick(condition, one, two) for one, two in zip(count, other, strict=True))

    def more(self, count: Bits, when: Term) -> Bits:
        """One more if the condition holds; the largest count is followed by zero."""
        carry, out = when, []
        for bit in count:
            out.append(self.either(self.both(bit, -carry), self.both(-bit, carry)))
            carry = self.both(bit, carry)
        return tuple(out)

    def is_at(self, count: Bits, number: int) -> Term:
        """Whether the count is this number."""
        if number >> len(count):
            return self.false
        result = TRUE
        for place, bit in enumerate(count):
            result = self.both(result, bit if number >> place & 1 else -bit)
        return result

    def below(self, count: Bits, number: int) -> Term:
        """Whether the count is less than this number."""
        result = self.false
        for place, bit in enumerate(count):
            digit = number >> place & 1
            result = self.either(-bit, result) if digit else self.both(-bit, result)
        return TRUE if number >> len(count) else result

    def equal(self, count: Bits, other: Bits) -> Term:
        """Whether two counts are the same."""
        result = TRUE
        for one, two in zip(count, other, strict=True):
            result = self.both(result, self.either(self.both(one, two), self.both(-one, -two)))
        return result

    def within(self, count: Bits, numbers: Iterable[int]) -> Term:
        """Whether the count is one of these numbers, told by the intervals that they form."""
        result = self.false
        for first, end in intervals(numbers):
            if end == first + 1:
                inside = self.is_at(count, first)
            else:
                inside = self.both(-self.below(count, first), self.below(count, end))
            result = self.either(result, inside)
        return result


def intervals(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The intervals [first, end) that the numbers form, in order."""
    ordered = sorted(set(numbers))
    start = 0
    for place, number in enumerate(ordered):
        if place + 1 == len(ordered) or ordered[place + 1] != number + 1:
            yield ordered[start], number + 1
            start = place + 1
