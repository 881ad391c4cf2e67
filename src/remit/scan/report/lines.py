"""The lines that cause what a report says about skills."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from remit.scan.report.query_base import weights
from remit.scan.report.values import FirstLine

if TYPE_CHECKING:
    from remit.scan.report.store import Answer, Store


def worst_first(store: Store, answers: Sequence[Answer], names: str) -> list[tuple[FirstLine, ...]]:
    """Return for each result the locations of the capabilities in its column `names`, those of the highest level first."""
    shown = places(store, [one["number"] for one in answers])
    weight = {one["capability"]: one["weight"] for one in weights()}
    return [
        tuple(shown[one["number"], name] for name in sorted(one[names], key=lambda name: (-weight.get(name, 0), name)))
        for one in answers
    ]


def places(store: Store, numbers: Iterable[int]) -> Mapping[tuple[int, str], FirstLine]:
    """Return the first location of each capability of some skills; scripts before what a document tells the agent to
    do.
    """
    found = store.ask("places", numbers=list(numbers))
    return {(one["number"], one["capability"]): FirstLine(one["capability"], **one["place"]) for one in found}
