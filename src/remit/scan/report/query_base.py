"""How every question is asked: so many rows, with these weights of levels; and how an answer becomes a value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from remit.core.capability import Level, vocabulary
from remit.findings.model import Level as Answered

if TYPE_CHECKING:
    from remit.scan.report.store import Answer

LEVELS = [str(one) for one in Answered]  # whether to install, the worst first
LEAST = 4  # effects of a skill that is compared with others: sets of fewer are alike by chance


class Options(NamedTuple):
    """What whoever asks for a report can choose."""

    top: int = 10  # entries of a list
    similar: float = 0.8  # common effects by all effects of two skills
    memory: int = 2048  # MB of the database; what is more goes to a temporary folder
    comparisons: int = 20_000_000  # of two sets of effects, at most


def weights() -> list[dict[str, Any]]:
    """How much each capability counts: the place of its level among all levels, the harmless one first."""
    order = list(Level)
    return [{"capability": one.name, "weight": order.index(one.level)} for one in vocabulary()]


_T = TypeVar("_T")


def value(kind: Callable[..., _T], answer: Answer, **more: Any) -> _T:
    """An answer as a value: the columns that it has a field for, and what was found out besides."""
    named: Any = kind  # a class of named tuples
    return kind(**{name: answer[name] for name in named._fields if name in answer} | more)


def values(kind: Callable[..., _T], answers: Iterable[Answer]) -> tuple[_T, ...]:
    """Answers as values."""
    return tuple(value(kind, answer) for answer in answers)
