"""The skill acts in every conversation."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "standing-orders",
    "orders",
    "the skill acts in every conversation, or spreads itself",
    Severity.HIGH,
    "A skill is loaded for a task. One that acts in every conversation, or copies itself into memory and other"
    " skills, takes over the agent.",
    "Rules about style and form for a project.",
    "Act only on the task that the skill was loaded for.",
)
