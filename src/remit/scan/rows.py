"""The table of a scan: one row a skill, and its form as Parquet.

Two scans are equal if their rows are equal in every column but `TIMES`: how long a skill took, and whether the answer was
kept from before, depend on the machine and not on the skill.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.capability import Level, vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pyarrow as pa

UNKNOWN = "unknown"
VERDICTS = ("contained", "escapes", "opaque", "undeclared", UNKNOWN)
TIMES = ("seconds", "cached")
_LEVELS = tuple(Level)  # the least first


class FoundEffect(NamedTuple):
    """One capability that a skill can exercise, and the line that shows it."""

    capability: str
    scope: str
    file: str
    line: int
    why: str
    origin: str


class OpaquePlace(NamedTuple):
    """A place of a skill that the analysis does not understand."""

    reason: str
    file: str
    line: int


class Row(NamedTuple):
    """What a scan says of one skill.

    A row with an `error` is one of which nothing is claimed: its verdict is `unknown`, and `digest`, `level` and
    `fingerprint` are null where they could not be found out.
    """

    location: str  # where it is, as a person would name it; no two rows have the same
    source: str  # the folder, archive, repository or index entry that it came from
    path: str  # its folder in the source; `.` if the source is the skill
    name: str
    description: str
    digest: str | None  # of its content: files, modes and links
    verdict: str
    capabilities: tuple[str, ...]  # sorted, each once
    level: str | None  # the highest of its capabilities; null if it has none
    effects: tuple[FoundEffect, ...]
    opaque: tuple[OpaquePlace, ...]
    fingerprint: str | None  # of the set of capabilities with scopes, whatever the files and lines are called
    files: int
    bytes: int
    error: str | None
    toolchain: str  # which Remit says so
    seconds: float
    cached: bool


def highest(capabilities: Iterable[str]) -> str | None:
    """The level of the worst of some capabilities; None if there are none."""
    levels = [vocabulary()[name].level for name in capabilities]
    return max(levels, key=_LEVELS.index).value if levels else None


def effect_fingerprint(effects: Iterable[FoundEffect]) -> str:
    """The same for two skills that can do the same, however their files are called."""
    pairs = sorted({(effect.capability, effect.scope) for effect in effects})
    return hashlib.sha256(
        "".join(f"{one}\0{other}\0" for one, other in pairs).encode("utf-8", "surrogatepass")
    ).hexdigest()


def schema() -> pa.Schema:
    """The columns of the Parquet file, in the order of `Row`."""
    import pyarrow as pa  # noqa: PLC0415  an extra, and slow to import

    text, number = pa.string(), pa.int64()
    effect = pa.struct([(name, number if name == "line" else text) for name in FoundEffect._fields])
    opaque = pa.struct([(name, number if name == "line" else text) for name in OpaquePlace._fields])
    types = {
        "capabilities": pa.list_(text), "effects": pa.list_(effect), "opaque": pa.list_(opaque),
        "files": number, "bytes": number, "seconds": pa.float64(), "cached": pa.bool_(),
    }  # fmt: skip
    nullable = {"digest", "level", "fingerprint", "error"}
    return pa.schema([pa.field(name, types.get(name, text), nullable=name in nullable) for name in Row._fields])


def table(rows: Iterable[Row]) -> pa.Table:
    """Rows as they are written."""
    import pyarrow as pa  # noqa: PLC0415

    return pa.Table.from_pylist([_plain(row) for row in rows], schema=schema())


def _plain(row: Row) -> dict[str, Any]:
    return row._asdict() | {
        "capabilities": list(row.capabilities),
        "effects": [effect._asdict() for effect in row.effects],
        "opaque": [place._asdict() for place in row.opaque],
    }
