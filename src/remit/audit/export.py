"""Export of a log as lines of JSON: its name, every record with its hash, every signed head. It can be verified
anywhere.

The first line is {"format":1,"log":…}, then {"hash":…,"record":{…}} for each record, then {"head":{…}} for each head.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from remit.audit.chain import MAX_BYTES
from remit.audit.files import Places, read_heads
from remit.audit.head import Checker, SignedHead, read_head
from remit.audit.store import connect, transaction
from remit.audit.verify import Broken, Stored, Whole, check
from remit.core.digest import canonical
from remit.core.errors import AuditError

if TYPE_CHECKING:
    from pathlib import Path


FORMAT = 1
_RECORD, _BETWEEN, _END = b'{"hash":"', b'","record":', b"}\n"
_HASH = re.compile(rb"[0-9a-f]{64}")
_MOST = MAX_BYTES + 4096


def export(folder: Path) -> Iterator[bytes]:
    """Return the lines of a log, as a stream. They are as stored; `verify` judges them."""
    places = Places(folder)
    store = connect(places, write=False)
    try:
        heads = read_heads(places.heads) if places.heads.exists() else ()
        with transaction(store, "DEFERRED"):
            name = str(store.execute("SELECT name FROM log").fetchone()[0])
            yield canonical({"format": FORMAT, "log": name}) + b"\n"
            for text, digest in store.execute("SELECT text, hash FROM record ORDER BY number"):
                yield _RECORD + bytes(digest).hex().encode() + _BETWEEN + bytes(text) + _END
        for head in heads:
            yield b'{"head":' + head.line().encode() + b"}\n"
    finally:
        store.close()


def verify_export(file: BinaryIO, checkers: Mapping[str, Checker], kept: Iterable[SignedHead] = ()) -> Whole | Broken:
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
            raise AuditError("the file ends within a line, or a line is too long", "export it anew: a part is missing")
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
    return AuditError(f"line {number} is not one of an export", "export it anew; if it was changed, believe none of it")
