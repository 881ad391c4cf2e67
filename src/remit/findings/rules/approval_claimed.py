"""The text claims an approval."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "approval-claimed",
    "orders",
    "the text claims an approval that the user did not give",
    Severity.HIGH,
    "A text cannot know what a person approved. The claim makes the agent skip a question or a check.",
    "Steps that follow an approval in the same procedure.",
    "Ask the user.",
)
