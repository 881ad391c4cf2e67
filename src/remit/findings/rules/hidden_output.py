"""Something is hidden in results."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "hidden-output",
    "orders",
    "the result contains something that the user does not see",
    Severity.HIGH,
    "Hidden sheets, comments and invisible elements carry data or orders to every recipient of the file, without the user's knowledge.",
    "Helper sheets and comments that the text mentions to the user; invisible labels for screen readers.",
    "Put only visible content into results.",
)
