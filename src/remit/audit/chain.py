"""The hash chain: every record contains the hash of all before it. Pure.

    hash of a record = SHA-256(domain, hash of the record before, canonical JSON of number, time, kind and body)

The first record builds on the name of the log, so that no record of one log fits into another.
"""

from __future__ import annotations

import hashlib
import json
from typing import NamedTuple

from remit.audit.entry import Entry, read_entry
from remit.core.errors import AuditError, RemitError

_RECORD = b"remit audit record 1\0"
_LOG = b"remit audit log 1\0"
MAX_BYTES = 4 * 1024 * 1024  # of one record


class Record(NamedTuple):
    """A record of the log."""

    number: int  # from 1, without gaps
    time: int  # microseconds since 1970, by the clock of the writer
    entry: Entry
    hash: bytes


def genesis(log: str) -> bytes:
    """Return the hash that the first record builds on."""
    return hashlib.sha256(_LOG + log.encode()).digest()


def link(previous: bytes, text: bytes) -> bytes:
    """Return the hash of a record."""
    return hashlib.sha256(_RECORD + previous + text).digest()


def written(number: int, time: int, entry: Entry) -> bytes:
    """Return the text of a record."""
    try:
        text = f'{{"body":{entry.canonical_body()},"kind":"{entry.kind}","number":{number},"time":{time}}}'.encode()
    except UnicodeEncodeError:
        message = "a text of a record holds half of a surrogate pair"
        raise AuditError(message, "escape it before it is written down") from None
    if len(text) > MAX_BYTES:
        raise AuditError(f"a record would have {len(text)} bytes", f"keep it below {MAX_BYTES}: shorten its arguments")
    return text


def read(text: bytes) -> tuple[int, int, Entry]:
    """Parse number, time and entry of a record. A text that is not in canonical form is refused."""
    try:
        value = json.loads(text)
        if not isinstance(value, dict) or value.keys() != {"number", "time", "kind", "body"}:
            raise AuditError("a record has other parts than number, time, kind and body")
        number, time = value["number"], value["time"]
        if type(number) is not int or type(time) is not int:
            raise AuditError("a record has no number or no time")
        entry = read_entry(value["kind"], value["body"])
        if written(number, time, entry) != text:
            raise AuditError("a record is not in its canonical form")
    except (ValueError, RecursionError):
        raise AuditError("a record is not JSON") from None
    except RemitError as error:
        raise AuditError(error.message) from None
    return number, time, entry
