"""The published list of ambient effects, for one run."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from fnmatch import translate
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.observe import Event
    from harness.sandbox import Place

FILE = Path(__file__).resolve().parent.parent / "ambient.toml"


@cache
def entries(file: Path = FILE) -> tuple[tuple[str, frozenset[str], tuple[str, ...]], ...]:
    """Reason, capabilities and patterns of each entry."""
    found = tomllib.loads(file.read_text("utf-8"))["ambient"]
    return tuple((entry["why"], frozenset(entry["capabilities"]), tuple(entry["paths"])) for entry in found)


def is_ambient(event: Event, place: Place, file: Path = FILE) -> bool:
    """Whether an event is on the list."""
    pattern = _patterns(place, file).get(event.capability)
    return pattern is not None and pattern.match(event.object) is not None


@lru_cache(maxsize=8)
def _patterns(place: Place, file: Path) -> dict[str, re.Pattern[str]]:
    """One regular expression a capability."""
    folders, by_capability = place.folders(), defaultdict(list)
    for _, capabilities, patterns in entries(file):
        for capability in capabilities:
            by_capability[capability] += [translate(pattern.format(**folders)) for pattern in patterns]
    return {capability: re.compile("|".join(patterns)) for capability, patterns in by_capability.items()}
