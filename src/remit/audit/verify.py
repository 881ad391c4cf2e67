"""Export of a log, and verification of a log or an export: the chain from its first record, and every signed head.

    (1) the records are numbered from 1, without gaps; each is canonical, and its hash is right
    (2) every head beside the database is signed by a known key, and matched the log when it was signed
    (3) every head inside the database is stored beside it too
    (4) a head that was stored elsewhere, if one is given, matched the log when it was signed

The records are read as a stream, with constant memory for a log of any length. The first line of an export is
{"format":1,"log":…}, then {"hash":…,"record":{…}} for each record, then {"head":{…}} for each head.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from remit.audit.entry import MAX_BYTES, genesis, link, read
from remit.audit.head import LOCAL, Checker, Places, SignedHead, read_head, read_heads
from remit.audit.store import connect, transaction
from remit.core.digest import canonical
from remit.core.errors import AuditError

_RESTORE = "compare with an export or a backup; everything from this record on is not to be believed"
_CUT = "records were cut off, or an older copy was put in place: restore a backup, and ask who could write there"
_STEP = 2000  # records between two progress reports
_HEADS = "the signed heads were changed: compare with heads that were kept elsewhere"


class IntactLog(NamedTuple):
    """The log is what was written, as far as its heads show."""

    log: str
    records: int
    heads: int
    signed: int  # up to this record: truncation after it would not be noticed
    local: bool  # some head is signed by a key of this machine, and no other machine can verify it


class DamagedLog(NamedTuple):
    """The log is damaged: from this record on, for this reason, and what to do."""

    number: int
    reason: str
    remedy: str


class Stored(NamedTuple):
    """A record as stored in a file."""

    number: int
    text: bytes
    hash: bytes


def verify_log(
    folder: Path,
    checkers: Mapping[str, Checker],
    kept: Iterable[SignedHead] = (),
    step: Callable[[int], None] | None = None,
) -> IntactLog | DamagedLog:
    """Verify the log of a state folder. A file that cannot be read at all is an AuditError.

    `step` is called with the number of a record from time to time, for progress.
    """
    places = Places(folder)
    store = connect(places, write=False)
    try:
        # writers may sign meanwhile: earlier heads must match, heads of the database must be there afterwards
        before = read_heads(places.heads)
        with transaction(store, "DEFERRED"):
            name = str(store.execute("SELECT name FROM log").fetchone()[0])
            inside = [read_head(str(row[0])) for row in store.execute("SELECT line FROM head ORDER BY rowid")]
            rows = store.execute("SELECT number, text, hash FROM record ORDER BY number")
            stored: Iterator[Stored] = (Stored(int(row[0]), bytes(row[1]), bytes(row[2])) for row in rows)
            stored = _told(stored, step) if step else stored
            found = check(name, stored, before, checkers, kept)
        beside = set(read_heads(places.heads))
        missing = [signed for signed in inside if signed not in beside]
    finally:
        store.close()
    if missing and isinstance(found, IntactLog):
        return DamagedLog(missing[0].head.number, "a signed head of the database is missing next to it", _HEADS)
    return found


def check(
    log: str,
    stored: Iterable[Stored],
    heads: Iterable[SignedHead],
    checkers: Mapping[str, Checker],
    kept: Iterable[SignedHead] = (),
) -> IntactLog | DamagedLog:
    """Compare records with each other and with heads. Pure, except for the stream that it reads."""
    heads, kept = tuple(heads), tuple(kept)
    if fault := _heads_fault(log, heads, kept, checkers):
        return fault
    wanted: dict[int, list[SignedHead]] = {}
    for signed in chain(heads, kept):
        wanted.setdefault(signed.head.number, []).append(signed)
    number = 0
    for number, found in _links(stored, genesis(log)):
        if isinstance(found, str):
            return DamagedLog(number, found, _RESTORE)
        if any(signed.head.hash != found.hex() for signed in wanted.pop(number, ())):
            return DamagedLog(number, f"record {number} is not the one that was signed", _RESTORE)
    if any(signed.head.hash != genesis(log).hex() for signed in wanted.pop(0, ())):
        return DamagedLog(1, "a signed head does not fit the beginning of the log", _HEADS)
    if wanted:
        reason = f"the log ends with record {number}, and record {max(wanted)} was signed"
        return DamagedLog(number + 1, reason, _CUT)
    newest = max((signed.head.number for signed in chain(heads, kept)), default=0)
    local = any(signed.algorithm == LOCAL for signed in chain(heads, kept))
    return IntactLog(log, number, len(heads), newest, local)


def _told(stored: Iterator[Stored], step: Callable[[int], None]) -> Iterator[Stored]:
    for count, one in enumerate(stored):
        if count % _STEP == 0:
            step(one.number)
        yield one


def _links(stored: Iterable[Stored], last: bytes) -> Iterator[tuple[int, bytes | str]]:
    """Return the hash of each record; or, as the last item, what is wrong with one."""
    for expected, item in enumerate(stored, 1):
        if item.number != expected:
            yield expected, f"record {expected} is not there"
            return
        last = link(last, item.text)
        if last != item.hash:
            yield expected, f"record {expected} was changed, or the record before it was"
            return
        try:
            if read(item.text)[0] != expected:
                yield expected, f"record {expected} has another number in it"
                return
        except AuditError as error:
            yield expected, f"record {expected}: {error.message}"
            return
        yield expected, last


def _heads_fault(
    log: str, heads: tuple[SignedHead, ...], kept: tuple[SignedHead, ...], checkers: Mapping[str, Checker]
) -> DamagedLog | None:
    for signed in chain(heads, kept):
        number = signed.head.number
        if signed.head.log != log:
            return DamagedLog(1, f"a signed head is of the log {signed.head.log[:8]}, and this is {log[:8]}", _CUT)
        if signed.keyid not in checkers:
            reason = f"the head of record {number} is signed by the key {signed.keyid[:8]}, which is not known here"
            return DamagedLog(number, reason, "verify where the key is, or give the public key with --key")
        if not signed.holds(checkers):
            return DamagedLog(number, f"the signature of the head of record {number} does not hold", _HEADS)
    for older, newer in pairwise(heads):
        if older.head.number > newer.head.number:
            return DamagedLog(newer.head.number, "the signed heads are not in their order", _HEADS)
    return None


FORMAT = 1
_RECORD, _BETWEEN, _END = b'{"hash":"', b'","record":', b"}\n"
_HASH = re.compile(rb"[0-9a-f]{64}")
_MOST = MAX_BYTES + 4096


def export(folder: Path) -> Iterator[bytes]:
    """Return the lines of a log, as a stream. They are as stored; `verify` judges them."""
    places = Places(folder)
    store = connect(places, write=False)
    try:
        heads = read_heads(places.heads)
        with transaction(store, "DEFERRED"):
            name = str(store.execute("SELECT name FROM log").fetchone()[0])
            yield canonical({"format": FORMAT, "log": name}) + b"\n"
            for text, digest in store.execute("SELECT text, hash FROM record ORDER BY number"):
                yield _RECORD + bytes(digest).hex().encode() + _BETWEEN + bytes(text) + _END
        for head in heads:
            yield b'{"head":' + head.line().encode() + b"}\n"
    finally:
        store.close()


def verify_export(
    file: BinaryIO, checkers: Mapping[str, Checker], kept: Iterable[SignedHead] = ()
) -> IntactLog | DamagedLog:
    """Verify an export. Heads are at its end, so it is read twice; the file must allow that."""
    log, heads = "", []
    for number, line in enumerate(_lines(file), 1):
        if number == 1:
            log = _name(line)
        elif not line.startswith(_RECORD):
            heads.append(_head(line, number))
        elif heads:
            raise _malformed(number)
    if not log:
        raise AuditError("the file is empty", "give what `remit audit export --jsonl` printed")
    file.seek(0)
    return check(log, _records(file), heads, checkers, kept)


def _lines(file: BinaryIO) -> Iterator[bytes]:
    while line := file.readline(_MOST):
        if not line.endswith(b"\n"):
            raise AuditError("the file ends within a line, or a line is too long", "export it again: a part is missing")
        yield line


def _records(file: BinaryIO) -> Iterator[Stored]:
    for number, line in enumerate(_lines(file), 1):
        if not line.startswith(_RECORD):
            continue
        digest, between, text = line[len(_RECORD) : -len(_END)].partition(_BETWEEN)
        if not between or not _HASH.fullmatch(digest):
            raise _malformed(number)
        try:
            stored, said = bytes.fromhex(digest.decode()), json.loads(text)["number"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise _malformed(number) from None
        yield Stored(said if type(said) is int else 0, text, stored)


def _name(line: bytes) -> str:
    value = _object(line, 1)
    if value.keys() != {"format", "log"} or not isinstance(value["log"], str):
        raise AuditError("the first line is not that of an export", "give what `remit audit export --jsonl` printed")
    if value["format"] != FORMAT:
        raise AuditError("the export has a form that is not known", "use the version of Remit that wrote it")
    return value["log"]


def _head(line: bytes, number: int) -> SignedHead:
    value = _object(line, number)
    if value.keys() != {"head"}:
        raise _malformed(number)
    return read_head(canonical(value["head"]).decode())


def _object(line: bytes, number: int) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise _malformed(number) from None
    if not isinstance(value, dict):
        raise _malformed(number)
    return value


def _malformed(number: int) -> AuditError:
    return AuditError(
        f"line {number} is not one of an export", "export it again; if it was changed, do not trust any of it"
    )
