"""Claims of the log: for every call that was let through, the changes that must have happened, or may have. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ADMITTED, ANSWER, Entry, Kind, Outcome
from remit.core.capability import matches, vocabulary
from remit.core.errors import DataError, ManifestError
from remit.core.scope import ANY_SCOPE, DEEP, HOME, ROOT, WORKSPACE, PathScope, Scope, ScopeKind, parse_scope
from remit.core.scope.component import literal
from remit.core.table import read_table

if TYPE_CHECKING:
    from remit.audit.chain import Record

_TABLE = Path(__file__).with_name("data") / "observed.table"
CHANGES = ("write", "delete", "chmod", "ref")
_OF_CALLS = (Kind.DECISION, Kind.EFFECT)
GIT = PathScope(WORKSPACE, (DEEP, ".git", DEEP))


class Shows(NamedTuple):
    """What the world shows of a capability."""

    changes: frozenset[str]
    exact: bool  # a record of one path must be observable


class Claim(NamedTuple):
    """Changes that a record stands for."""

    number: int  # of the record
    changes: frozenset[str]
    scope: Scope
    target: str = ""  # the only path that must have changed; empty if the claim only allows changes
    open: bool = False  # its end was not recorded


class Call(NamedTuple):
    """What the log says about one call."""

    decisions: tuple[Record, ...]
    effects: tuple[Record, ...]

    @property
    def admitted(self) -> bool:
        """Whether the last decision let it through."""
        return bool(self.decisions) and self.decisions[-1].entry.outcome in ADMITTED


@cache
def shown() -> Mapping[str, Shows]:
    """Return, by capability, what the world shows of it."""
    return read_shown(_TABLE)


def read_shown(path: Path) -> dict[str, Shows]:
    """Parse the table; an unknown capability, change or certainty is refused with its line."""
    out: dict[str, Shows] = {}
    for row in read_table(path, 4):
        name, changes, surety, _ = row.cells
        words = changes.split()
        known = name == "*" or name in vocabulary()
        if not known or name in out or surety not in ("exact", "may") or not words or not set(words) <= set(CHANGES):
            message = f"{row.where}: `{name}` occurs twice, or a word of the line is not known"
            raise DataError(message, "correct the line; the head of the file says what its cells mean")
        out[name] = Shows(frozenset(words), surety == "exact")
    return out


def calls(records: Iterable[Record]) -> dict[tuple[str, str], Call]:
    """Return decisions and effects by session and call, in the order of the log. Without a call's name, the judged
    input links them.
    """
    found: dict[tuple[str, str], tuple[list[Record], list[Record]]] = {}
    for record in records:
        entry = record.entry
        if entry.op == ANSWER or entry.kind not in _OF_CALLS:
            continue
        key = (entry.session, entry.call or entry.judged or f"record {record.number}")
        found.setdefault(key, ([], []))[_OF_CALLS.index(entry.kind)].append(record)
    return {key: Call(tuple(decisions), tuple(effects)) for key, (decisions, effects) in found.items()}


def unfinished(records: Iterable[Record]) -> tuple[Entry, ...]:
    """Return an effect `unknown` for each call that was let through and whose end was not recorded. For use after a
    restart.
    """
    lost = [call.decisions[-1].entry for call in calls(records).values() if call.admitted and not call.effects]
    reason = "the end was not recorded: it may have run, or not"
    return tuple(
        replace(entry, kind=Kind.EFFECT, outcome=Outcome.UNKNOWN, arguments={}, policy="", reason=reason)
        for entry in lost
    )


def claims(call: Call, root: str, home: str) -> tuple[list[Claim], list[str]]:
    """Return what a call claims in this workspace, and the capabilities of which the world shows nothing here."""
    if not call.admitted:
        return [], []  # a call that ran without being let through explains nothing
    done = [record for record in call.effects if record.entry.outcome is not Outcome.UNDONE]
    undone = {(record.entry.capability, record.entry.scope) for record in call.effects if record not in done}
    out: list[Claim] = []
    unseen: list[str] = []
    if not call.effects:
        done = [call.decisions[-1]]  # it was let through, and its end was not recorded
    for record in done:
        entry = record.entry
        if not (entry.capability or entry.inferred) and call.decisions:
            entry = call.decisions[-1].entry
        if (entry.capability, entry.scope) in undone:
            continue
        sure = record.entry.outcome is Outcome.EXECUTED
        # a failed call may have done a part; one without an end may have done all or nothing
        ended = sure or record.entry.outcome is Outcome.FAILED
        for capability, scope, main in _asked(entry):
            found = _claim(record.number, capability, scope, root, home, exact=main and sure, ended=ended)
            if found is None:
                unseen.append(capability)
            else:
                out.append(found)
    return out, unseen


def _asked(entry: Entry) -> Sequence[tuple[str, str, bool]]:
    """Return capability, scope, and whether it is the call itself rather than something inferred from a command."""
    main = [(entry.capability, entry.scope, True)] if entry.capability else []
    return [*main, *[(item.capability, item.scope, False) for item in entry.inferred if item.verdict in ADMITTED]]


def _claim(number: int, capability: str, text: str, root: str, home: str, *, exact: bool, ended: bool) -> Claim | None:
    shows = shown().get(capability)
    if shows is None and "*" in capability:
        patterns = [found for name, found in shown().items() if matches(capability, name)]
        shows = Shows(frozenset(word for found in patterns for word in found.changes), exact=False)
    if shows is None or not shows.changes:
        return None
    word = vocabulary().get(capability)
    on_paths = "*" in capability or (word is not None and word.scope_kind is ScopeKind.PATH)
    scope = _here(text, root, home) if on_paths else ANY_SCOPE
    if scope is None:
        return None
    if capability.startswith("commit."):
        scope = GIT  # the scope is the repository; other changes of a git command are inferred separately
    target = ""
    if exact and shows.exact and isinstance(scope, PathScope):
        parts = [literal(part) for part in scope.parts]
        target = "/".join(str(part) for part in parts) if DEEP not in scope.parts and None not in parts else ""
    return Claim(number, shows.changes, scope, target, not ended)


@lru_cache(4096)  # most calls of a session are about the same paths
def _here(text: str, root: str, home: str) -> Scope | None:
    """Return a scope as a part of the workspace; None if it is elsewhere, or invalid: then it explains nothing."""
    try:
        scope = parse_scope("path", text) if text else ANY_SCOPE
    except ManifestError:
        return None
    if not isinstance(scope, PathScope) or scope.anchor == WORKSPACE:
        return scope
    parts = scope.parts
    if scope.anchor == HOME and home:
        parts = (*_parts(home), *parts)
    elif scope.anchor != ROOT:
        return None
    above = _parts(root)
    if DEEP in parts[: len(above)]:
        return ANY_SCOPE if parts[parts.index(DEEP) :] == (DEEP,) and _same(parts[: parts.index(DEEP)], above) else None
    return PathScope(WORKSPACE, parts[len(above) :]) if len(parts) >= len(above) and _same(parts, above) else None


def _same(parts: tuple[str, ...], above: tuple[str, ...]) -> bool:
    return all(literal(part) == name for part, name in zip(parts, above, strict=False))


def _parts(path: str) -> tuple[str, ...]:
    return tuple(part for part in path.split("/") if part)
