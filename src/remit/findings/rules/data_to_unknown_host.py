"""The user's data is sent to an unknown host."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "data-to-unknown-host",
    "orders",
    "the agent is told to send the user's data to a host that the skill never explains",
    Severity.HIGH,
    "A host that neither the description nor the rest of the text mentions does not serve the task.",
    "Hosts of the service that the skill is about, local hosts, and hosts that the user names.",
    "Name the service in the description, and ask before sending data.",
)
