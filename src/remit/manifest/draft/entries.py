"""Entries of a draft: what is allowed, what a person is asked about, and what is denied."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.capability import FILE_READS, Level, vocabulary
from remit.core.errors import DataError
from remit.core.scope import ANY_SCOPE, SKILL, TEMP, WORKSPACE, HostScope, NameScope, PathScope, Scope, SymbolScope
from remit.core.table import read_table
from remit.manifest.draft.scopes import SkillNames, compact, in_workspace, scopes_for
from remit.manifest.fields import MANY
from remit.manifest.model import SHOWN, Constraints, Decision, Evidence, Permission

if TYPE_CHECKING:
    from remit.manifest.draft.clues import Clue

_SHOWN = 3  # pieces of evidence in an entry
_TEXT = 200  # characters of each
_IN_WORKSPACE = ("file.", "source.")
_WHEN = frozenset({"always", "unscoped", "unannounced", "outside", "file"})
_OWN = frozenset({WORKSPACE, TEMP, SKILL})
_GIVEN = ("<arg>", "<env:")


@cache
def _questions() -> dict[str, str]:
    return read_decisions(Path(str(files("remit.manifest.draft").joinpath("data/decisions.table"))))


def read_decisions(path: Path) -> dict[str, str]:
    """Return when a draft asks, by capability; an invalid row is refused with its location."""
    out: dict[str, str] = {}
    for row in read_table(path, 2):
        capability, when = row.cells
        if capability not in vocabulary() or when not in _WHEN or capability in out:
            raise DataError(
                f"{row.where}: the row cannot be read", f"write `capability | {' or '.join(sorted(_WHEN))}`"
            )
        out[capability] = when
    return out


def asks(capability: str, scope: Scope, names: SkillNames | None = None) -> bool:
    """Whether a person is asked before a capability is used on a scope."""
    when = _questions().get(capability, "")
    if when == "always" or (when and not _is_known(scope)):
        return True
    if when == "outside":
        return not (isinstance(scope, PathScope) and scope.anchor in _OWN)
    if when == "unannounced":
        return names is not None and isinstance(scope, HostScope) and not names.announces(scope.host)
    return when == "file" and not isinstance(scope, NameScope)


def _is_known(scope: Scope) -> bool:
    """Whether the scope is known: named by the skill, its caller or its settings. An agent may name files, but no
    hosts.
    """
    if isinstance(scope, SymbolScope):
        return scope.symbol.startswith(_GIVEN)
    if isinstance(scope, PathScope) and scope.anchor.startswith("<"):
        return scope.anchor.startswith((*_GIVEN, "<stdin>", "<model>"))
    return scope != ANY_SCOPE


def grants(capability: str, clues: Sequence[Clue], names: SkillNames) -> Iterator[Permission]:
    """Return the entries for a capability that the skill needs: one that allows, and one that asks if some of it is
    asked about.

    The allowing entry ranks above the asking one, so that a known host passes although others are asked about.
    """
    scopes = scopes_for(capability, clues, names)
    asked = tuple(scope for scope in scopes if asks(capability, scope, names))
    free = tuple(scope for scope in scopes if scope not in asked)
    if ANY_SCOPE in free:
        free = (ANY_SCOPE,)
    if ANY_SCOPE in asked:
        asked = (ANY_SCOPE,)
    if free:
        yield _grant(capability, free, clues, Decision.ALLOW, names)._replace(priority=1 if asked else 0)
    if asked:
        yield _grant(capability, asked, clues, Decision.CONFIRM, names)


def _grant(
    capability: str, scopes: tuple[Scope, ...], clues: Sequence[Clue], decision: Decision, names: SkillNames
) -> Permission:
    found = vocabulary()[capability]
    inside = capability.startswith(_IN_WORKSPACE) and in_workspace(scopes)
    asked = decision is Decision.CONFIRM
    speaking = [clue for clue in clues if clue.scope is None or asks(capability, clue.scope, names) is asked] or clues
    return Permission(
        capability,
        scopes,
        decision,
        constraints=Constraints(workspace_only=inside, redact=found.level is Level.REDACT),
        fallback_msg=found.meaning,
        evidence=_evidence(speaking),
    )


def refuse(capability: str, clues: Sequence[Clue], why: str) -> Permission:
    """Return the denial of something that the skill shows but does not ask for, or asks for where a finding objects."""
    scopes = compact(clue.scope for clue in clues if clue.scope is not None) or scopes_for(capability, ())
    scopes = (ANY_SCOPE,) if ANY_SCOPE in scopes else scopes
    return Permission(capability, scopes, Decision.DENY, fallback_msg=why, evidence=_evidence(clues))


def refuse_shown(capability: str, clues: Sequence[Clue], names: SkillNames) -> Iterator[Permission]:
    """Return denials of what the skill shows but does not ask for. Unbounded reads are asked about: a denial would hit
    the user's own work.
    """
    entry = refuse(capability, clues, SHOWN)
    if entry.scopes == (ANY_SCOPE,) and capability in FILE_READS:
        yield from grants(capability, clues, names)
    else:
        yield entry


def parts(entry: Permission) -> Iterator[Permission]:
    """Split an entry that has more scopes than allowed."""
    for first in range(0, len(entry.scopes), MANY):
        yield entry._replace(scopes=entry.scopes[first : first + MANY])


def _evidence(clues: Sequence[Clue]) -> tuple[Evidence, ...]:
    best = sorted(clues, key=lambda clue: (clue.scope != ANY_SCOPE, -clue.points))  # what made it wide is shown first
    places = {(clue.evidence.file, clue.evidence.line): clue.evidence for clue in reversed(best)}
    shown = list(reversed(places.values()))[:_SHOWN]
    return tuple(one._replace(text=_sayable(one.text[:_TEXT]), rule=_sayable(one.rule)) for one in shown)


def _sayable(text: str) -> str:
    """Return text without lone surrogates, which no manifest can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
