"""What effects of lines that the host's shell runs are called: the agent reads the document, not only a shell.

In a script `$NAME` is a variable of the environment. In a document it may be a blank that the agent fills in.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from remit.analysis.domain import Text, Value
from remit.core.table import read_toml

if TYPE_CHECKING:
    from remit.analysis.world import Site

FORMS = frozenset({"fences", "span", "bang", "hook"})  # programs whose lines the host's shell runs


@cache
def _blanks() -> frozenset[str]:
    data = read_toml(Path(__file__).with_name("data") / "shell.toml")
    return frozenset(data["documents"]["blanks"].split())


def hosted_name(capability: str, scope: Value, site: Site) -> str:
    """The capability that stands for one that was found at this site; empty if it is none."""
    if not site.hosted:
        return capability
    if capability == "process.create":
        return "shell.execute"  # the host's shell starts it, not a program of the skill
    return "" if capability == "env.read" and is_blank(only_name(scope)) else capability


def is_blank(variable: str) -> bool:
    """Whether a variable of a document is a blank for the agent: names of the environment are written in capitals."""
    return variable in _blanks() or (variable != "" and variable.upper() != variable)


def only_name(scope: Value) -> str:
    """The one name that a scope is, or nothing."""
    item = next(iter(scope)) if len(scope) == 1 else None
    return item.literal or "" if isinstance(item, Text) else ""
