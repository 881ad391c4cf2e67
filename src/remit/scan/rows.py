"""The table of a scan: one row per skill, and its Parquet form.

Two scans are equal if their rows are equal in every column but `TIMES`: how long a skill took, and whether its result
was cached, depend on the machine and not on the skill.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa

UNKNOWN = "unknown"
VERDICTS = ("contained", "escapes", "opaque", "undeclared", UNKNOWN)
TIMES = ("seconds", "cached")


class FoundEffect(NamedTuple):
    """One capability of a skill, and the line that shows it."""

    capability: str
    scope: str
    file: str
    line: int
    why: str
    origin: str


class OpaquePlace(NamedTuple):
    """An opaque location of a skill."""

    reason: str
    file: str
    line: int


class FoundFinding(NamedTuple):
    """A finding, and its deciding line."""

    rule: str
    severity: str
    message: str
    file: str
    line: int
    accepted: bool  # by the manifest that the skill brings along


class ScanRow(NamedTuple):
    """One skill of a scan.

    A row with an `error` has the verdict `unknown`, and `digest`, `level` and `fingerprint` are null if unknown. If
    only the manifest is invalid, the findings and the level are known.
    """

    location: str  # its location, as a person would name it; unique
    source: str  # the folder, archive, repository or index entry that it came from
    path: str  # its folder in the source; `.` if the source is the skill
    name: str
    description: str
    digest: str | None  # of its content: files, modes and links
    level: str | None  # `block`, `review` or `clear`; null if nothing is known
    findings: tuple[FoundFinding, ...]  # the worst first
    guarantees: tuple[str, ...]  # names of guarantees
    verdict: str
    capabilities: tuple[str, ...]  # sorted, each once
    effects: tuple[FoundEffect, ...]
    opaque: tuple[OpaquePlace, ...]
    fingerprint: str | None  # of the set of capabilities with scopes, regardless of file names and lines
    files: int
    bytes: int
    error: str | None
    toolchain: str  # the version of Remit
    seconds: float
    cached: bool


def effect_fingerprint(effects: Iterable[FoundEffect]) -> str:
    """Return a digest that is equal for two skills with the same capabilities, whatever their files are called."""
    pairs = sorted({(effect.capability, effect.scope) for effect in effects})
    return hashlib.sha256(
        "".join(f"{one}\0{other}\0" for one, other in pairs).encode("utf-8", "surrogatepass")
    ).hexdigest()


def schema() -> pa.Schema:
    """Return the columns of the Parquet file, in the order of `Row`."""
    import pyarrow as pa  # noqa: PLC0415  an extra, and slow to import

    text, number = pa.string(), pa.int64()
    fields = {"line": number, "accepted": pa.bool_()}
    finding, effect, opaque = (
        pa.list_(pa.struct([(name, fields.get(name, text)) for name in kind._fields]))
        for kind in (FoundFinding, FoundEffect, OpaquePlace)
    )
    types = {
        "findings": finding, "guarantees": pa.list_(text), "capabilities": pa.list_(text), "effects": effect, "opaque": opaque,
        "files": number, "bytes": number, "seconds": pa.float64(), "cached": pa.bool_(),
    }  # fmt: skip
    nullable = {"digest", "level", "fingerprint", "error"}
    return pa.schema([pa.field(name, types.get(name, text), nullable=name in nullable) for name in ScanRow._fields])


def table(rows: Iterable[ScanRow]) -> pa.Table:
    """Return rows in the form in which they are written."""
    import pyarrow as pa  # noqa: PLC0415

    return pa.Table.from_pylist([_plain(row) for row in rows], schema=schema())


def _plain(row: ScanRow) -> dict[str, Any]:
    return row._asdict() | {
        name: [item._asdict() for item in getattr(row, name)] for name in ("findings", "effects", "opaque")
    }
