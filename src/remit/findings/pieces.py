"""Lines of code as they are to be read: comments left out, and texts that are put together of pieces as one text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.core.patterns import lazy_pattern

if TYPE_CHECKING:
    import re

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


class Code(NamedTuple):
    """A file of code without comments, each line with its pieces joined."""

    lines: dict[int, str]  # by their numbers
    text: str
    small: str  # the text in lower case: whether a word stands in it at all

    def has(self, *signs: str) -> bool:
        """Whether one of these texts, in lower case, stands anywhere: what a rule looks for stands in few files."""
        return any(sign in self.small for sign in signs)


def code_of(subject: Subject, file: str) -> Code:
    """The code of a file, read once for all rules."""
    known = subject.code.get(file)
    if known is None:
        lines = {
            number: joined(line)
            for number, line in enumerate(subject.lines(file), 1)
            if 0 < len(line) <= _LONGEST and not line.lstrip()[:4].lower().startswith(_COMMENT)
        }
        text = "\n".join(lines.values())
        known = subject.code[file] = Code(lines, text, text.lower())
    return known


def scripts(subject: Subject) -> Iterator[tuple[str, Code]]:
    """The files of code of a skill, each with its path."""
    for file in subject.skill.files:
        if file.languages and file.path not in subject.documents:
            yield file.path, code_of(subject, file.path)


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
