"""Something that cannot be undone is done without asking."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.scope import AnyScope
from remit.core.via import Cause
from remit.findings.evidence import by_effect, by_orders
from remit.findings.model import Basis, Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_WORDS = {"pay": "spends money", "publish": "publishes something", "message.send": "sends messages in your name"}
_PURPOSE = {"pay": "pay", "publish": "publish", "message.send": "publish"}


def find(subject: Subject) -> Iterator[Finding]:
    """Orders to act without asking, and acts of scripts that nothing announces."""
    yield from by_orders(RULE, subject)
    pushes = Severity.LOW if is_about(subject, "publish") else Severity.MEDIUM
    for effect in subject.with_capability("commit.push"):
        if not effect.via.possible and subject.basis_of(effect) in (Basis.SCRIPT, Basis.HOOK):
            where = "a remote" if isinstance(effect.scope, AnyScope) else effect.scope.render()
            yield by_effect(RULE, subject, effect, pushes, f"pushes commits to {where} by a script")
    for effect in subject.with_capability(*_WORDS):
        if effect.via.possible or effect.via.cause is Cause.SENTENCE or is_about(subject, _PURPOSE[effect.capability]):
            continue
        unattended = effect.capability != "message.send" and subject.basis_of(effect) in (Basis.SCRIPT, Basis.HOOK)
        severity = Severity.MEDIUM if unattended else Severity.LOW
        yield by_effect(
            RULE, subject, effect, severity, f"{_WORDS[effect.capability]}, which its description does not announce"
        )


RULE = Rule(
    "unattended-action",
    "irreversible",
    "the skill does something irreversible without asking",
    Severity.MEDIUM,
    "A wrong payment, publication, message or push cannot be taken back.",
    "Actions that the description announces and the user confirms.",
    "Ask the user before each action.",
    find,
)
