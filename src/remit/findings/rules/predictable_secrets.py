"""Passwords or keys are made that can be guessed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from remit.core.location import Location
from remit.core.patterns import lazy_pattern
from remit.findings.evidence import by_text
from remit.findings.model import Finding, Rule, Severity
from remit.findings.pieces import scripts

if TYPE_CHECKING:
    from remit.findings.subject import Subject

_MAKES = lazy_pattern(
    r"\b(?:generat|creat|mak|mint|produc)\w*[^.]{0,60}?\b(?:passwords?|passphrases?|passcodes?|secrets|credentials|(?:api|secret|signing|encryption|private|ssh|access) (?:keys?|tokens?))\b"
    r"|\b(?:password|passphrase|api[- ]key|secret)s?[- ](?:generat|mak|creat)\w*"
)
_SEEDED = lazy_pattern(
    r"\brandom\.seed\(\s*\S|\bRandom\(\s*[^)\s]|\bseedrandom\(|\bdefault_rng\(\s*[^)\s]|^\s*RANDOM=|\bmulberry32\(|\bsrand\(|\bRandomState\("
)
_WEAK = lazy_pattern(
    r"\brandom\.(?:choices?|randint|sample|randrange|getrandbits|shuffle)\(|\bMath\.random\(|\$\{?RANDOM\b"
)
_CLOCK = lazy_pattern(
    r"\b(?:date|datetime)\.(?:today|now|utcnow)\(|\btime\.time(?:_ns)?\(|\bDate\.now\(|\bnew Date\(\s*\)|\$\(\s*date\b|\bgetpid\(|gethostname\("
)
# What a clock on the same line is then a part of
_MADE = lazy_pattern(
    r"pass|secret|key|token|code|pin\b|seed|rand|hash|digest|md5|sha\d|b64|base64|hex|encode", re.IGNORECASE
)
_STRONG = lazy_pattern(
    r"\bsecrets\b|SystemRandom|urandom|randomBytes|randomInt|getRandomValues|randomUUID|token_(?:hex|bytes|urlsafe)|openssl rand|/dev/random|nacl\.|Fernet"
)


def find(subject: Subject) -> Iterator[Finding]:
    """Generators of numbers that are no secret, in skills that make secrets."""
    if not _MAKES.search(subject.description):
        return
    for file, code in scripts(subject):
        lines = code.lines
        if any(_STRONG.search(line) for line in lines.values() if not _SEEDED.search(line)):
            continue
        seeded = next((at for at, line in lines.items() if _SEEDED.search(line)), None)
        seeded = seeded or next(
            (at for at, line in lines.items() if _CLOCK.search(line) and _MADE.search(_CLOCK.sub("", line))), None
        )
        at = seeded or next((at for at, line in lines.items() if _WEAK.search(line)), None)
        if at is not None:
            where = Location(file, at)
            severity = Severity.HIGH if seeded else Severity.MEDIUM
            message = (
                "makes secrets that anyone who knows the code can recompute"
                if seeded
                else "makes secrets of numbers that can be guessed"
            )
            yield by_text(RULE, subject, where, lines[at].strip(), severity, message)._replace(
                basis=subject.basis(where)
            )


RULE = Rule(
    "predictable-secrets",
    "weakening",
    "the skill creates passwords, keys or tokens that can be guessed",
    Severity.HIGH,
    "Anyone who knows the code can compute a secret that comes from a seed such as the date.",
    "Skills that create no secrets, and scripts that use the system's random generator.",
    "Take secrets from the system's generator: `secrets` in Python, `crypto.randomBytes` in Node.",
    find,
)
