"""Models over settings alone: all small settings are initial states, and every question is put to each. A hand-picked
one would show little.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import product
from typing import Any, NamedTuple, TypeVar

from remit.models.explore.model import Action, Invariant, Model, Mutant

T = TypeVar("T")


class Case(NamedTuple):
    """Settings, a question, and the code's answer."""

    settings: Any
    asked: Any = None
    answer: Any = None


def every(kind: Callable[..., T], /, **choices: Iterable[Any]) -> tuple[T, ...]:
    """Return all values of a type that these field choices make."""
    return tuple(kind(**dict(zip(choices, chosen, strict=True))) for chosen in product(*map(tuple, choices.values())))


def subsets(values: Iterable[T]) -> tuple[frozenset[T], ...]:
    """Return all subsets, the empty one first."""
    found = [frozenset[T]()]
    for value in values:
        found += [one | {value} for one in found]
    return tuple(found)


def was_asked(case: Case) -> bool:
    """The antecedent of most invariants over settings."""
    return case.asked is not None


def model_of(
    name: str, about: str, settings: Iterable[Hashable], ask: tuple[str, Callable[[Any], Iterable[tuple[Any, Any]]]],
    invariants: tuple[Invariant, ...], mutants: tuple[Mutant, ...],
) -> Model:  # fmt: skip
    """Return a model with each of the settings as initial state. `ask`: the name of the question, and a function that
    yields all questions with their answers.
    """
    called, answers = ask

    def asked(case: Case) -> Iterator[tuple[Any, Case]]:
        if case.asked is None:
            for question, answer in answers(case.settings):
                yield question, Case(case.settings, question, answer)

    initial = tuple(map(Case, settings))
    return Model(name, about, initial, lambda: (Action(called, asked),), invariants, was_asked, mutants)
