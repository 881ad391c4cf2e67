"""The registry of theories. A file in `theories` that is not listed here fails the check."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.core.errors import UsageError
from remit.models.proofs.solver import require

if TYPE_CHECKING:
    from remit.models.proofs.theory import Theory


FILE = Path(__file__).with_name("data") / "theorems.table"
_FOLDER = Path(__file__).with_name("theories")
_FILES = """
    layers spelling commands equivalence bucket marks sending requests chain keys waiting repeats words
    previews decisions
"""
THEORIES = {file.replace("_", "-"): file for file in _FILES.split()}  # name of the theory: its file


def theories(names: Iterable[str] = ()) -> tuple[Theory, ...]:
    """The theories of these names; all of them without a name."""
    wanted = tuple(dict.fromkeys(names)) or tuple(THEORIES)
    for name in wanted:
        if name not in THEORIES:
            raise UsageError(f"`{name}` is not a theory", f"one of {', '.join(THEORIES)}")
    require()
    return tuple(import_module(f"{__package__}.theories.{THEORIES[name]}").theory() for name in wanted)


def lying(folder: Path = _FOLDER) -> tuple[str, ...]:
    """Return the theory names of the files in the folder."""
    named = {file: name for name, file in THEORIES.items()}
    return tuple(sorted(named.get(path.stem, path.stem) for path in folder.glob("[!_]*.py")))


def listed_json(theories: Iterable[Theory]) -> list[dict[str, Any]]:
    """Return every theory with its properties."""
    return [
        {
            "name": theory.name,
            "about": theory.about,
            "theorems": [{"name": one.name, "says": one.says} for one in theory.theorems],
            "mutants": [
                {"name": mutant.name, "theorem": mutant.invariant, "operator": mutant.operator}
                for mutant in theory.mutants
            ],
            "ties": [one.name for one in theory.ties],
        }
        for theory in theories
    ]
