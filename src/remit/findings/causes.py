"""One finding for one cause: what several rules find at the same location is reported by the one that says most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.core.location import Location
    from remit.findings.model import Finding

# Rules that find the same cause, each group in the order in which they say most.
_GROUPS = (
    ("reverse-shell", "decode-and-run", "download-and-run", "encoded-text", "planted-file-run", "command-injection"),
    ("decode-and-run", "suspicious-destination", "undisclosed-host"),
    (
        "download-and-run",
        "downloaded-code-run",
        "crypto-miner",
        "suspicious-destination",
        "undisclosed-host",
        "lookalike-name",
    ),
    ("secret-to-network", "credentials-collected", "suspicious-destination", "undisclosed-host"),
    (
        "environment-to-network",
        "personal-data-to-network",
        "credentials-collected",
        "suspicious-destination",
        "undisclosed-host",
    ),
    ("fake-prerequisite", "password-archive", "remote-instructions", "package-from-url"),
    ("hidden-orders", "overrides-instructions", "hides-from-user", "secret-disclosed"),
    (
        "interests-harmed",
        "secret-disclosed",
        "credentials-requested",
        "hidden-recipient",
        "data-to-unknown-host",
        "hidden-output",
    ),
    (
        "phishing-material",
        "results-falsified",
        "remote-instructions",
        "hidden-output",
        "guards-disabled",
        "approval-claimed",
    ),
    ("agent-settings", "agent-memory", "startup-change"),
    ("assembled-host", "undisclosed-host"),
)


def without_repeats(findings: Iterable[Finding]) -> list[Finding]:
    """The findings without those whose cause another finding at the same location reports at least as gravely."""
    every = list(findings)
    here: dict[Location, list[Finding]] = {}
    for item in every:
        here.setdefault(item.where, []).append(item)
    return [item for item in every if not any(_says_more(other, item) for other in here[item.where])]


def _says_more(other: Finding, item: Finding) -> bool:
    if other.severity.rank > item.severity.rank:
        return False
    for group in _GROUPS:
        if item.rule in group and other.rule in group and group.index(other.rule) < group.index(item.rule):
            return True
    return False
