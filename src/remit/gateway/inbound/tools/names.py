"""Canonical names of tools. All comparisons use them: what is allowed, denied, shown and called."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

FILE = Path(__file__).parents[1] / "data" / "tools.table"
GROUP = "group:"
EVERYTHING = "*"


def plain(text: str) -> str:
    """Return the canonical spelling of a text; applying it twice changes nothing.

    Case folding can decompose characters, so the text is normalized again.
    """
    folded = unicodedata.normalize("NFKC", text).strip().casefold()
    return unicodedata.normalize("NFKC", folded).replace("-", "_")


class Names(NamedTuple):
    """Groups of tools, and aliases."""

    groups: Mapping[str, frozenset[str]]
    aliases: Mapping[str, str]

    def tool(self, text: str) -> str:
        """Return the canonical name of a tool."""
        spelled = plain(text)
        return self.aliases.get(spelled, spelled)

    def tools(self, entries: Iterable[str], known: frozenset[str]) -> frozenset[str]:
        """Return the tools of entries: names, groups (`group:NAME`), and `*` for all known tools, in any spelling.

        An unknown group is an error: a denial of it would deny nothing.
        """
        found: set[str] = set()
        for entry in entries:
            spelled = plain(entry)
            if spelled == EVERYTHING:
                found |= known
            elif spelled.startswith(GROUP):
                if spelled[len(GROUP) :] not in self.groups:
                    raise DataError(f"`{spelled}` is no group of tools", f"one of {', '.join(sorted(self.groups))}")
                found |= self.groups[spelled[len(GROUP) :]]
            else:
                found.add(self.tool(spelled))
        return frozenset(found)

    @property
    def all(self) -> frozenset[str]:
        """Every tool of a group or an alias."""
        return frozenset().union(*self.groups.values(), self.aliases.values())


def read_names(path: Path = FILE) -> Names:
    """Read a table. Names must be canonical, and an alias may be neither a tool's name nor refer to an alias."""
    groups: dict[str, frozenset[str]] = {}
    aliases: dict[str, str] = {}
    for row in read_table(path, 2):
        name, means = row.cells
        into = groups if row.section == "group" else aliases if row.section == "alias" else None
        if into is None or name in into:
            raise DataError(f"{row.where}: not a line of [group] or [alias], or it stands twice", "correct the line")
        if odd := next((one for one in (name, *means.split()) if one != plain(one)), ""):
            raise DataError(f"{row.where}: `{odd}` is compared as `{plain(odd)}`", "write it so")
        if into is groups:
            groups[name] = frozenset(means.split())
        else:
            aliases[name] = means
    tools = frozenset().union(*groups.values())
    if bad := sorted(name for name, means in aliases.items() if name in tools or means in aliases):
        raise DataError(f"{path.name}: `{bad[0]}` stands for another name, or is a tool itself", "name the tool")
    return Names(groups, aliases)


@cache
def names() -> Names:
    """Return the shipped table."""
    return read_names()
