"""The published list of ambient effects, for one run."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.observe import Event
    from harness.sandbox import Place

FILE = Path(__file__).resolve().parent.parent / "ambient.toml"


@cache
def entries() -> tuple[tuple[str, frozenset[str], tuple[str, ...]], ...]:
    """Reason, capabilities and patterns of each entry."""
    found = tomllib.loads(FILE.read_text("utf-8"))["ambient"]
    return tuple((entry["why"], frozenset(entry["capabilities"]), tuple(entry["paths"])) for entry in found)


def is_ambient(event: Event, place: Place) -> bool:
    """Whether an event is on the list."""
    folders = place.folders()
    return any(
        event.capability in capabilities and any(fnmatchcase(event.object, p.format(**folders)) for p in patterns)
        for _, capabilities, patterns in entries()
    )
