"""The agent disables checks."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "guards-disabled",
    "weakening",
    "the agent is told to disable or bypass safety checks",
    Severity.HIGH,
    "Checks for injections, signatures or approvals exist to stop what a malicious text wants.",
    "Text that describes or tests such checks, and sections that warn of it.",
    "Keep the check, and report where it gets in the way.",
)
