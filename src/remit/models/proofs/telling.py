"""What theories are, as JSON; and the table of docs/models.md: each theorem, what it says, the module of the reference that says the same of a few, and the reds that it notices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.models.explore.properties import OURS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.models.explore.properties import Property
    from remit.models.proofs.theory import Theory


def markdown(theories: Iterable[Theory], claimed: Iterable[Property]) -> str:
    """The table."""
    modules = {(one.model, one.invariant): [name for name in one.modules if name != OURS] for one in claimed}
    lines = ["| theorem | says | of the reference | noticed: rules that … |", "| --- | --- | --- | --- |"]
    for theory in theories:
        for one in theory.theorems:
            reds = (red.name.partition(", for ")[0] for red in theory.reds if red.invariant == one.name)
            of = ", ".join(modules.get((theory.name, one.name), ()))
            lines.append(f"| {theory.name}: {one.name} | {one.says} | {of} | {'; '.join(reds)} |")
    return "\n".join(lines) + "\n"


def listed_json(theories: Iterable[Theory]) -> list[dict[str, Any]]:
    """Every theory with what it says."""
    return [
        {
            "name": theory.name,
            "about": theory.about,
            "theorems": [{"name": one.name, "says": one.says} for one in theory.theorems],
            "reds": [{"name": red.name, "theorem": red.invariant, "operator": red.operator} for red in theory.reds],
            "ties": [one.name for one in theory.ties],
        }
        for theory in theories
    ]
