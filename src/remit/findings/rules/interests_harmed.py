"""The user's money, code or choices are turned to the gain of others."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "interests-harmed",
    "orders",
    "the agent is told to harm the user for someone else's gain",
    Severity.HIGH,
    "Payments to a fixed account, back doors in the user's code and undisclosed paid recommendations serve the author, not the user.",
    "Accounts that the user names; fees and links that the text discloses to the user.",
    "Remove the order, or tell the user all facts and let them decide.",
)
