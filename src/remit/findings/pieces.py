"""Lines of code as they are to be read: comments left out, and texts that are put together of pieces as one text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from remit.findings.subject import Subject

_COMMENT = ("#", "//", "*", "/*", "--", "<!--", "rem ")
_LONGEST = 4000  # characters of a line that people write
_ADDED = lazy_pattern(r"([\"'`])\s*\+\s*\1")
_LIST = r"\[\s*((?:[\"'`][^\"'`\n]*[\"'`]\s*,?\s*){2,})\]"
_JOINED_AFTER = lazy_pattern(_LIST + r"\s*\.join\(\s*[\"'`]([^\"'`\n]{0,3})[\"'`]\s*\)")
_JOINED_BEFORE = lazy_pattern(
    r"[\"']([^\"'\n]{0,3})[\"']\.join\(\s*[\[(]\s*((?:[\"'][^\"'\n]*[\"']\s*,?\s*){2,})[\])]\s*\)"
)
_ITEM = lazy_pattern(r"[\"'`]([^\"'`\n]*)[\"'`]")
_CODES = lazy_pattern(r"(?<![\w.])(?:(?:0x[0-9a-fA-F]{1,2}|\d{2,3})\s*,\s*){7,}(?:0x[0-9a-fA-F]{1,2}|\d{2,3})")
_NUMBER = lazy_pattern(r"0x[0-9a-fA-F]+|\d+")
_PRINTED = range(32, 127)


def code_lines(subject: Subject, file: str) -> Iterator[tuple[int, str]]:
    """The numbered lines of a file of code without comments, each with its pieces joined."""
    for number, line in enumerate(subject.lines(file), 1):
        if 0 < len(line) <= _LONGEST and not line.lstrip().lower().startswith(_COMMENT):
            yield number, joined(line)


def joined(line: str) -> str:
    """A line in which texts that are added or joined stand as one text, and lists of character codes as what they spell."""
    if "+" in line:
        line = _ADDED.sub("", line)
    if "join(" in line:
        line = _JOINED_AFTER.sub(lambda found: _text(found[1], found[2]), line)
        line = _JOINED_BEFORE.sub(lambda found: _text(found[2], found[1]), line)
    return _CODES.sub(_spelled, line) if line.count(",") >= 7 else line


def _text(items: str, sign: str) -> str:
    return '"' + sign.join(found[1] for found in _ITEM.finditer(items)) + '"'


def _spelled(found: re.Match[str]) -> str:
    codes = [int(number, 0) if number.startswith("0x") else int(number) for number in _NUMBER.findall(found[0])]
    return '"' + "".join(map(chr, codes)) + '"' if all(code in _PRINTED for code in codes) else found[0]
