"""Whether the user's words name a file as something to look at alone: `read budget.xlsx and sum it up` asks for no change of it.

Only plain cases count: the sentence that names the file has a verb of looking (data/meant.table), no word of the user anywhere asks for
a change, and nothing is to be put into the file or written under its name. Whatever is not understood is taken as before: who names
a file may mean it to be changed.
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
    if any(_verbs("changes").search(prompt) for prompt in prompts):
        return False
    naming = [
        sentence
        for prompt in prompts
        for sentence in _SENTENCE.split(prompt)
        if any(name in sentence for name in names)
    ]
    return bool(naming) and all(_verbs("looks").search(one) and not _is_goal(one, names) for one in naming)


def _is_goal(sentence: str, names: Sequence[str]) -> bool:
    """Whether a sentence may say that something is to be put where a name leads."""
    before = f"{_GOES}|{_MAY_GO}" if _verbs("makes").search(sentence) else _GOES
    named = "|".join(map(re.escape, names))
    return re.search(rf"\b(?:{before}){_BETWEEN}(?:{named})", sentence, re.IGNORECASE) is not None
