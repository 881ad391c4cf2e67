"""The patterns of suspicious words: data/suspicious.table."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError

_NAME = "suspicious.table"
_KINDS = ("sentence", "words", "command", "hidden")


class Pattern(NamedTuple):
    """Where words are looked for, the words, why they are suspicious and what is denied for them."""

    kind: str
    words: re.Pattern[str]
    why: str
    denies: str
    quick: re.Pattern[str] | None = None  # finds the same in `lowered` text, in a third of the time

    def may_be_in(self, text: str) -> bool:
        """Whether the words can stand in a text, given as `lowered` gives it."""
        return self.quick is None or self.quick.search(text) is not None


_LETTERS = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s"})  # which count as these if case is ignored


def lowered(text: str) -> str:
    """A text in lower case, with the letters that a pattern takes for others when it ignores case."""
    return (text if text.isascii() else text.translate(_LETTERS)).lower()


def _quick(words: str) -> re.Pattern[str] | None:
    return re.compile(words) if words.isascii() and words == words.lower() else None


@cache
def patterns() -> tuple[Pattern, ...]:
    """The patterns of this version."""
    return load(files("remit.manifest.draft").joinpath(f"data/{_NAME}").read_text("utf-8"))


def load(text: str) -> tuple[Pattern, ...]:
    """Read a table; a row that cannot be read is refused with its line."""
    parts: dict[str, str] = {}
    out: list[Pattern] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{_NAME}:{number}"
        head, _, rest = line.partition(" | ")
        for part, meaning in parts.items():
            rest = rest.replace(part, meaning)
        if head.startswith("{"):
            parts[head] = rest
            continue
        cells = rest.rsplit(" | ", 2)
        if head not in _KINDS or len(cells) != 3 or not all(cells):
            raise DataError(
                f"{where}: `{head}` is no kind of row, or a cell is missing", f"begin it with {', '.join(_KINDS)}"
            )
        if cells[2] not in vocabulary():
            raise DataError(f"{where}: `{cells[2]}` is not a capability", "`remit explain` lists all")
        try:
            out.append(Pattern(head, re.compile(cells[0], re.IGNORECASE), cells[1], cells[2], _quick(cells[0])))
        except re.error as error:
            raise DataError(f"{where}: the pattern cannot be read: {error}", "correct it") from None
    return tuple(out)
