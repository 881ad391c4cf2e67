"""Reports on theories, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.models.proofs.theory import Theory


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
