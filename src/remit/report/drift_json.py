"""Differences as JSON (`remit schema diff` describes the form)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from remit.core.capability import vocabulary
from remit.manifest.drift.model import Change, Summary, TraitKind
from remit.manifest.drift.ranks import ranks
from remit.report.drift_words import Compared, changed_files, changed_sentences, verdict_line

if TYPE_CHECKING:
    from remit.checker.report import Failure


def drift_json(items: Sequence[Compared], failures: Sequence[tuple[str, Failure]] = ()) -> dict[str, Any]:
    """Return all skills of one comparison, every list in a fixed order."""
    return {
        "gains": any(item.drift.gains for item in items),
        "skills": [_skill(item) for item in items],
        "errors": [{"path": path, "message": failure.message, "remedy": failure.remedy} for path, failure in failures],
    }


def _skill(item: Compared) -> dict[str, Any]:
    drift = item.drift
    gains = set(drift.gains)
    return {
        "name": item.name,
        "verdict": item.verdict,
        "says": verdict_line(item),
        "old": _side(item.old, drift.old),
        "new": _side(item.new, drift.new),
        "added": [_change(change, gain=change in gains) for change in drift.added if _listed(change)],
        "removed": [_change(change, gain=change in gains) for change in drift.removed if _listed(change)],
        "instructions": [
            {"file": one.file, "line": one.line, "old": one.old, "new": one.new, "lost": one.lost}
            for one in changed_sentences(drift)
        ],
        "files": changed_files(drift),
    }


def _listed(change: Change) -> bool:
    return change.trait.sort not in (TraitKind.INSTRUCTION, TraitKind.FILE)


def _side(path: str | None, summary: Summary) -> dict[str, Any] | None:
    if path is None:
        return None
    return {"name": summary.name, "path": path, "content": summary.content, "manifest": summary.manifest or None}


def _change(change: Change, *, gain: bool) -> dict[str, Any]:
    trait = change.trait
    out: dict[str, Any] = {
        "sort": str(trait.sort),
        "what": trait.subject,
        "rank": change.rank,
        "title": ranks()[change.rank].title,
        "gain": gain,
        "where": {"file": trait.where.file, "line": trait.where.line},
    }
    if trait.scopes:
        out["scopes"] = list(trait.scopes)
    if trait.sort is TraitKind.CAPABILITY:
        out["level"] = str(vocabulary()[trait.subject].level)
    if trait.origin:
        out["origin"] = trait.origin
    if trait.why:
        out["why"] = trait.why
    if change.before:
        out["before"] = list(change.before)
    if change.note:
        out["note"] = change.note
    if trait.path:
        out["path"] = [{"file": where.file, "line": where.line} for where in trait.path]
    return out
