"""Queries of records: all after a number, of a session, with an outcome, since a time as people write it."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from json.encoder import encode_basestring
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import Record, read, written
from remit.core.errors import AuditError, UsageError

if TYPE_CHECKING:
    import sqlite3


_WILD = re.compile(r"[%_\\]")  # characters with a special meaning in LIKE
_PAGE = 500  # records that are read at a time: the file is not locked while the caller works


class Filter(NamedTuple):
    """Which records to return. Empty means all."""

    session: str = ""
    principal: str = ""
    outcome: str = ""
    kind: str = ""
    call: str = ""
    since: int = 0  # microseconds since 1970
    after: int = 0  # the number of a record: those after it
    newest: int = 0  # only the last ones, at most this many; 0 is all
    without: str = ""  # a kind that is left out
    tool: str = ""
    until: int = 0  # microseconds since 1970: those before it; 0 is no end
    text: str = ""  # occurs somewhere in the text of the record


class Row(NamedTuple):
    """A record, and its text."""

    record: Record
    text: bytes


_NONE: Mapping[int, Row] = MappingProxyType({})


def records(store: sqlite3.Connection, wanted: Filter, known: Mapping[int, Row] = _NONE) -> Iterator[Record]:
    """Return the requested records of an open file, the oldest first; unchanged `known` ones are not read again."""
    clause, values = _where(wanted)
    after = wanted.after
    if wanted.newest:
        query = f"SELECT number FROM record WHERE number > ?{clause} ORDER BY number DESC LIMIT ?"  # noqa: S608  words of ours
        found = [row[0] for row in store.execute(query, (after, *values, wanted.newest))]
        if not found:
            return
        after = found[-1] - 1
    query = f"SELECT number, text, hash FROM record WHERE number > ?{clause} ORDER BY number LIMIT ?"  # noqa: S608
    while rows := store.execute(query, (after, *values, _PAGE)).fetchall():
        for number, text, digest in rows:
            row = known.get(number)
            same = row is not None and row.text == text and row.record.hash == digest
            yield row.record if row is not None and same else _record(number, bytes(text), bytes(digest))
        after = rows[-1][0]


def one_record(store: sqlite3.Connection, number: int) -> Record | None:
    """Return the record of a number; None if there is none."""
    row = store.execute("SELECT number, text, hash FROM record WHERE number = ?", (number,)).fetchone()
    return _record(row[0], bytes(row[1]), bytes(row[2])) if row else None


def _record(number: int, text: bytes, digest: bytes) -> Record:
    try:
        said, moment, entry = read(text)
    except AuditError as error:
        raise AuditError(f"record {number}: {error.message}", "`remit audit verify` says from where on") from None
    if said != number:
        raise AuditError(f"record {number} says that it is {said}", "`remit audit verify` says from where on")
    return Record(number, moment, entry, digest)


def fits(record: Record, wanted: Filter) -> bool:
    """Filter as `_where` does in SQL."""
    entry = record.entry
    return (
        (not wanted.session or entry.session == wanted.session)
        and (not wanted.principal or entry.principal == wanted.principal)
        and (not wanted.outcome or entry.outcome == wanted.outcome)
        and (not wanted.call or entry.call == wanted.call)
        and (not wanted.kind or entry.kind == wanted.kind)
        and record.time >= wanted.since
        and entry.kind != wanted.without
        and (not wanted.tool or entry.tool == wanted.tool)
        and (not wanted.until or record.time < wanted.until)
        and (not wanted.text or _between_quotes(wanted.text).encode().lower() in written(*record[:3]).lower())
    )


def _between_quotes(text: str) -> str:
    """Return a text as it occurs in the JSON of a record."""
    return encode_basestring(text.encode("utf-8", "backslashreplace").decode())[1:-1]  # half a pair, as entries keep it


def anywhere(text: str) -> str:
    """Return the LIKE pattern. LIKE, and `fits`, ignore the case of ASCII letters, and of no others."""
    escaped = _WILD.sub(r"\\\g<0>", _between_quotes(text))
    return f"%{escaped}%"


def _where(wanted: Filter) -> tuple[str, tuple[str | int | bytes, ...]]:
    """Return what SQLite filters out. There is no column besides the text of a record: it could say something else."""
    body = [(name, getattr(wanted, name)) for name in ("session", "principal", "outcome", "call", "tool")]
    # Texts are canonical. Those without these words are skipped before their JSON is parsed.
    parts: list[tuple[str, str | int | bytes]] = [
        ("instr(text, ?)", f'"{name}":{encode_basestring(value)}'.encode("utf-8", "surrogatepass"))
        for name, value in body
        if value
    ]
    parts += [(f"json_extract(text, '$.body.{name}') = ?", value) for name, value in body]
    parts += [("json_extract(text, '$.kind') = ?", wanted.kind), ("json_extract(text, '$.time') >= ?", wanted.since)]
    parts.append(("json_extract(text, '$.kind') != ?", wanted.without))
    parts.append(("json_extract(text, '$.time') < ?", wanted.until))
    parts.append(("CAST(text AS TEXT) LIKE ? ESCAPE '\\'", wanted.text and anywhere(wanted.text)))
    used = [part for part in parts if part[1]]
    return "".join(f" AND {text}" for text, _ in used), tuple(value for _, value in used)


_AGO = re.compile(r"([0-9]{1,6})([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def read_moment(text: str) -> int:
    """Return a time in microseconds, from a date, a date and a time of day, or how long ago."""
    ago = _AGO.fullmatch(text)
    if ago:
        return time.time_ns() // 1000 - int(ago[1]) * _SECONDS[ago[2]] * 1_000_000
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"`{text}` is not a time", "write 2026-11-15, 2026-11-15T14:00, or 30m, 2h, 7d") from None
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1_000_000)
