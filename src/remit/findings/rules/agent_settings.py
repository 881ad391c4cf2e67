"""The agent's settings or hooks are changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.effect import Effect, Origin
from remit.core.patterns import lazy_pattern
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.later import harm_later
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about
from remit.findings.wording import path_words

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_UNGUARDED = lazy_pattern(
    r"bypassPermissions|auto-?_?approve|dangerously|[\"']allow[\"']\s*:\s*\[\s*[\"']\*|approval_policy|skip-?_?permissions|yolo",
    re.IGNORECASE,
)
_AGENTS = lazy_pattern(
    r"claude|codex|gemini|cursor|copilot|opencode|openclaw|clawdbot|moltbot|mcp|\.vscode", re.IGNORECASE
)
_NEAR = 6  # lines around a write that show what is written


def find(subject: Subject) -> Iterator[Finding]:
    """Settings that are written."""
    for effect in subject.with_capability("policy.expand", "hook.install"):
        if effect.via.possible or effect.via.cause is Cause.SETTING or not _AGENTS.search(path_words(effect.scope)):
            continue
        yield by_effect(
            RULE,
            subject,
            effect,
            _severity(subject, effect),
            f"changes what your agent may do: {effect.scope.render()}",
        )


def _severity(subject: Subject, effect: Effect) -> Severity:
    if effect.where.file not in subject.documents and harm_later(subject, effect.where):
        return Severity.HIGH
    at = effect.where.line
    written = subject.lines(effect.where.file)[max(0, at - 1 - _NEAR) : at + _NEAR]
    about = is_about(subject, "settings")
    if any(_UNGUARDED.search(line) for line in written):
        return Severity.MEDIUM if about else Severity.HIGH
    if about or effect.via.cause is Cause.SENTENCE:
        return Severity.LOW
    server = effect.capability == "policy.expand" and effect.origin is Origin.INSTRUCTED
    return Severity.LOW if server else Severity.MEDIUM


RULE = Rule(
    "agent-settings",
    "persistence",
    "the settings or hooks of the agent are changed",
    Severity.HIGH,
    "Settings and hooks decide what an agent may do without asking. A change affects every later session.",
    "Skills whose description says that they configure the agent, its hooks or its tool servers.",
    "Show the user which settings to add, and say so in the description.",
    find,
)
