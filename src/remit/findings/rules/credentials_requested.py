"""The user is asked for credentials."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "credentials-requested",
    "orders",
    "the user is asked for a credential that is then passed on",
    Severity.HIGH,
    "Passwords, seed phrases and card numbers that are typed into a conversation are stored with it and go"
    " wherever the text says.",
    "Names of variables to set, keys of the service that the skill is about.",
    "Let the user set the credential where the tool reads it.",
)
