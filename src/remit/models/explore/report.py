"""What models are, for a terminal and as the tables of docs/models.md; and what became of one, as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remit.models.explore.expected import Expected
from remit.models.explore.story import story

if TYPE_CHECKING:
    from remit.models.explore.checking import Checked
    from remit.models.explore.model import Model
    from remit.models.proofs.theory import Theory


def list_lines(models: Iterable[Model | Theory]) -> list[str]:
    """Every model, or theory, with what it says, and the mutants that are noticed by each."""
    lines = []
    for model in models:
        lines += [f"{model.name}: {model.about}"]
        width = max(len(one.name) for one in model.properties)
        for one in model.properties:
            mutants = "; ".join(mutant.name for mutant in model.mutants if mutant.invariant == one.name)
            lines += [f"    {one.name:<{width}} {one.says}", f"    {'':<{width}} noticed: {mutants}"]
    return lines


def told_json(checked: Checked) -> dict[str, Any]:
    """What became of a model, with the story of each mutant."""
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
    """Every model with what it says."""
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


def markdown(models: Sequence[Model], expected: Expected, seconds: Mapping[str, float]) -> str:
    """The table of models in docs/models.md, with the recorded numbers.

    `seconds`: the last measured time of each with all its mutants.
    """
    lines = [
        "| model | property | states | transitions | mutants | seconds |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for model in models:
        states, transitions = expected.models.get(model.name, (0, 0))
        took = f"{seconds[model.name]:.1f}" if model.name in seconds else "-"
        lines.append(f"| {model.name} | {model.about} | {states:,} | {transitions:,} | {len(model.mutants)} | {took} |")
    counts = [expected.models.get(model.name, (0, 0)) for model in models]
    count, sums = sum(len(model.mutants) for model in models), [sum(one[place] for one in counts) for place in range(2)]
    lines.append(
        f"| all | {len(counts)} models, {count} mutants | {sums[0]:,} | {sums[1]:,} | {count} | {sum(seconds.values()):.0f} |"
    )
    return "\n".join(lines) + "\n"


def found_in(checked: Iterable[Checked]) -> Expected:
    """The numbers of what was found."""
    checked = tuple(checked)
    counts = {one.model.name: (one.explored.states, one.explored.transitions) for one in checked}
    return Expected(
        counts, {(one.model.name, mutant.mutant): mutant.steps for one in checked for mutant in one.mutants}
    )


def recorded(expected: Expected, names: Iterable[str]) -> str:
    """The lines of data/expected.table, in the order of these models."""
    place = {name: number for number, name in enumerate(names)}
    counts = sorted(expected.models, key=place.__getitem__)
    mutants = sorted(expected.mutants, key=lambda at: place[at[0]])
    lines = [f"{name} | {' | '.join(map(str, expected.models[name]))}" for name in counts]
    stories = [f"{name} | {mutant} | {expected.mutants[name, mutant]}" for name, mutant in mutants]
    return "\n".join(["[model]", *lines, "", "[mutant]", *stories]) + "\n"
