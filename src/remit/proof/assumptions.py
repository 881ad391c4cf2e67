"""The closed list of what a verdict rests on (`data/assumptions.table`), each with the layer that makes it true."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core._table import read_table
from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import ScopeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remit.core.effect import Effect

_DATA = Path(__file__).with_name("data") / "assumptions.table"
_WHEN = frozenset({"always", "network", "noted"})
LAYERS = frozenset({"capsule", "decision", "bundle", "person"})


class Assumption(NamedTuple):
    """One assumption."""

    ident: str
    when: str
    layer: str
    meaning: str


@cache
def assumptions() -> Mapping[str, Assumption]:
    """All assumptions, by id."""
    return load(_DATA)


def load(path: Path) -> dict[str, Assumption]:
    """Read a table of assumptions; a duplicate, an unknown layer or occasion is refused with its line."""
    out: dict[str, Assumption] = {}
    for row in read_table(path, 4):
        ident, when, layer, meaning = row.cells
        if ident in out or when not in _WHEN or layer not in LAYERS or not meaning:
            message = f"{row.where}: `{ident}` is listed twice, or `{when}` or `{layer}` is not known"
            raise DataError(message, "correct the line; the head of the file says what its cells mean")
        out[ident] = Assumption(ident, when, layer, meaning)
    return out


def rests_on(noted: Iterable[str], effects: Iterable[Effect], *, code: bool) -> tuple[Assumption, ...]:
    """What a result rests on: what the analysis noted, and what holds for every skill that has code or reaches out.

    An id that is not in the list (a user's own summary may name one) is kept and left to the person who wrote it.
    """
    known = assumptions()
    wanted = set(noted)
    if code:
        wanted.update(ident for ident, found in known.items() if found.when == "always")
    if any(vocabulary()[effect.capability].scope_kind is ScopeKind.HOST for effect in effects):
        wanted.update(ident for ident, found in known.items() if found.when == "network")
    own = Assumption("", "noted", "person", "an assumption of a summary file of this project")
    return tuple(known.get(ident, own._replace(ident=ident)) for ident in sorted(wanted))
