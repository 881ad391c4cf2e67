"""The engines, by their names. One is imported when it is asked for: it may need a package, or Java, that others do not.

- python: every state of the code that runs (explore)
- z3: what holds for all values, by proof (proofs)
- tlc: twins of the models in TLA+, explored by a program of others (tla)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.models.outcome import Outcome

PYTHON, Z3, TLC = "python", "z3", "tlc"
ENGINES = (PYTHON, Z3, TLC)
ALL = "all"
DEFAULT = (PYTHON, Z3)
# where each is: `checking.check`, and in `registry` what it knows
_WHERE = {Z3: ("remit.models.proofs", "THEORIES"), TLC: ("remit.models.tla", "MODELS")}
_EXTRAS = {"z3": "prove"}


class Engine(NamedTuple):
    """What it knows by name, and how it checks some of it; all of it, with its lists, where no name is given."""

    name: str
    knows: tuple[str, ...]
    check: Callable[[Sequence[str], Callable[[str], None]], list[Outcome]]


def other_engine(name: str) -> Engine:
    """An engine beside our own explorer; an error with its remedy if what it needs is not there."""
    from remit.core.errors import PackageError, UsageError  # noqa: PLC0415  `--help` reads the names above, and has no time

    package, listed = _WHERE[name]
    try:
        checking, registry = import_module(f"{package}.checking"), import_module(f"{package}.registry")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in _EXTRAS:
            raise PackageError(missing, _EXTRAS[missing]) from None
        if (error.name or "").startswith(package):
            raise UsageError(f"this version has no engine `{name}`", "choose another with `--engine`") from None
        raise
    return Engine(name, tuple(getattr(registry, listed)), checking.check)


def chosen_engines(word: str | None) -> tuple[str, ...]:
    """The engines that a word names; without a word, those that every run of the tests has."""
    if word is None:
        return DEFAULT
    return ENGINES if word == ALL else (word,)
