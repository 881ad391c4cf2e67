"""Tables or databases are dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_effect
from remit.findings.model import Finding, Rule, Severity
from remit.findings.purpose import is_about

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_WHOLE = lazy_pattern(r"\b(?:DROP\s+(?:DATABASE|SCHEMA)|dropDatabase|FLUSHALL)\b", re.IGNORECASE)
_DROPS = lazy_pattern(
    r"\b(?:DROP\s+(?:TABLE|DATABASE|SCHEMA)|TRUNCATE\s+TABLE|dropDatabase|FLUSHALL)\b(?!\s+IF\s+EXISTS\s+(?:te?mp|_))",
    re.IGNORECASE,
)


def find(subject: Subject) -> Iterator[Finding]:
    """Statements that drop tables, on lines that change a database."""
    severity = Severity.LOW if is_about(subject, "database") else Severity.MEDIUM
    for effect in subject.with_capability("db.write", "schema.mutate"):
        if _DROPS.search(subject.line(effect.where)):
            whole = _WHOLE.search(subject.line(effect.where)) and effect.where.file not in subject.documents
            yield by_effect(RULE, subject, effect, Severity.MEDIUM if whole else severity, "drops tables of a database")


RULE = Rule(
    "database-dropped",
    "destruction",
    "tables or databases are dropped",
    Severity.MEDIUM,
    "Dropped tables are lost with their data unless there is a backup.",
    "Skills about databases and migrations, tables with temporary names, samples.",
    "Make a backup and ask before dropping data.",
    find,
)
