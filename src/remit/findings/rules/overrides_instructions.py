"""The text sets other instructions aside."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "overrides-instructions",
    "orders",
    "the text overrides other instructions, or poses as the system",
    Severity.HIGH,
    "A skill adds to the agent's instructions. One that overrules the system, the developer or the user wants what they would not allow.",
    "Quoted attacks, lists of what to look for, and skills about attacks.",
    "Remove the sentence: a skill needs no priority over the user.",
)
