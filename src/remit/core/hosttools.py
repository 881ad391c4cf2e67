"""The tools of agent hosts, and what a pre-approval of each grants. They are data (`data/host_tools.table`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import DATA, read_table

if TYPE_CHECKING:
    from pathlib import Path

_RULES = ("", "command", "path", "domain", "agent")
_ARGUMENT = "argument:"


class HostTool(NamedTuple):
    """One tool of a host."""

    name: str
    host: str
    capabilities: tuple[str, ...]  # empty: it does nothing that needs a grant
    rule: str  # the meaning of a text in brackets after the name; empty if the tool takes none
    written: bool  # an entry for its first capability is written as this tool
    meaning: str

    @property
    def argument(self) -> str:
        """The argument whose value the text in brackets gives, if that is its meaning."""
        return self.rule.removeprefix(_ARGUMENT) if self.rule.startswith(_ARGUMENT) else ""


def split_tool(text: str) -> tuple[str, str | None]:
    """Split the name of a tool and the text in brackets after it (None without brackets): `Bash(git:*)` is Bash,
    `git:*`.
    """
    name, opened, rule = text.strip().partition("(")
    return name.strip(), rule.removesuffix(")").strip() if opened else None


def rule_words(rule: str) -> list[str]:
    """Return the words of a rule for commands: `git add:*` and `git add *` are the words `git`, `add`, `*`."""
    return (rule[:-2] + " *" if rule.endswith(":*") else rule).split()


@cache
def host_tools() -> Mapping[str, HostTool]:
    """Return all known tools, by name."""
    return load(DATA / "host_tools.table")


def load(path: Path) -> Mapping[str, HostTool]:
    """Parse a table of tools; a duplicate, or an unknown capability or rule, is refused with its line."""
    out: dict[str, HostTool] = {}
    for row in read_table(path, 5):
        name, capabilities, rule, written, meaning = row.cells
        tool = HostTool(name, row.section, tuple(capabilities.split()), rule, written == "yes", meaning)
        unknown = [word for word in tool.capabilities if word not in vocabulary()]
        problem = (
            f"`{name}` is defined twice" if name in out
            else "a tool has a name and a meaning" if not (name and meaning)
            else f"`{unknown[0]}` is not a capability" if unknown
            else f"`{rule}` is not a kind of rule" if rule not in _RULES and not tool.argument
            else "`written` is `yes` or `-`, and `yes` needs a capability" if written not in ("", "yes") or (
                tool.written and not capabilities)
            else ""
        )  # fmt: skip
        if problem:
            raise DataError(
                f"{row.where}: {problem}", "correct the line; the head of the file says what its cells mean"
            )
        out[name] = tool
    return out
