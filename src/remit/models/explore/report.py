"""Reports on models: for a terminal, as the tables of docs/models.md, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from remit.models.explore.story import story

if TYPE_CHECKING:
    from remit.models.explore.gates import ModelResult
    from remit.models.explore.model import Model
    from remit.models.proofs.theory import Theory


def list_lines(models: Iterable[Model | Theory]) -> list[str]:
    """Return every model, or theory, with its properties, and the mutants that each notices."""
    lines = []
    for model in models:
        lines += [f"{model.name}: {model.about}"]
        width = max(len(one.name) for one in model.properties)
        for one in model.properties:
            mutants = "; ".join(mutant.name for mutant in model.mutants if mutant.invariant == one.name)
            lines += [f"    {one.name:<{width}} {one.says}", f"    {'':<{width}} noticed: {mutants}"]
    return lines


def told_json(checked: ModelResult) -> dict[str, Any]:
    """Return the result of a model, with the story of each mutant."""
    model, explored = checked.model, checked.explored
    return {
        "name": model.name,
        "about": model.about,
        "states": explored.states,
        "transitions": explored.transitions,
        "seconds": round(checked.seconds, 3),
        "actions": sorted(explored.fired),
        "invariants": [{"name": one.name, "says": one.says, "reached": one.name in explored.reached} for one in model.properties],
        "mutants": [
            {
                "name": one.mutant, "invariant": one.invariant, "spoils": one.spoils, "killed": one.trace is not None,
                "story": story(one.trace) if one.trace else [],
            }
            for one in checked.mutants
        ],
        "faults": list(checked.faults),
    }  # fmt: skip


def listed_json(models: Iterable[Model]) -> list[dict[str, Any]]:
    """Return every model with its properties."""
    return [
        {
            "name": model.name,
            "about": model.about,
            "invariants": [{"name": one.name, "says": one.says} for one in model.properties],
            "mutants": [
                {"name": mutant.name, "invariant": mutant.invariant, "spoils": mutant.patch.shown}
                for mutant in model.mutants
            ],
        }
        for model in models
    ]
