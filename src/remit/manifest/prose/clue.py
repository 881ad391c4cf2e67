"""A clue: something in a skill that speaks for a capability, with the place and the words that say so."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from remit.core.scope import Scope
    from remit.manifest.model import Evidence

ENOUGH = 4  # points at which a capability is required


class Clue(NamedTuple):
    """`kind` says where it comes from (a sentence, a command, a script …); `data/weights.table` knows its points by kind."""

    capability: str
    points: int
    kind: str
    evidence: Evidence
    scope: Scope | None = None  # None: the words do not say on what
