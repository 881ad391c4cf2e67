"""Commands whose words matter more than their effects: data/commands.table."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.table import read_table
from remit.core.table_store import stored_table

_FILE = Path(__file__).with_name("data") / "commands.table"


class CommandRow(NamedTuple):
    """One line of the table: groups of words of which one each stands in the command; `*` in a word is anything."""

    groups: tuple[tuple[str, ...], ...]
    meaning: str

    def matches(self, words: tuple[str, ...]) -> bool:
        """Whether a command has a word of each group."""
        given = {*words, *(word.partition("=")[0] for word in words if word.startswith("--"))}
        return all(any(_stands_in(word, given) for word in group) for group in self.groups)

    def is_spoken_of(self, text: str) -> bool:
        """Whether a text has the word that says most: the last of what the row means, or the longest of its words."""
        longest = max((word for group in self.groups for word in group), key=len, default="")
        return self.meaning.rpartition(" ")[2].lower() in text or (
            len(longest) > _SHORT and longest.strip("*-").lower() in text
        )


_SHORT = 6  # letters of a word that other commands have as well


def _stands_in(word: str, given: set[str]) -> bool:
    return any(fnmatchcase(one, word) for one in given) if "*" in word else word in given


def _records(sections: dict[str, Any]) -> dict[str, dict[str, tuple[CommandRow, ...]]]:
    return {
        name: {program: tuple(map(CommandRow._make, items)) for program, items in section.items()}
        for name, section in sections.items()
    }


@stored_table(_records)
def _sections() -> dict[str, dict[str, tuple[CommandRow, ...]]]:
    found: dict[str, dict[str, tuple[CommandRow, ...]]] = {}
    for row in read_table(_FILE, 3):
        program, words, meaning = row.cells
        section = found.setdefault(row.section, {})
        groups = tuple(tuple(group.split("/")) for group in words.split())
        section[program] = (*section.get(program, ()), CommandRow(groups, meaning))
    return found


def rows(section: str) -> dict[str, tuple[CommandRow, ...]]:
    """The rows of a section by the name of the program."""
    return _sections().get(section, {})
