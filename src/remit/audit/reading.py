"""Records that are looked for: all after a number, of a session, with an outcome."""

from __future__ import annotations

from json.encoder import encode_basestring
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.chain import Record, read
from remit.core.errors import AuditError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

_PAGE = 500  # records that are read at a time: the file is not held while the reader works


class Filter(NamedTuple):
    """Which records. Empty means all."""

    session: str = ""
    principal: str = ""
    outcome: str = ""
    kind: str = ""
    call: str = ""
    since: int = 0  # microseconds since 1970
    after: int = 0  # the number of a record: those that follow it
    newest: int = 0  # only so many, the last ones; 0 is all
    without: str = ""  # a kind that is left out


class Row(NamedTuple):
    """A record, and its text."""

    record: Record
    text: bytes


_NONE: Mapping[int, Row] = MappingProxyType({})


def records(store: sqlite3.Connection, wanted: Filter, known: Mapping[int, Row] = _NONE) -> Iterator[Record]:
    """The records of an open file that are wanted, the oldest first. `known` need not be read again, if they stand there so."""
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


def _record(number: int, text: bytes, digest: bytes) -> Record:
    try:
        said, moment, entry = read(text)
    except AuditError as error:
        raise AuditError(f"record {number}: {error.message}", "`remit audit verify` says from where on") from None
    if said != number:
        raise AuditError(f"record {number} says that it is {said}", "`remit audit verify` says from where on")
    return Record(number, moment, entry, digest)


def _spelled(name: str, value: str) -> bytes:
    return f'"{name}":{encode_basestring(value)}'.encode("utf-8", "surrogatepass")


def fits(record: Record, wanted: Filter) -> bool:
    """The same as `_where` says in SQL."""
    entry = record.entry
    return (
        (not wanted.session or entry.session == wanted.session)
        and (not wanted.principal or entry.principal == wanted.principal)
        and (not wanted.outcome or entry.outcome == wanted.outcome)
        and (not wanted.call or entry.call == wanted.call)
        and (not wanted.kind or entry.kind == wanted.kind)
        and record.time >= wanted.since
        and entry.kind != wanted.without
    )


def _where(wanted: Filter) -> tuple[str, tuple[str | int | bytes, ...]]:
    """What SQLite leaves out. No column stands beside the text of a record: it could say something else."""
    body = [(name, getattr(wanted, name)) for name in ("session", "principal", "outcome", "call")]
    # Texts have one spelling. Those that do not hold these words at all are passed over before anybody reads their JSON.
    parts: list[tuple[str, str | int | bytes]] = [("instr(text, ?)", _spelled(*one)) for one in body if one[1]]
    parts += [(f"json_extract(text, '$.body.{name}') = ?", value) for name, value in body]
    parts += [("json_extract(text, '$.kind') = ?", wanted.kind), ("json_extract(text, '$.time') >= ?", wanted.since)]
    parts.append(("json_extract(text, '$.kind') != ?", wanted.without))
    used = [part for part in parts if part[1]]
    return "".join(f" AND {text}" for text, _ in used), tuple(value for _, value in used)
