"""The agent is told to pass credentials on."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "secret-disclosed",
    "orders",
    "the agent is told to pass on credentials",
    Severity.HIGH,
    "Every reader can use a credential that the agent sends, publishes or writes into a result.",
    "A credential that goes to its own service; advice on keeping credentials safe.",
    "Let a script use the credential where it is needed, and keep it out of text.",
)
