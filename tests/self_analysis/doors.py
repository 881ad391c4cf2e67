"""Rooms that act for a skill: no host effect is reachable without a Permit.

(1) Functions whose first parameter is a Permit are left without their bodies (`permits`): nobody enters them without one.
(2) A program uses every door of the room with unknown values, and our analysis says what it reaches (`driver`, `reach`).
(3) What is reached is a finding, unless `data/own_effects.table` says that it is Remit's own business, and why.
(4) A line of that table that nothing needs is a finding: it would hide the next effect of its kind.
(5) What gets around types, on which (1) rests, is a finding (`loose`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError, ManifestError
from remit.core.scope import covers, parse_scope
from remit.core.table import read_table
from self_analysis.loose import loose
from self_analysis.permits import PERMIT, Key
from self_analysis.reach import OPAQUE, Reached, reached

if TYPE_CHECKING:
    from self_analysis.source import Source

EVERY_ROOM = "every room"  # whoever imports the file reaches the place
_FILE = Path(__file__).with_name("data") / "own_effects.table"


class OwnEffect(NamedTuple):
    """An effect that a room has without a Permit, because it is Remit that wants it and no skill."""

    room: str
    capability: str
    scope: str  # for an opaque place: its reason
    file: str
    reason: str
    where: str


class Finding(NamedTuple):
    """Something that must not be, and where."""

    where: str
    text: str


@cache
def own_effects() -> tuple[OwnEffect, ...]:
    """The table of this version."""
    return read_own_effects(_FILE)


def read_own_effects(path: Path) -> tuple[OwnEffect, ...]:
    """Read a table: a section is a room, a row is capability, scope, file, reason."""
    found: list[OwnEffect] = []
    for row in read_table(path, 4):
        capability, scope, file, reason = row.cells
        if not reason:
            raise DataError(f"{row.where}: the reason is missing", "say why no skill is behind this effect")
        if capability != OPAQUE:
            if capability not in vocabulary():
                raise DataError(f"{row.where}: `{capability}` is no capability", "docs/capabilities.md lists them")
            try:
                parse_scope(vocabulary()[capability].scope_kind, scope)
            except ManifestError as error:
                raise DataError(f"{row.where}: {error.message}", error.remedy) from None
        found.append(OwnEffect(row.section, capability, scope, file, reason, row.where))
    return tuple(found)


def check_doors(source: Source, room: str, own: Sequence[OwnEffect], key: Key = PERMIT) -> tuple[Finding, ...]:
    """Everything that speaks against the claim for one room; nothing if it holds."""
    rows = [row for row in own if row.room in (room, EVERY_ROOM)]
    needed: set[OwnEffect] = set()
    findings: list[Finding] = []
    for found in reached(source, room, key):  # (2)
        excuses = [row for row in rows if excused(found, row)]
        needed.update(excuses)
        if not excuses:  # (3)
            findings.append(Finding(f"{found.where.file}:{found.where.line}", _words(found, key)))
    findings += [
        Finding(row.where, "nothing needs this line") for row in rows if row.room == room and row not in needed
    ]  # (4)
    findings += [Finding(f"{path}:{line}", text) for path, line, text in loose(source, room, key)]  # (5)
    return tuple(findings)


def excused(found: Reached, row: OwnEffect) -> bool:
    """Whether a line of the table speaks of an effect."""
    if (found.capability, found.where.file) != (row.capability, row.file):
        return False
    if found.capability == OPAQUE:
        return found.scope == row.scope
    kind = vocabulary()[found.capability].scope_kind
    return covers(parse_scope(kind, row.scope), parse_scope(kind, found.scope))


def _words(found: Reached, key: Key) -> str:
    through = " ← ".join(f"{at.file}:{at.line}" for at in reversed(found.path))
    way = f" (called from {through})" if through else ""
    if found.capability == OPAQUE:
        return f"not understood, so that it may act without a{key.article}: {found.scope}{way}"
    return f"`{found.capability}` of `{found.scope}` without a{key.article}{way}"
