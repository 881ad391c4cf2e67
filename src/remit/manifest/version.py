"""Version numbers of skills: numbers between dots, which can be compared."""

from __future__ import annotations

import re

from remit.core.patterns import lazy_pattern

FIRST = "0.1.0"  # of a skill that names none
_VERSION = lazy_pattern(r"(?:0|[1-9][0-9]{0,17})(?:\.(?:0|[1-9][0-9]{0,17})){0,9}", re.ASCII)


def parse_version(text: str) -> tuple[int, ...] | None:
    """Return the numbers of a version, without trailing zeros (`1.0` is `1`); None if it is anything else."""
    if not _VERSION.fullmatch(text):
        return None
    numbers = [int(part) for part in text.split(".")]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
