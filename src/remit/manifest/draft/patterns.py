"""The patterns of suspicious words: data/suspicious.table."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from remit.core.errors import DataError

_NAME = "suspicious.table"
_KINDS = ("sentence", "words", "command", "hidden")


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Every pattern with where it is looked for and why it is suspicious."""
    return load(files("remit.manifest.draft").joinpath(f"data/{_NAME}").read_text("utf-8"))


def load(text: str) -> tuple[tuple[str, re.Pattern[str], str], ...]:
    """Read a table; a row that cannot be read is refused with its line."""
    parts: dict[str, str] = {}
    out: list[tuple[str, re.Pattern[str], str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        head, _, rest = line.partition(" | ")
        pattern, _, why = rest.rpartition(" | ")
        for part, meaning in parts.items():
            pattern = pattern.replace(part, meaning)
        try:
            compiled = re.compile(pattern, re.IGNORECASE)
        except re.error as error:
            raise DataError(f"{_NAME}:{number}: the pattern cannot be read: {error}", "correct it") from None
        if head.startswith("{"):
            parts[head] = pattern
        elif head in _KINDS and pattern and why:
            out.append((head, compiled, why))
        else:
            raise DataError(
                f"{_NAME}:{number}: `{head}` is no kind of row", f"begin it with {', '.join(_KINDS)} or a part"
            )
    return tuple(out)
