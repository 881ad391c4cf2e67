"""The text tells the agent to keep something from the user."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "hides-from-user",
    "orders",
    "the agent is told to hide an action from the user",
    Severity.HIGH,
    "An honest skill has nothing to hide from the person that the agent works for.",
    "Instructions about output format, quoted attacks, and sections that warn of such orders.",
    "Remove the sentence, or say openly what the skill does.",
)
