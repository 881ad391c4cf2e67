"""Entries, the content of log records, and the hash chain: every record contains the hash of all before it. Pure.

    hash of a record = SHA-256(domain, hash of the record before, canonical JSON of number, time, kind and body)

The first record builds on the name of the log, so that no record of one log fits into another. An entry is well formed
because no other can be created. The writer redacts arguments and results; here they are kept as given.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from itertools import compress
from json.encoder import encode_basestring
from operator import add, attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from remit.core.digest import canonical
from remit.core.errors import AuditError, RemitError

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}", re.ASCII)
_SAFE = 2**53 - 1
_NO_ARGUMENTS: Mapping[str, Any] = MappingProxyType({})
_REPAIR = "this is a mistake of the program that writes the log; report it"


class RecordKind(StrEnum):
    """What a record is about."""

    ENVELOPE = "envelope"  # an event that a host reported
    DECISION = "decision"  # the answer
    EFFECT = "effect"  # the end of a call


class Origin(StrEnum):
    """Who caused it."""

    AGENT = "agent"  # the model, by a call of a tool
    SCRIPT = "script"  # a script that such a call started


class Outcome(StrEnum):
    """How it ended."""

    ADMIT = "admit"
    DENY = "deny"
    PERSON_APPROVED = "person-approved"
    PERSON_DENIED = "person-denied"
    ASKED = "asked"  # the host asks its user, and does not report the answer
    EXECUTED = "executed"
    FAILED = "failed"
    UNDONE = "undone"
    UNKNOWN = "unknown"  # the end was not recorded: found at a restart


ANSWER = "answer"  # the `op` of a person's decision: it is no call, and what it admits has records of its own
ALARM = "alarm"  # the `op`, or the event, of a forbidden change that was noticed
NOT_LET_THROUGH = "a call ran that was not let through"  # the beginning of the reason of such an effect
DECIDED = frozenset({Outcome.ADMIT, Outcome.DENY, Outcome.PERSON_APPROVED, Outcome.PERSON_DENIED, Outcome.ASKED})
ADMITTED = frozenset({Outcome.ADMIT, Outcome.PERSON_APPROVED, Outcome.ASKED})
_OUTCOMES: Mapping[RecordKind, frozenset[Outcome | None]] = {
    RecordKind.ENVELOPE: frozenset({None}),
    RecordKind.DECISION: frozenset(DECIDED),
    RecordKind.EFFECT: frozenset(set(Outcome) - DECIDED),
}


class Inferred(NamedTuple):
    """A capability that a command was found to need, with the decision on it alone."""

    capability: str
    scope: str
    verdict: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that happened. Unknown fields are empty."""

    kind: RecordKind
    origin: Origin = Origin.AGENT
    host: str = ""
    event: str = ""  # as the host calls it
    session: str = ""
    call: str = ""  # the host's name for this call: it links what was judged to what ran
    tool: str = ""
    op: str = ""  # a word for the action: `write`, `run`, `fetch`
    arguments: Mapping[str, Any] = field(default_factory=dict)  # redacted; frozen here
    capability: str = ""
    scope: str = ""  # the scope, as manifests write it
    inferred: tuple[Inferred, ...] = ()
    principal: str = ""  # the skill; empty for the agent itself
    policy: str = ""  # which rule of which source decided
    reason: str = ""
    outcome: Outcome | None = None
    judged: str = ""  # the digest of the input that was judged
    ran: str = ""  # the digest of the input that actually ran

    def __post_init__(self) -> None:
        if self.outcome not in _OUTCOMES.get(self.kind, ()):
            raise AuditError(f"a record of kind `{self.kind}` does not end with `{self.outcome}`", _REPAIR)
        for name, text in (("judged", self.judged), ("ran", self.ran)):
            if text and not _DIGEST.fullmatch(text):
                raise AuditError(f"`{name}` is not a digest", _REPAIR)
        object.__setattr__(self, "arguments", _frozen(self.arguments) if self.arguments else _NO_ARGUMENTS)

    def body(self) -> dict[str, Any]:
        """Return the entry as JSON: without the kind, which is stored separately, and without empty fields."""
        found: dict[str, Any] = {"origin": str(self.origin)}
        for name in _TEXTS:
            if text := getattr(self, name):
                found[name] = text
        if self.arguments:
            found["arguments"] = _thawed(self.arguments)
        if self.inferred:
            found["inferred"] = [[item.capability, item.scope, str(item.verdict)] for item in self.inferred]
        if self.outcome is not None:
            found["outcome"] = str(self.outcome)
        return found

    def canonical_body(self) -> str:
        """Return the canonical JSON of `body()`, by hand for speed: a decision waits for it. A test compares them."""
        write = encode_basestring
        texts = _texts(self)
        parts = list(compress(map(add, _STARTS, map(write, texts)), texts))
        parts.append(_ORIGINS[self.origin])
        if self.arguments:
            parts.append(f'"arguments":{canonical(_thawed(self.arguments)).decode()}')
        if self.inferred:
            found = [f'[{write(name)},{write(on)},"{said}"]' for name, on, said in self.inferred]
            parts.append(f'"inferred":[{",".join(found)}]')
        if self.outcome is not None:
            parts.append(_ENDS[self.outcome])
        parts.sort()  # by their names, which are unique
        return f"{{{','.join(parts)}}}"


