"""The closed list of assumptions that results depend on (`data/assumptions.toml`), each with what ensures it at run
time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_toml

_DATA = Path(__file__).with_name("data") / "assumptions.toml"
_OCCASIONS = frozenset({"always", "network", "noted"})


class Assumption(NamedTuple):
    """One assumption. `layer` says what ensures it at run time, and how."""

    ident: str
    meaning: str
    layer: str
    when: str = "noted"  # or `always`, `network`
    by: str = ""  # `skill` if the author of the skill can violate it


@cache
def assumptions() -> Mapping[str, Assumption]:
    """Return all assumptions, by id."""
    return load(_DATA)


def load(path: Path) -> dict[str, Assumption]:
    """Parse a list of assumptions; one without a meaning or a layer, or with an unknown field, is refused."""
    out: dict[str, Assumption] = {}
    for ident, found in read_toml(path).items():
        when, by = found.get("when", "noted"), found.get("by", "")
        fits = when in _OCCASIONS and by in ("", "skill")
        if {"text", "layer"} - found.keys() or found.keys() - {"text", "layer", "when", "by"} or not fits:
            message = f"{path.name}: `{ident}` has not `text`, `layer` and perhaps `when` or `by`"
            raise DataError(message, "correct the entry; the head of the file says what its fields mean")
        out[ident] = Assumption(ident, found["text"], found["layer"], when, by)
    return out
