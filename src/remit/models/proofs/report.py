"""What theories are, as JSON; and the table of docs/models.md: each theorem, what it says, the module of the reference that says the same of a few, and the mutants that it notices."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.models.proofs.theory import Theory


def markdown(theories: Iterable[Theory]) -> str:
    """The table of theorems in docs/models.md."""
    lines = ["| theorem | says | mutants |", "| --- | --- | ---: |"]
    for theory in theories:
        for one in theory.theorems:
            mutants = sum(mutant.invariant == one.name for mutant in theory.mutants)
            lines.append(f"| {theory.name}: {one.name} | {one.says} | {mutants} |")
    return "\n".join(lines) + "\n"


def listed_json(theories: Iterable[Theory]) -> list[dict[str, Any]]:
    """Every theory with what it says."""
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
