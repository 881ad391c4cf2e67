"""Commands whose words matter more than their effects: data/commands.table."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.table import read_table

_FILE = Path(__file__).with_name("data") / "commands.table"


class CommandRow(NamedTuple):
    """One line of the table: groups of words of which one each stands in the command."""

    groups: tuple[frozenset[str], ...]
    meaning: str

    def matches(self, words: tuple[str, ...]) -> bool:
        """Whether a command has a word of each group."""
        given = {*words, *(word.partition("=")[0] for word in words if word.startswith("--"))}
        return all(not group.isdisjoint(given) for group in self.groups)


@cache
def rows(section: str) -> dict[str, tuple[CommandRow, ...]]:
    """The rows of a section by the name of the program."""
    found: dict[str, list[CommandRow]] = {}
    for row in read_table(_FILE, 3):
        if row.section == section:
            program, words, meaning = row.cells
            groups = tuple(frozenset(group.split("/")) for group in words.split())
            found.setdefault(program, []).append(CommandRow(groups, meaning))
    return {program: tuple(items) for program, items in found.items()}
