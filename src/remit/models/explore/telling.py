"""What models are and what became of them: for a terminal, as JSON, and as the tables of docs/models.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.models.explore.story import story

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from remit.models.explore.checking import Checked
    from remit.models.explore.expected import Expected
    from remit.models.explore.model import Model


def list_lines(models: Iterable[Model]) -> list[str]:
    """Every model with what it says."""
    lines = []
    for model in models:
        lines += [f"{model.name}: {model.about}"]
        lines += [f"    {one.name:<26} {one.says}" for one in model.properties]
    return lines


def table_lines(checked: Sequence[Checked]) -> list[str]:
    """A table, and below it whatever is wrong."""
    head = ("model", "invariants", "states", "transitions", "reds killed", "seconds")
    rows = [
        (
            one.model.name, str(len(one.model.properties)), str(one.green.states), str(one.green.transitions),
            f"{one.killed}/{len(one.reds)}", f"{one.seconds:.2f}",
        )
        for one in checked
    ]  # fmt: skip
    widths = [max(len(row[place]) for row in (head, *rows)) for place in range(len(head))]
    lines = ["  ".join(_cell(cell, place, widths) for place, cell in enumerate(row)).rstrip() for row in (head, *rows)]
    for one in checked:
        lines.append(f"{'✗' if one.faults else '✓'} {one.model.name}: {one.model.about}")
        lines += [f"    {fault}" for fault in one.faults]
    return lines


def _cell(text: str, place: int, widths: Sequence[int]) -> str:
    return text.ljust(widths[place]) if place == 0 else text.rjust(widths[place])


def as_json(checked: Iterable[Checked], faults: Sequence[str]) -> dict[str, Any]:
    """All of it, with the story of each red."""
    return {
        "passed": not faults and all(not one.faults for one in checked),
        "faults": list(faults),
        "models": [_one(one) for one in checked],
    }


def _one(checked: Checked) -> dict[str, Any]:
    model, green = checked.model, checked.green
    return {
        "name": model.name,
        "about": model.about,
        "states": green.states,
        "transitions": green.transitions,
        "seconds": round(checked.seconds, 3),
        "actions": sorted(green.fired),
        "invariants": [{"name": one.name, "says": one.says, "reached": one.name in green.reached} for one in model.properties],
        "reds": [
            {
                "name": one.red, "invariant": one.invariant, "spoils": one.spoils, "killed": one.trace is not None,
                "story": story(one.trace) if one.trace else [],
            }
            for one in checked.reds
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
            "reds": [{"name": red.name, "invariant": red.invariant, "spoils": red.patch.shown} for red in model.reds],
        }
        for model in models
    ]


def markdown(models: Sequence[Model], expected: Expected) -> str:
    """The tables of docs/models.md: the models, and each invariant with the reds that it notices. Numbers are the recorded ones."""
    lines = ["| model | says | states | transitions | reds |", "| --- | --- | ---: | ---: | ---: |"]
    for model in models:
        states, transitions = expected.greens.get(model.name, (0, 0))
        lines.append(f"| {model.name} | {model.about} | {states:,} | {transitions:,} | {len(model.reds)} |")
    lines += ["", "| invariant | says | noticed: code that … (steps of the story) |", "| --- | --- | --- |"]
    for model in models:
        for one in model.properties:
            reds = [
                f"{red.name} ({expected.reds.get((model.name, red.name), 0)})"
                for red in model.reds
                if red.invariant == one.name
            ]
            lines.append(f"| {model.name}: {one.name} | {one.says} | {'; '.join(reds)} |")
    return "\n".join(lines) + "\n"


def record(checked: Sequence[Checked]) -> str:
    """The lines of data/expected.table for what was found."""
    greens = [f"{one.model.name} | {one.green.states} | {one.green.transitions}" for one in checked]
    reds = [f"{one.model.name} | {red.red} | {red.steps}" for one in checked for red in one.reds]
    return "\n".join(["[green]", *greens, "", "[red]", *reds]) + "\n"
