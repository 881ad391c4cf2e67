"""Code for the user's service lets in whoever knows a secret of the author."""

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

_REQUEST = lazy_pattern(
    r"\b(?:request|req|ctx|event|r)\.(?:headers?|args|form|query|cookies|body|params|get_json|META|GET|POST|Header|URL)\b|\bheaders\.get\(|[\"']HTTP_X_|\b(?:password|passwd|passcode)\b",
    re.IGNORECASE,
)
_SECRET = lazy_pattern(
    r"[\"'`](?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{128})[\"'`]|[\"'`]\$2[aby]\$\d\d\$[./\w]{50,}"
)
_CHECKED = lazy_pattern(r"compare_digest|timingSafeEqual|===?|\bConstantTimeCompare|checkpw|compareSync|hash_equals")
_HASHED = lazy_pattern(r"\b(?:sha\d+|md5|blake2\w|createHash|checkpw|compareSync|hexdigest|Sum256)\b")
_NAMED = lazy_pattern(r"^\s*(?:const |let |var |static |final )*(\w+)\s*(?::\s*\w+\s*)?=(?!=)")
_NEAR = 5  # lines around a comparison


def find(subject: Subject) -> Iterator[Finding]:
    """Comparisons of what a request brings with a digest that came with the skill."""
    for file, code in scripts(subject):
        if not code.has("sha", "md5", "blake2", "createhash", "checkpw", "comparesync", "hexdigest", "sum256"):
            continue
        lines = code.lines
        fixed = [at for at, line in lines.items() if _SECRET.search(line)]
        names = {found[1] for at in fixed if (found := _NAMED.match(lines[at]))}
        for at, line in lines.items() if fixed else ():
            if not _CHECKED.search(line) or not (at in fixed or names & set(re.findall(r"\w+", line))):
                continue
            near = "\n".join(lines.get(number, "") for number in range(at - _NEAR, at + _NEAR))
            if _HASHED.search(near) and _REQUEST.search(near):
                where = Location(file, at)
                message = "grants access to anyone who knows a secret that the author of the skill has fixed"
                yield by_text(RULE, subject, where, line.strip(), Severity.HIGH, message)._replace(
                    basis=subject.basis(where)
                )
                break


RULE = Rule(
    "fixed-login",
    "weakening",
    "code accepts a secret that is fixed in it",
    Severity.HIGH,
    "A digest in the code stands for a password that only its author knows. It opens every service that is built with the skill.",
    "Digests of files and data, and secrets that come from settings.",
    "Read the secret from the settings of the service.",
    find,
)
