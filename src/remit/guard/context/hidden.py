"""Text that a model reads and a person does not see, or sees as something else."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import DataError
from remit.core.table import read_table
from remit.findings.invisible import HIDING_STYLE
from remit.guard.context.finding import Finding
from remit.manifest.drift.words import described, invisible_in
from remit.policy.dlp.severity import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from remit.skill.document import Document

_FILE = Path(__file__).parent.with_name("data") / "lookalikes.table"
_LONG = 300  # characters of a line that are shown
_STEERS = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\x80-\x9f]")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MIXED = re.compile(r"[\w.@/:-]*[A-Za-z][\w.@/:-]*")
_READS = "reads what a person does not see"


@cache
def lookalikes() -> Mapping[int, str]:
    """Letters of other scripts, and the letters they look like; as `str.translate` takes them."""
    return load(_FILE)


def load(path: Path) -> Mapping[int, str]:
    """Read a table; a row that cannot be read is refused with its line."""
    out: dict[int, str] = {}
    for row in read_table(path, 2):
        letters, ours = row.cells
        if len(letters) != len(ours) or not ours.isascii() or letters.isascii():
            raise DataError(
                f"{row.where}: the two cells do not go together", "write one letter of ours for each of theirs"
            )
        out |= {ord(letter): same for letter, same in zip(letters, ours, strict=True)}
    return out


def unmasked(text: str) -> str:
    """A text as a reader takes it: without what is not seen, lookalikes as the letters they look like. Lines stay where they are."""
    if text.isascii():
        return text
    lines = text.split("\n")
    return "\n".join(line if line.isascii() else _plain(line) for line in lines)


def _plain(line: str) -> str:
    unseen = set(invisible_in(line))
    if unseen:
        line = "".join(char for char in line if char not in unseen)
    return _MIXED.sub(lambda word: word[0].translate(lookalikes()), line) if not line.isascii() else line


def in_lines(text: str) -> Iterator[Finding]:
    """Characters that show nothing, steer a terminal, or look like others."""
    if text.isascii() and not _STEERS.search(text):
        return
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        if unseen := invisible_in(line.removesuffix("\r")):
            yield Finding(*_rule(unseen, number, line))
        if _STEERS.search(line.removesuffix("\r")):
            shown = "".join(char if char.isprintable() else "\u2423" for char in line)
            yield Finding(
                "terminal-escape", number, _cut(shown), "shows a person something else than it says", Severity.HIGH
            )
        if not line.isascii() and (word := _disguised(line)):
            does = f"takes `{word}` for what it looks like"
            yield Finding("lookalike", number, _cut(line), does, Severity.HIGH)


def _rule(unseen: str, number: int, line: str) -> tuple[str, int, str, str, Severity]:
    shown, does = _cut(line), f"{_READS}: {described(unseen)}"
    if _TAGS.search(unseen):
        return "tag-characters", number, shown, does, Severity.HIGH
    if _SELECTORS.search(unseen):
        return "variation-selectors", number, shown, does, Severity.HIGH
    if _BIDI.search(unseen):
        return "direction-marks", number, shown, does, Severity.HIGH
    return "zero-width", number, shown, does, Severity.MEDIUM


def _disguised(line: str) -> str:
    """A word in which letters of ours and lookalikes stand together, and nothing else: a word of another script has others too."""
    for word in _MIXED.findall(line):
        if word.isascii():
            continue
        folded = word.translate(lookalikes())
        if folded != word and folded.isascii():
            return str(word[:60])
    return ""


def in_styles(document: Document) -> Iterator[Finding]:
    """Text that a style makes invisible on the page."""
    for text, line, _, _ in document.paragraphs:
        if "<" in text and (found := HIDING_STYLE.search(text)):
            place = line + text.count("\n", 0, found.start())
            yield Finding("hidden-style", place, _cut(text[found.start() :]), _READS, Severity.HIGH)


def _cut(text: str) -> str:
    return " ".join(text.split())[:_LONG]
