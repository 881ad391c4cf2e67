"""Names of skills: which ones a key may sign, and which ones imitate another."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from remit.findings.lookalikes import is_one_off, same_look

_SHORTEST = 4  # characters: shorter names are one letter apart by chance
_ANY = "*"


def is_pattern(text: str) -> bool:
    """Return whether a text is a name, or a prefix that ends at a separator and `*`: `acme/*` covers `acme/pdf`, and
    never `acme-two/pdf`.
    """
    stem = text.removesuffix(_ANY)
    return bool(stem) and _ANY not in stem and (stem == text or (len(stem) > 1 and not stem[-1].isalnum()))


def covers(patterns: Iterable[str], name: str) -> bool:
    """Return whether patterns cover a name."""
    return any(
        name == pattern or (pattern.endswith(_ANY) and name.startswith(pattern[:-1]) and name != pattern[:-1])
        for pattern in patterns
    )


def imitates(name: str, known: str) -> bool:
    """Return whether a name looks like a known name or a reserved prefix, and is different."""
    if known.endswith(_ANY):
        known = known[:-1]
        separator, parts = known[-1], name.split(known[-1])
        depth = known.count(separator)
        name = separator.join(parts[:depth]) + separator if len(parts) > depth else ""
    one, other = _look(name), _look(known)
    return bool(name) and name != known and (one == other or is_one_off(one, other, _SHORTEST))


def _look(name: str) -> str:
    """Return a key shared by names that a person would confuse: without case, accents, separators, and with look-alike
    letters unified.
    """
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join(char for char in same_look(plain) if char.isalnum())
