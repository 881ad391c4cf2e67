"""The model-checking engines by name, imported on use because some need a package or Java.

- python: exhaustive exploration of the code that runs (explore)
- z3: proofs for all values (proofs)
- tlc: TLA+ twins of the models, explored by TLC (tla)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.models.outcomes import Outcome

PYTHON, Z3, TLC = "python", "z3", "tlc"
ENGINES = (PYTHON, Z3, TLC)
ALL = "all"
DEFAULT = (PYTHON, Z3)
# where each is: `gates.check`, and in `registry` what it knows
_WHERE = {Z3: ("remit.models.proofs", "THEORIES"), TLC: ("remit.models.tla", "MODELS")}
_EXTRAS = {"z3": "prove"}


class Engine(NamedTuple):
    """An engine: the models it knows, and how it checks some or all of them."""

    name: str
    knows: tuple[str, ...]
    check: Callable[[Sequence[str], Callable[[str], None]], list[Outcome]]


def other_engine(name: str) -> Engine:
    """Return an engine besides our own explorer; an error with its remedy if a requirement is missing."""
    from remit.core.errors import PackageError, UsageError  # noqa: PLC0415  `--help` reads the names above, and has no time

    package, listed = _WHERE[name]
    try:
        gates, registry = import_module(f"{package}.gates"), import_module(f"{package}.registry")
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in _EXTRAS:
            raise PackageError(missing, _EXTRAS[missing]) from None
        if (error.name or "").startswith(package):
            raise UsageError(f"this version has no engine `{name}`", "choose another with `--engine`") from None
        raise
    return Engine(name, tuple(getattr(registry, listed)), gates.check)


def chosen_engines(word: str | None) -> tuple[str, ...]:
    """Return the engines that a word selects; without a word, those of every test run."""
    if word is None:
        return DEFAULT
    return ENGINES if word == ALL else (word,)
