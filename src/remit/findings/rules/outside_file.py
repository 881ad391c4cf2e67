"""A file that is not part of the skill gives orders."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.findings.evidence import by_order
from remit.findings.model import Rule, Severity
from remit.findings.orders import ordered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.findings.model import Finding
    from remit.findings.subject import Subject

_OBEYS = re.compile(
    r"\b(?:treat|honou?r|follow|obey|trust|canonical|authoritative|contract|policy|directive|must|always|required|preserve|prefer|inherit)\b",
    re.IGNORECASE,
)
_HARM = re.compile(
    r"\b(?:hidden|veryhidden|non-rendered|invisible|suppress\w*|omit\w*|drop(?:ped)?|stay out|exempt\w*|exception|skip\w*|bypass\w*|unsafe|override|password|secrets?|credentials?|tokens?"
    r"|already (?:reviewed|verified|covered|approved|agreed|closed)|reviewed|pre-?screened|closed|instead of|rather than|do not|must not|never|alias|synthetic|phishing|re-?authentication"
    r"|priority token|short-circuit\w*|verification was skipped|regardless|degraded|verbatim|full contents?|exact line|password)\b",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Orders that hang on a file with a fixed path outside of the skill."""
    for order in ordered(subject, "outside-file"):
        harm = _HARM.search(order.passage)
        if not harm and not _OBEYS.search(order.passage):
            continue
        severity = Severity.HIGH if harm else Severity.MEDIUM
        yield by_order(RULE, subject, order, severity, "lets a file that is not part of the skill steer the agent")


RULE = Rule(
    "outside-file",
    "orders",
    "a file that is not part of the skill gives the agent orders",
    Severity.HIGH,
    "Whoever can write that file steers the agent: it was not there when the skill was reviewed, and the user"
    " did not name it.",
    "Files that the user names, the skill's own files and outputs, configuration of known tools.",
    "Put the text into the skill, or let the user name the file.",
    find,
)
