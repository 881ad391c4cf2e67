"""Results are left out or made up."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "results-falsified",
    "orders",
    "the agent is told to omit findings, invent them or lie",
    Severity.HIGH,
    "People decide by what the report says. Omitted findings and invented evidence deceive them.",
    "Filters that the user asks for, duplicates, style and noise.",
    "Report everything, with its status.",
)
