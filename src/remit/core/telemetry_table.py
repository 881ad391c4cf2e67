"""The table of telemetry: all names and attributes that may be reported (`data/telemetry.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError
from remit.core.table import DATA, read_table

if TYPE_CHECKING:
    from pathlib import Path

FILE = "telemetry.json"  # the settings that enable telemetry
ATTRIBUTES, FIGURES, SPANS, EVENTS, PROCESSES = "attributes", "figures", "spans", "events", "processes"
TEXT = "text"
_KINDS = {
    ATTRIBUTES: ("word", "code", "id", "capability", "number", TEXT),
    FIGURES: ("counter", "histogram", "level"),
    SPANS: ("server", "client", "internal"),
    EVENTS: ("debug", "info", "warning", "error"),
}


class TelemetryName(NamedTuple):
    """A name, its kind, the attributes that may go with it, and its meaning."""

    name: str
    kind: str
    fields: tuple[str, ...]
    about: str


class TelemetryTable(NamedTuple):
    """The table, by name."""

    attributes: Mapping[str, TelemetryName]
    figures: Mapping[str, TelemetryName]
    spans: Mapping[str, TelemetryName]
    events: Mapping[str, TelemetryName]
    processes: Mapping[str, int]  # offset from the first port


@cache
def told() -> TelemetryTable:
    """Return the built-in table."""
    return read_told(DATA / "telemetry.table")


def read_told(path: Path) -> TelemetryTable:
    """Parse a table; DataError with the location of an invalid row."""
    found: dict[str, dict[str, TelemetryName]] = {section: {} for section in (*_KINDS, PROCESSES)}
    for section, cells, where in read_table(path, 4):
        name, kind, fields, about = cells
        if section not in found:
            raise DataError(f"{where}: `{section}` is no section", f"one of {', '.join(found)}")
        if name in found[section] or not about:
            raise DataError(f"{where}: `{name}` occurs twice, or is empty", "one row for a name, with what it says")
        if kind not in _KINDS.get(section, (kind,)) or (section == PROCESSES and not kind.isdecimal()):
            raise DataError(f"{where}: `{kind}` is no kind of {section}", ", ".join(_KINDS.get(section, ("a number",))))
        _check_fields(section, fields.split(), found[ATTRIBUTES], where)
        found[section][name] = TelemetryName(name, kind, tuple(fields.split()), about)
    processes = {row.name: int(row.kind) for row in found[PROCESSES].values()}
    return TelemetryTable(found[ATTRIBUTES], found[FIGURES], found[SPANS], found[EVENTS], processes)


def _check_fields(section: str, fields: list[str], known: Mapping[str, TelemetryName], where: str) -> None:
    for field in fields:
        if field not in known:
            raise DataError(f"{where}: `{field}` is no attribute", "add it to [attributes] at the top of the file")
        if known[field].kind == TEXT and section != EVENTS:
            raise DataError(f"{where}: `{field}` is text", "words about people belong in events only")
