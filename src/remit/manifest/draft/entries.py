"""Entries of a draft: what is granted, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.capability import Level, vocabulary
from remit.core.scope import ANY_SCOPE
from remit.manifest.draft.scopes import compact, in_workspace, scopes_for
from remit.manifest.fields import MANY
from remit.manifest.model import Constraints, Decision, Permission, usual_decision

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.manifest.draft.clues import Clue
    from remit.manifest.model import Evidence

_SHOWN = 3  # pieces of evidence in an entry
_TEXT = 200  # characters of each
_IN_WORKSPACE = ("file.", "source.")


def grant(capability: str, clues: Sequence[Clue]) -> Permission:
    """The entry for a capability that the skill needs. What happens is a function of its level."""
    level = vocabulary()[capability].level
    scopes = scopes_for(capability, clues)
    inside = capability.startswith(_IN_WORKSPACE) and in_workspace(scopes)
    return Permission(
        capability,
        scopes,
        usual_decision(level),
        constraints=Constraints(workspace_only=inside, redact=level is Level.REDACT),
        fallback_msg=vocabulary()[capability].meaning,
        evidence=_evidence(clues),
    )


def refuse(capability: str, clues: Sequence[Clue], why: str) -> Permission:
    """The entry for something that the skill shows but does not ask for, or asks for in a suspicious way."""
    scopes = compact(clue.scope for clue in clues if clue.scope is not None) or scopes_for(capability, ())
    return Permission(capability, scopes, Decision.DENY, fallback_msg=why, evidence=_evidence(clues))


def parts(entry: Permission) -> Iterator[Permission]:
    """An entry as several, if it has more scopes than an entry may have."""
    for first in range(0, len(entry.scopes), MANY):
        yield entry._replace(scopes=entry.scopes[first : first + MANY])


def _evidence(clues: Sequence[Clue]) -> tuple[Evidence, ...]:
    best = sorted(clues, key=lambda clue: (clue.scope != ANY_SCOPE, -clue.points))  # what made it wide is shown first
    places = {(clue.evidence.file, clue.evidence.line): clue.evidence for clue in reversed(best)}
    shown = list(reversed(places.values()))[:_SHOWN]
    return tuple(one._replace(text=_sayable(one.text[:_TEXT]), rule=_sayable(one.rule)) for one in shown)


def _sayable(text: str) -> str:
    """Text without halves of pairs of surrogates, which no manifest can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
