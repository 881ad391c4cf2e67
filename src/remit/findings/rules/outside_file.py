"""A file that is not part of the skill gives orders."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered
from remit.findings.surroundings import outside_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_OBEYS = re.compile(
    r"\b(?:treat|honou?r|follow|obey|trust|canonical|authoritative|contract|policy|directive|must|always|required|preserve|prefer|inherit)\b",
    re.IGNORECASE,
)
# What such a file is used for: to hide, to leave out, to pass a check, to carry secrets or orders on.
_HARM = re.compile(
    r"\b(?:hidden|veryhidden|non-rendered|invisible|suppress\w*|omit\w*|dropped|stay out|exempt\w*|skip(?:ped|s)?|bypass\w*|unsafe|passwords?|secrets?|credentials?"
    r"|already (?:\w+ )?(?:reviewed|verified|covered|approved|agreed|closed)|already-(?:agreed|approved|verified|reviewed)|reviewed|pre-?screened|closed|synthetic|phishing|re-?authentication"
    r"|priority token|short-circuit\w*|regardless|canonical|rather than|do not (?:refresh|re-derive|preserve|use)|never surface|include-from|full contents)\b",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders that hang on a file with a fixed path outside of the skill."""
    for order in ordered(subject, "outside-file"):
        harm = _HARM.search(order.passage)
        if not harm and not _OBEYS.search(order.passage):
            continue
        severity = Severity.HIGH if harm else Severity.MEDIUM
        yield by_order(
            RULE,
            subject,
            order,
            severity,
            f"lets {outside_file(order.passage) or 'a file'}, which is not part of the skill, steer the agent",
        )


RULE = Rule(
    "outside-file",
    "orders",
    "a file that is not part of the skill gives the agent orders",
    Severity.HIGH,
    "Any program that can write the file steers the agent. The file was not part of the review, and the user"
    " did not name it.",
    "Files that the user names, the skill's own files and outputs, configuration of known tools.",
    "Put the text into the skill, or let the user name the file.",
    find,
)
