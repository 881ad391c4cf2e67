"""A text from elsewhere decides what the agent does."""

from __future__ import annotations

from remit.findings.model import Rule, Severity

RULE = Rule(
    "remote-instructions",
    "remote code",
    "instructions from outside the skill decide what the agent does",
    Severity.HIGH,
    "The author of the page or file decides what the agent does, after the skill was reviewed and on every run.",
    "Documentation that is only read, files that the user names, the skill's own files, configuration of known tools.",
    "Put the instructions into the skill.",
)
