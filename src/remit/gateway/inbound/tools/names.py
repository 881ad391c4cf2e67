"""One spelling for each tool. What is allowed and denied, shown and called is compared in this spelling alone."""

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
    """A text as it is compared. It is its own spelling then: how often it was brought into it changes nothing.

    Folding may leave signs apart that belong together, so they are put together once more.
    """
    folded = unicodedata.normalize("NFKC", text).strip().casefold()
    return unicodedata.normalize("NFKC", folded).replace("-", "_")


class Names(NamedTuple):
    """Groups, and the tool that another name means."""

    groups: Mapping[str, frozenset[str]]
    aliases: Mapping[str, str]

    def tool(self, text: str) -> str:
        """The one spelling of a tool's name."""
        spelled = plain(text)
        return self.aliases.get(spelled, spelled)

    def tools(self, entries: Iterable[str], known: frozenset[str]) -> frozenset[str]:
        """The tools that entries mean: names, groups (`group:NAME`), and `*` for all that are known, in whatever spelling.

        A group that is not there is an error: a denial that means nothing would deny nothing.
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
        """Every tool that a group or another name speaks of."""
        return frozenset().union(*self.groups.values(), self.aliases.values())


def read_names(path: Path = FILE) -> Names:
    """Read a table. Another name never stands for another name, and is never a tool's own; each is in its one spelling."""
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
    """The table that is shipped."""
    return read_names()