_TEXTS = tuple(item.name for item in fields(Entry) if item.type == "str")
_texts = attrgetter(*_TEXTS)
_STARTS = tuple(f'"{name}":' for name in _TEXTS)
_ORIGINS = {origin: f'"origin":"{origin.value}"' for origin in Origin}
_ENDS = {outcome: f'"outcome":"{outcome.value}"' for outcome in Outcome}
_FIELDS = frozenset(item.name for item in fields(Entry)) - {"kind"}


def read_entry(kind: Any, body: Any) -> Entry:
    """Parse the entry of a record; an unknown field, or one of another type, is refused."""
    if not isinstance(body, dict) or not body.keys() <= _FIELDS:
        unknown = min(body.keys() - _FIELDS) if isinstance(body, dict) else "body"
        raise AuditError(f"`{unknown}` is not a field of a record", "read it with the version of Remit that wrote it")
    try:
        texts = {name: _text(body[name]) for name in _TEXTS if name in body}
        return Entry(
            kind=RecordKind(_text(kind)),
            origin=Origin(_text(body.get("origin"))),
            arguments=_object(body.get("arguments", {})),
            inferred=tuple(_inferred(item) for item in body.get("inferred", ())),
            outcome=Outcome(_text(body["outcome"])) if "outcome" in body else None,
            **texts,
        )
    except (ValueError, TypeError) as error:
        raise AuditError(
            f"a record is malformed: {error}", "the record was changed, or is of another version"
        ) from None


def _inferred(item: Any) -> Inferred:
    capability, scope, verdict = item
    return Inferred(_text(capability), _text(scope), Outcome(_text(verdict)))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _object(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TypeError("`arguments` is not an object")
    return value


def _frozen(value: Any) -> Any:
    if isinstance(value, dict | MappingProxyType):
        return MappingProxyType({_frozen(str(key)): _frozen(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return tuple(_frozen(item) for item in value)
    # what JSON cannot carry, or readers disagree on, is stored as text: it is recorded even if a host sends it
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int | float) and not isinstance(value, bool) and not -_SAFE <= value <= _SAFE:
        return repr(value) if isinstance(value, float) or value.bit_length() < 4096 else "a number of many digits"
    return value


def _thawed(value: Any) -> Any:
    if isinstance(value, MappingProxyType):
        return {key: _thawed(item) for key, item in value.items()}
    return [_thawed(item) for item in value] if isinstance(value, tuple) else value


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
