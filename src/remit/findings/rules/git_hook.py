"""Commands are installed that git runs by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import PathScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect
from remit.findings.later import harm_later
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject


def find(subject: Subject) -> Iterator[Finding]:
    """Hooks and settings of git that are written."""
    for effect in subject.with_capability("hook.install"):
        parts = set(effect.scope.parts) if isinstance(effect.scope, PathScope) else set()
        if (
            effect.via.possible
            or effect.via.cause is Cause.SENTENCE
            or not ({".git", "hooks"} <= parts or ".husky" in parts or effect.via.name == "core.hookspath")
        ):
            continue
        harm = harm_later(subject, effect.where)
        if not harm and is_about(subject, "hooks"):
            continue
        message = f"installs commands that git runs by itself: {effect.scope.render()}"
        message = f"{message}, which {harm}" if harm else message
        yield by_effect(RULE, subject, effect, Severity.HIGH if harm else Severity.MEDIUM, message)


RULE = Rule(
    "git-hook",
    "persistence",
    "the skill installs commands that git runs by itself",
    Severity.HIGH,
    "A git hook, or a setting that names a command, runs at every commit of every user of the repository.",
    "Skills about hooks, commits and pre-commit checks.",
    "Say in the description that the skill installs hooks.",
    find,
)
