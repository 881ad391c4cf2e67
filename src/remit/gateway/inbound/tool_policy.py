"""Tool policy: eight layers, deny wins. Each layer keeps what it allows and removes what it denies; nothing comes back.

All comparisons use canonical names of tools: what is allowed, denied, shown and called (data/tools.table).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.core.errors import DataError
from remit.core.table import read_table

FILE = Path(__file__).with_name("data") / "tools.table"
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
            raise DataError(f"{row.where}: not a line of [group] or [alias], or it occurs twice", "correct the line")
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


# in the order of application; since each only removes tools, the order affects messages alone
LAYERS = ("profile", "provider-profile", "global", "global-provider", "agent", "agent-provider", "channel", "session")
SHARED = frozenset({"memory"})  # groups that are denied in sessions shared by several people


class Layer(NamedTuple):
    """One layer; `allow` None does not restrict."""

    allow: tuple[str, ...] | None = None
    deny: tuple[str, ...] = ()


class Caller(NamedTuple):
    """The caller's rights."""

    elevated: bool = False  # requests tools with the operator's own rights
    shared: bool = False  # several people are in the session
    sender_elevated: bool = False  # the operator grants them to this sender


class Policy(NamedTuple):
    """All layers, the known tools, and those that act with the operator's own rights."""

    tools: frozenset[str]
    layers: Mapping[str, Layer]
    elevated: frozenset[str] = frozenset()
    elevated_global: bool = False
    elevated_agent: bool = False


def apply_layer(names: Names, tools: frozenset[str], known: frozenset[str], layer: Layer) -> frozenset[str]:
    """Return the tools that a layer leaves."""
    kept = known if layer.allow is None else known & names.tools(layer.allow, tools)
    return kept - names.tools(layer.deny, tools)


def joined(names: Names, tools: frozenset[str], layers: Sequence[Layer]) -> Layer:
    """Combine layers that apply together: all of them must allow, and any of them can deny."""
    known = frozenset(map(names.tool, tools))
    said = [names.tools(one.allow, tools) for one in layers if one.allow is not None]
    allow = tuple(sorted(known.intersection(*said))) if said else None
    return Layer(allow, tuple(sorted({entry for one in layers for entry in one.deny})))


def allowed(names: Names, policy: Policy, caller: Caller) -> frozenset[str]:
    """Return the tools that may be called."""
    known = frozenset(map(names.tool, policy.tools))
    tools = known
    for name in LAYERS:
        known = apply_layer(names, tools, known, policy.layers.get(name, Layer()))
    if caller.shared:
        known -= names.tools((f"group:{group}" for group in SHARED), tools)
    return known if may_elevate(policy, caller) else known - frozenset(map(names.tool, policy.elevated))


def may_elevate(policy: Policy, caller: Caller) -> bool:
    """Return whether tools with the operator's own rights are allowed: by the gateway, the agent and the sender."""
    return policy.elevated_global and policy.elevated_agent and caller.elevated and caller.sender_elevated
