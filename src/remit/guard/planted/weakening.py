"""Lines of code that take protection away or show a secret: data/weakening.table. What they do is nothing that an effect says."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FILE = Path(__file__).parent.with_name("data") / "weakening.table"
_CELLS = 3
_TOGETHER = 24  # rows in one search: more of them need more memory than RE2 gives to one
_LONGEST = 2000  # characters of a line
_TESTED = re.compile(r"assert\b|(?:self\.)?assert\w*\(|expect\(")
_COMMENT = re.compile(r"(?:#(?!!)|//|\*|/\*|--\s|<!--)")


class Row(NamedTuple):
    """One row."""

    does: str
    asked: Any  # of RE2: what the user says who wants it; None if nobody does
    words: Any  # of RE2
    where: str


class Weak(NamedTuple):
    """A line that was found."""

    does: str
    line: int


@cache
def rows() -> tuple[Row, ...]:
    """The table of this version."""
    return load(_FILE)


def load(path: Path) -> tuple[Row, ...]:
    """Read a table; a row that cannot be read is refused with its line."""
    import re2  # noqa: PLC0415  (light imports)

    options = re2.Options()
    options.log_errors = False
    parts: dict[str, str] = {}
    found: list[Row] = []
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        where = f"{path.name}:{number}"
        cells = line.split(" | ", _CELLS - 1)
        if line.startswith("{"):
            parts[cells[0]] = " | ".join(cells[1:])
            continue
        if len(cells) != _CELLS or not all(cells):
            raise DataError(f"{where}: a cell is missing", "write `reason | words of the user | pattern`")
        does, asked, words = cells
        for name, meant in parts.items():
            words = words.replace(name, meant)
        try:
            meant_by = None if asked == "-" else re2.compile(asked, options)
            found.append(Row(does, meant_by, re2.compile(words, options), where))
        except re2.error as error:
            raise DataError(f"{where}: the pattern cannot be read: {error}", "write it as RE2 reads it") from None
    return tuple(found)


@cache
def _any_row() -> tuple[Any, ...]:
    """All patterns in few: nearly every line has none of them, and these say so."""
    import re2  # noqa: PLC0415  (light imports)

    options = re2.Options()
    options.never_capture = True
    patterns = [f"(?:{row.words.pattern})" for row in rows()]
    return tuple(
        re2.compile("|".join(patterns[at : at + _TOGETHER]), options) for at in range(0, len(patterns), _TOGETHER)
    )


@lru_cache(1024)  # commands come again and again
def _may_be_weak(line: str) -> bool:
    return any(one.search(line) is not None for one in _any_row())


def weak_lines(before: str, after: str, prompts: Sequence[str] = ()) -> Iterator[Weak]:
    """Lines that are new and take something away, each reason once, but for what the user's own words ask for."""
    known = {line.strip() for line in before.splitlines()} if before else frozenset[str]()
    said: set[str] = set()
    for number, line in enumerate(after.splitlines(), 1):
        plain = line.strip()[:_LONGEST]
        if not plain or not _may_be_weak(plain) or plain in known or _COMMENT.match(plain) or _TESTED.match(plain):
            continue
        for row in rows():
            wanted = row.asked is not None and any(map(row.asked.search, prompts))
            if row.does not in said and not wanted and row.words.search(plain):
                said.add(row.does)
                yield Weak(row.does, number)
