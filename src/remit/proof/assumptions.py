"""The closed list of what a verdict rests on (`data/assumptions.toml` of the analysis), each with who makes it true."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import remit.analysis
from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.scope import ScopeKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from remit.core.effect import Effect

_DATA = Path(remit.analysis.__file__).with_name("data") / "assumptions.toml"
_OCCASIONS = frozenset({"always", "network", "noted"})


class Assumption(NamedTuple):
    """One assumption. `layer` says who makes it true at run time, and by what."""

    ident: str
    meaning: str
    layer: str
    when: str = "noted"  # or `always`, `network`


@cache
def assumptions() -> Mapping[str, Assumption]:
    """All assumptions, by id."""
    return load(_DATA)


def load(path: Path) -> dict[str, Assumption]:
    """Read a list of assumptions; one without a meaning or a layer, or with something else, is refused."""
    out: dict[str, Assumption] = {}
    for ident, found in tomllib.loads(path.read_text("utf-8")).items():
        when = found.get("when", "noted")
        if {"text", "layer"} - found.keys() or found.keys() - {"text", "layer", "when"} or when not in _OCCASIONS:
            message = f"{path.name}: `{ident}` has not `text`, `layer` and perhaps `when`"
            raise DataError(message, "correct the entry; the head of the file says what its fields mean")
        out[ident] = Assumption(ident, found["text"], found["layer"], when)
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
    own = Assumption("", "an assumption of a summary file of this project", "the person who wrote it")
    return tuple(known.get(ident, own._replace(ident=ident)) for ident in sorted(wanted))
