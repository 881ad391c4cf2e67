"""Code that believes whoever calls: checks that let everybody through, and reports of payment services that are taken from anybody."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_TAKES = re.compile(r"""(?i)(?:\b(?:route|post|all|use|api_route|handle(?:func)?)\(|\bpath\()\s*['"`][^'"`]*webhook""")
_PAYS = re.compile(r"(?i)\b(?:stripe|paypal|braintree|adyen|checkout|payments?|invoice)\b")
_CHECKS = re.compile(
    r"(?i)signature|construct_?event|verif(?:y|ied|ication)|hmac|webhook_?(?:secret|id)|compare_digest|timingSafeEqual"
)
# A function whose name says that it checks who somebody is, and that says yes
_SAYS_YES = re.compile(
    r"(?i)\b(?:def|function|const|let|async function)\s+(?:is_?|check_?|verify_?|validate_?|authenticate_?|authori[sz]e_?|has_?)"
    r"\w*(?:token|passw\w*|auth\w*|signature|login|admin|permission|credential|session)\w*\s*(?:=\s*)?\([^)\n]*\)[^:{\n]*[:{>]\s*\{?\s*return\s+true\b"
)


def unchecked(before: str, text: str) -> Iterator[str]:
    """Why a person should look at code that ought to check somebody, and does not."""
    yes = _SAYS_YES.search(text)
    if yes and not _SAYS_YES.search(before):
        yield f"would be code with a check that lets everybody through (line {_line(text, yes)})"
    found = _TAKES.search(text)
    if found and _PAYS.search(text) and not _CHECKS.search(text) and not _TAKES.search(before):
        yield f"would be code that takes what a payment service reports from anybody (line {_line(text, found)})"


def _line(text: str, found: re.Match[str]) -> int:
    return text.count("\n", 0, found.start()) + 1
