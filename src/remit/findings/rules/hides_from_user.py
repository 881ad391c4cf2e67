"""The text tells the agent to keep something from the user."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.core.effect import Origin
from remit.core.location import Location
from remit.findings.model import Finding, Role, Rule, Severity, Witness
from remit.findings.orders import ordered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.subject import Subject

_USER = r"(?:the |your |any )?(?:user|human|operator|owner|person|customer|reader|reviewer)s?\b"
_WORDS = re.compile(
    rf"\b(?:do not|don't|never|avoid|without) (?:\w+ )?(?:tell|inform|mention|notif|alert|reveal|disclos|show|report|warn)\w*\b"
    rf"[^.\n]{{0,60}}\b{_USER}|\b(?:hide|conceal|keep)\b[^.\n]{{0,40}}\b(?:from|secret from) {_USER}",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders that stand in the text."""
    for order in ordered(subject, _WORDS):
        yield Finding(
            RULE.ident,
            Severity.MEDIUM,
            "tells the agent to hide something from you",
            (Witness(Role.TEXT, Location(order.file, order.line), order.text),),
            subject.basis(Location(order.file, order.line), Origin.INSTRUCTED),
            fix=RULE.fix,
        )


RULE = Rule(
    "hides-from-user",
    "orders",
    "the agent is told to keep an action from the user",
    Severity.HIGH,
    "An honest skill has nothing to hide from the person for whom the agent works.",
    "Words about the form of the output, quoted attacks, and sections that warn of such orders.",
    "Remove the sentence, or say openly what the skill does.",
    find,
)
