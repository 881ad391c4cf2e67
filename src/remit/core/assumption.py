"""The closed list of what a result rests on (`data/assumptions.toml`), each with who makes it true at run time."""

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
    """One assumption. `layer` says who makes it true at run time, and by what."""

    ident: str
    meaning: str
    layer: str
    when: str = "noted"  # or `always`, `network`
    by: str = ""  # `skill` if whoever wrote the skill can make it untrue


@cache
def assumptions() -> Mapping[str, Assumption]:
    """All assumptions, by id."""
    return load(_DATA)


def load(path: Path) -> dict[str, Assumption]:
    """Read a list of assumptions; one without a meaning or a layer, or with something else, is refused."""
    out: dict[str, Assumption] = {}
    for ident, found in read_toml(path).items():
        when, by = found.get("when", "noted"), found.get("by", "")
        fits = when in _OCCASIONS and by in ("", "skill")
        if {"text", "layer"} - found.keys() or found.keys() - {"text", "layer", "when", "by"} or not fits:
            message = f"{path.name}: `{ident}` has not `text`, `layer` and perhaps `when` or `by`"
            raise DataError(message, "correct the entry; the head of the file says what its fields mean")
        out[ident] = Assumption(ident, found["text"], found["layer"], when, by)
    return out
