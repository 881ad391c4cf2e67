"""What effects of lines that the host's shell runs are called: the agent reads the document, not only a shell.

In a script `$NAME` is a variable of the environment. In a document it may be a blank that the agent fills in, or a value that
another line of the same document sets; and a variable that is named like a key is a credential that the agent uses.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.domain import Text, Value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.analysis.world import Site
    from remit.skill.program import SourceProgram

FORMS = frozenset({"fences", "span", "bang", "hook"})  # programs whose lines the host's shell runs
_ASSIGNED = re.compile(r"(?<![\w$.{/-])([A-Za-z_]\w*)\+?=(?!=)|\b(?:read(?: +-\w+)*|for|mapfile -t) +([A-Za-z_]\w*)")


class _Names(NamedTuple):
    blanks: frozenset[str]
    credentials: re.Pattern[str]


@cache
def _names() -> _Names:
    data = tomllib.loads(files("remit.analysis").joinpath("data/shell.toml").read_text("utf-8"))["documents"]
    return _Names(frozenset(data["blanks"].split()), re.compile(data["credentials"]))


class Hosted:
    """The variables that each document sets itself."""

    def __init__(self, programs: Iterable[SourceProgram]) -> None:
        self._set: dict[str, set[str]] = {}
        for program in programs:
            if program.language == "shell" and program.form in FORMS:
                found = _ASSIGNED.findall(program.source.decode("utf-8", "replace"))
                self._set.setdefault(program.file, set()).update(name for pair in found for name in pair if name)

    def names(self, capability: str, scope: Value, site: Site) -> tuple[str, ...]:
        """The capabilities that stand for one that was found at this site."""
        if not site.hosted:
            return (capability,)
        if capability == "process.create":
            return ("shell.execute",)  # the host's shell starts it, not a program of the skill
        if capability not in {"env.read", "env.write"}:
            return (capability,)
        variable = _only(scope)
        secret = ("secret.read",) if is_credential(variable) else ()
        if capability == "env.read" and (is_blank(variable) or variable in self._set.get(site.where.file, ())):
            return ()
        return (capability, *secret)


def is_blank(variable: str) -> bool:
    """Whether a variable of a document is a blank for the agent: names of the environment are written in capitals."""
    return variable in _names().blanks or (variable != "" and variable.upper() != variable)


def is_credential(variable: str) -> bool:
    """Whether a variable is named like a key, a token or a password."""
    return _names().credentials.fullmatch(variable) is not None


def _only(scope: Value) -> str:
    """The one name that a scope is, or nothing."""
    item = next(iter(scope)) if len(scope) == 1 else None
    return item.literal or "" if isinstance(item, Text) else ""
