"""Patterns of tables as RE2 reads them; one that it does not read is refused with its line."""

from __future__ import annotations

from typing import Any

from remit.core.errors import DataError


def compiled(words: str, where: str) -> Any:
    """The pattern, which has at most one group."""
    import re2  # noqa: PLC0415  (light imports)

    options = re2.Options()
    options.log_errors = False
    try:
        found = re2.compile(words, options)
    except re2.error as error:
        raise DataError(f"{where}: the pattern cannot be read: {error}", "write it as RE2 reads it") from None
    if found.groups > 1:
        raise DataError(f"{where}: the pattern has more than one group", "write `(?:…)` for the others")
    return found
