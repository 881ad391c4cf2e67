"""The gate table: what happens to a request, by its standing in the manifest and the verification level of the skill.

The table is data (`data/gate.table`). The runtime looks requests up in it, and Method C proves its theorem about the
same rows, so there is no second copy of the gate.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TypeAlias

from remit.core.capability import Change
from remit.core.errors import DataError
from remit.core.table import read_table
from remit.manifest.model import Decision, Verification

_FILE = Path(__file__).with_name("data") / "gate.table"


class Standing(StrEnum):
    """The standing of a request in the manifest of its skill."""

    OUTSIDE = "outside"  # no entry grants it whole
    DENIED = "denied"  # an entry denies it, or may
    ASK = "ask"  # the entry that decides requires a question
    UNCHANGED = "unchanged"  # allowed, and changes nothing
    REVERSIBLE = "reversible"  # allowed, and a snapshot can undo it
    IRREVERSIBLE = "irreversible"


class Gate(StrEnum):
    """What happens to a request, the most permissive first."""

    ALLOW = "allow"
    ONCE = "once"
    CONFIRM = "confirm"
    DENY = "deny"


GateTable: TypeAlias = "Mapping[tuple[Standing, Verification], Gate]"


def standing(decision: Decision | None, change: Change, *, snapshotted: bool) -> Standing:
    """Return the table row for a request with this decision of an entry; None if no entry grants it.

    A reversible change counts as irreversible where no snapshots are taken.
    """
    if decision is None:
        return Standing.OUTSIDE
    if decision is Decision.DENY:
        return Standing.DENIED
    if decision is Decision.CONFIRM:
        return Standing.ASK
    if change is Change.NONE:
        return Standing.UNCHANGED
    return Standing.REVERSIBLE if change is Change.REVERSIBLE and snapshotted else Standing.IRREVERSIBLE


@cache
def gate_table() -> GateTable:
    """Return the table of this version."""
    return read_gate(_FILE)


def read_gate(path: Path) -> GateTable:
    """Read a table; it must have one answer for every standing at every level."""
    found: dict[tuple[Standing, Verification], Gate] = {}
    for row in read_table(path, 1 + len(Verification)):
        try:
            line = Standing(row.cells[0])
            gates = [Gate(cell) for cell in row.cells[1:]]
        except ValueError as error:
            raise DataError(
                f"{row.where}: {str(error).replace(chr(39), '`')}", "the head of the file lists the words"
            ) from None
        if (line, Verification.UNVERIFIED) in found:
            raise DataError(f"{row.where}: `{line}` occurs twice", "keep one of the lines")
        found.update(zip(((line, level) for level in Verification), gates, strict=True))
    missing = [line for line in Standing if (line, Verification.UNVERIFIED) not in found]
    if missing:
        raise DataError(
            f"{path.name}: nothing is said of `{missing[0]}`", "add its line: a table with a gap decides nothing"
        )
    return found
