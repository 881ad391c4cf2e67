"""Findings that a person accepts: entries of `accepted` in a manifest, matched with what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import ManifestError
from remit.findings.registry import rules
from remit.manifest.words import meant

if TYPE_CHECKING:
    from remit.findings.model import Finding
    from remit.manifest.model import AcceptedFinding, Manifest


class Acceptance(NamedTuple):
    """A finding that is accepted, and the entry that says so."""

    finding: Finding
    entry: AcceptedFinding


class Void(NamedTuple):
    """An entry that accepts nothing, and why."""

    entry: AcceptedFinding
    reason: str


class Acceptances(NamedTuple):
    """What the entries of a manifest come to."""

    accepted: tuple[Acceptance, ...] = ()
    void: tuple[Void, ...] = ()


def accept(findings: Sequence[Finding], entries: Iterable[AcceptedFinding], today: str = "") -> Acceptances:
    """Match entries with findings: by rule, file and digest. Lines may move; their text may not change."""
    today = today or datetime.now(UTC).date().isoformat()
    accepted: list[Acceptance] = []
    void: list[Void] = []
    for entry in entries:
        file = entry.where.rpartition(":")[0] or entry.where
        near = [item for item in findings if item.rule == entry.finding and item.where.file == file]
        same = [item for item in near if item.digest == entry.digest]
        if entry.until and entry.until < today:
            void.append(Void(entry, f"it ended on {entry.until}"))
        elif same:
            accepted += [Acceptance(item, entry) for item in same]
        else:
            void.append(Void(entry, "the lines changed" if near else "nothing like it is found there"))
    return Acceptances(tuple(accepted), tuple(void))


def require_known_rules(manifest: Manifest) -> None:
    """ManifestError if an entry accepts what no rule finds."""
    for entry in manifest.accepted:
        if entry.finding not in rules():
            asked = meant(entry.finding, rules())
            message = f"{manifest.file}:{entry.line}: `{entry.finding}` is not a rule"
            raise ManifestError(message, f"{asked}`remit explain` lists all rules")
