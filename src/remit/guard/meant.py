"""Whether the user's words name a file as something to look at alone: `read budget.xlsx and sum it up` asks for no change of it.

Only plain cases count: the sentence that names the file has a verb of looking (data/meant.table), no word of the user anywhere asks for
a change, and nothing is to be put into the file or written under its name. A word behind an article is no verb: `the set of messages` asks
for no change, `make an update` does. Whatever is not understood is taken as before: who names a file may mean it to be changed.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import DataError
from remit.core.table import read_table

if TYPE_CHECKING:
    from collections.abc import Sequence

_FILE = Path(__file__).with_name("data") / "meant.table"
_SECTIONS = ("looks", "makes", "changes")
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
# Words before a name by which it is where something goes: `into the file x.csv`, `save it as x.csv`; or perhaps: `make a sheet in x.xlsx`.
_GOES, _MAY_GO = "into|to|onto|as|called|named", "in|at|on"
_BETWEEN = r"\s+(?:(?:a|an|the|my|our|this|file|files|new|single|existing)\s+){0,3}[\"'`*]*"
_ARTICLE = re.compile(
    r"(?:(\w+)\s+)?\b(?:a|an|the|this|that|these|those|my|our|your|its|their|each|every)\s+$", re.IGNORECASE
)
_LIGHT = re.compile(r"(?:mak|do|giv|appl|perform|run|carr)\w*", re.IGNORECASE)  # verbs whose object says what is done
_PASSIVE = re.compile(r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+)?\w+(?:ed|ing)\b", re.IGNORECASE)
_SOON = 40  # characters before a word that are looked at


@cache
def _verbs(section: str) -> re.Pattern[str]:
    return load(_FILE)[section]


def load(path: Path) -> dict[str, re.Pattern[str]]:
    """Read a table of verbs; a row that cannot be read is refused with its line."""
    found: dict[str, list[str]] = {section: [] for section in _SECTIONS}
    for row in read_table(path, 2):
        verb = row.cells[0]
        if row.section not in found or not re.fullmatch(r"[a-z]+", verb):
            raise DataError(f"{row.where}: `{verb}` is no verb of this table", f"use {' or '.join(_SECTIONS)}")
        found[row.section].append(_forms(verb))
    return {section: re.compile(rf"(?i)\b(?:{'|'.join(forms)})\b") for section, forms in found.items()}


def _forms(verb: str) -> str:
    """The forms of a verb: read, reads, reading; calculate, calculated; copy, copied; set, setting."""
    if verb.endswith("e"):
        return rf"{verb[:-1]}(?:e|es|ed|ing)"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return rf"{verb[:-1]}(?:y|ies|ied|ying)"
    return rf"{verb}{verb[-1]}?(?:s|es|ed|ing)?"


def only_looked_at(prompts: Sequence[str], names: Sequence[str]) -> bool:
    """Whether all that the user says of a file, by one of its names, is that it is to be looked at."""
    if any(_done("changes", prompt) for prompt in prompts):
        return False
    naming = [
        sentence
        for prompt in prompts
        for sentence in _SENTENCE.split(prompt)
        if any(name in sentence for name in names)
    ]
    return bool(naming) and all(_verbs("looks").search(one) and not _is_goal(one, names) for one in naming)


def asks_for_work(prompt: str) -> bool:
    """Whether a verb of a prompt asks for something that is made or changed. What `is installed` is so already."""
    left = _PASSIVE.sub(" ", prompt)
    return _done("makes", left) or _done("changes", left)


def _done(section: str, text: str) -> bool:
    """Whether a text has one of these verbs, as a verb."""
    for found in _verbs(section).finditer(text):
        article = _ARTICLE.search(text[max(0, found.start() - _SOON) : found.start()])
        if article is None or (article[1] and _LIGHT.fullmatch(article[1])):
            return True
    return False


def _is_goal(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence may say that something is to be put where a name leads."""
    named = rf"{_BETWEEN}(?:{'|'.join(map(re.escape, names))})"
    if re.search(rf"\b(?:{_GOES}){named}", sentence, re.IGNORECASE):
        return True
    perhaps = re.finditer(rf"\b(?:{_MAY_GO}){named}", sentence, re.IGNORECASE)
    return any(_makes_there(sentence[: found.start()]) for found in perhaps)


def _makes_there(before: str) -> bool:
    """Whether what is made may be made in the place that follows. In `a report analyzing the trends in` the trends are there already."""
    made = max((found.start() for found in _verbs("makes").finditer(before)), default=-1)
    looked = (found for found in _verbs("looks").finditer(before) if found[0].lower().endswith("ing"))
    return made > max((found.start() for found in looked), default=-1)
