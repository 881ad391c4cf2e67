"""The atoms of a value one after the other, in an order that is the same in every run.

A value is a set, and what the engine does for one atom can change what it finds for the next: objects are numbered, calls are joined
and texts are widened in the order in which they come. The order of a set hangs on the seed of Python's hashes, so whoever does
anything but build another set of the atoms goes through them with `each`: verdicts must be reproducible.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from functools import lru_cache
from typing import TypeVar

from remit.analysis.domain import Atom, Bound, Hole, Instance, Num, Part, Text

A = TypeVar("A", bound=Atom)


def each(atoms: Collection[A]) -> Collection[A]:
    """All of them, in order."""
    if len(atoms) < 2:
        return atoms
    return _ordered(atoms) if type(atoms) is frozenset else sorted(atoms, key=_rank)


def rank(atoms: Collection[A]) -> tuple[tuple[object, ...], ...]:
    """Where a value stands among others."""
    return tuple(map(_rank, each(atoms)))


@lru_cache(maxsize=1 << 12)
def _ordered(atoms: frozenset[A]) -> tuple[A, ...]:
    return tuple(sorted(atoms, key=_rank))


@lru_cache(maxsize=1 << 16)
def _rank(atom: Atom) -> tuple[object, ...]:
    """Where an atom stands. The tag comes first: behind it, atoms of one kind have fields of one type."""
    if isinstance(atom, Text):
        return (atom.tag, tuple(map(_written, atom.parts)))
    if isinstance(atom, Num):
        return (atom.tag, -math.inf if atom.low is None else atom.low, math.inf if atom.high is None else atom.high)
    if isinstance(atom, Instance):
        payload = atom.payload
        return (atom.tag, atom.cls, payload is not None, sorted(map(_rank, payload or ())))
    if isinstance(atom, Bound):
        return (atom.tag, _rank(atom.function), _rank(atom.receiver))
    return (atom.tag, *atom)


def _written(part: Part) -> str:
    return f"\0{part.origin}\0{part.alphabet}\0{part.exact}" if isinstance(part, Hole) else part
