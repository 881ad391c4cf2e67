"""Common parameters of queries, and the conversion of results to values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from remit.core.capability import Level, vocabulary
from remit.findings.model import Level as Answered
from remit.scan.report.values import FirstLine

if TYPE_CHECKING:
    from remit.scan.report.store import Answer, Store


LEVELS = [str(one) for one in Answered]  # levels, the worst first
LEAST = 4  # effects of a skill that is compared with others: smaller sets are similar by chance


class Options(NamedTuple):
    """The options of a report."""

    top: int = 10  # entries of a list
    similar: float = 0.8  # ratio of common effects to all effects of two skills
    memory: int = 2048  # MB of memory for the database; the rest goes to a temporary folder
    comparisons: int = 20_000_000  # of two sets of effects, at most


def weights() -> list[dict[str, Any]]:
    """Return the weight of each capability: the rank of its level, the harmless one first."""
    order = list(Level)
    return [{"capability": one.name, "weight": order.index(one.level)} for one in vocabulary()]


_T = TypeVar("_T")


def value(kind: Callable[..., _T], answer: Answer, **more: Any) -> _T:
    """Return a result as a value: the columns that it has a field for, and additional fields."""
    named: Any = kind  # a named tuple class
    return kind(**{name: answer[name] for name in named._fields if name in answer} | more)


def values(kind: Callable[..., _T], answers: Iterable[Answer]) -> tuple[_T, ...]:
    """Return results as values."""
    return tuple(value(kind, answer) for answer in answers)


def worst_first(store: Store, answers: Sequence[Answer], names: str) -> list[tuple[FirstLine, ...]]:
    """Return for each result the locations of the capabilities in its column `names`, those of the highest level first."""
    shown = places(store, [one["number"] for one in answers])
    weight = {one["capability"]: one["weight"] for one in weights()}
    return [
        tuple(shown[one["number"], name] for name in sorted(one[names], key=lambda name: (-weight.get(name, 0), name)))
        for one in answers
    ]


def places(store: Store, numbers: Iterable[int]) -> Mapping[tuple[int, str], FirstLine]:
    """Return the first location of each capability of some skills; scripts before what a document tells the agent to
    do.
    """
    found = store.ask("places", numbers=list(numbers))
    return {(one["number"], one["capability"]): FirstLine(one["capability"], **one["place"]) for one in found}
