"""The values that may be told: each attribute has a form, and what has another one is told as `other`.

So no argument, no text and no address comes along by accident: it has no place where it fits.
"""

from __future__ import annotations

import re
from functools import lru_cache

from remit.core.capability import vocabulary
from remit.core.told import told
from remit.telemetry.redaction import scrub

OTHER = "other"
_LONGEST = 64
_FORMS = {
    "word": re.compile(r"/?[A-Za-z0-9][A-Za-z0-9._-]*"),
    "code": re.compile(r"[A-Z][A-Z0-9_]*"),
    "id": re.compile(r"[0-9a-f]{8,64}"),
    "capability": re.compile(r"[a-z]+(?:\.[a-z_]+)+"),
}
_MOST = 2**53


def fitting(attribute: str, value: object) -> str | int:
    """A value as it is told."""
    kind = told().attributes[attribute].kind
    if kind == "number":
        return value if isinstance(value, int) and -_MOST < value < _MOST else 0
    text = value if isinstance(value, str) else OTHER
    if not text:
        return ""
    if kind == "text":
        return scrub(text)
    return _fitting(kind, text) if len(text) <= _LONGEST else OTHER


@lru_cache(4096)
def _fitting(kind: str, text: str) -> str:
    if not _FORMS[kind].fullmatch(text) or (kind == "word" and scrub(text) != text):
        return OTHER
    return OTHER if kind == "capability" and text not in vocabulary() else text
