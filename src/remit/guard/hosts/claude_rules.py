"""The user's own rules about commands in Claude Code's settings (`"deny": ["Bash(git push:*)"]`).

A command inside walls runs as a rewritten one, which no rule of the host names. So the rules are applied here to the
original command.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

MANAGED = Path("/etc/claude-code")
_RULE = re.compile(r"Bash\((?P<pattern>.+)\)", re.DOTALL)
_BETWEEN = re.compile(r"&&|\|\||\$\(|[;&|\n()`]")  # also inside quotes: then a rule matches too much, not too little
_ASSIGNED = re.compile(r"(?:\w+=\S*\s+)+")
_STRICTEST = ("deny", "ask")


class HostRule(NamedTuple):
    """A rule that matches a command."""

    decision: str  # `deny` or `ask`
    text: str  # as written in the settings


def rule_about(command: str, cwd: str, home: Path, managed: Path = MANAGED) -> HostRule | None:
    """Return the strictest rule that denies or asks about a command, from managed settings, the user's, and those of
    the folders above.
    """
    parts = [_ASSIGNED.sub("", part.strip(), count=1).strip() for part in _BETWEEN.split(command)]
    rules = [permissions for path in _files(cwd, home, managed) for permissions in _permissions(path)]
    for decision in _STRICTEST:
        for permissions in rules:
            for text in _texts(permissions.get(decision)):
                found = _RULE.fullmatch(text)
                if found and any(_speaks_of(found["pattern"], part) for part in (command.strip(), *parts)):
                    return HostRule(decision, text)
    return None


def _files(cwd: str, home: Path, managed: Path) -> Iterator[Path]:
    yield managed / "managed-settings.json"
    yield from sorted((managed / "managed-settings.d").glob("*.json"))
    yield home / ".claude/settings.json"
    for folder in (Path(cwd), *Path(cwd).parents):
        yield folder / ".claude/settings.json"
        yield folder / ".claude/settings.local.json"


def _permissions(path: Path) -> Iterator[dict[str, Any]]:
    """Return the permissions of a file; none if it is missing, or unreadable for the host too."""
    try:
        value = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return
    found = value.get("permissions") if isinstance(value, dict) else None
    if isinstance(found, dict):
        yield found


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _speaks_of(pattern: str, part: str) -> bool:
    if pattern.endswith(":*"):
        return part.startswith(pattern[:-2])
    return re.fullmatch(".*".join(map(re.escape, pattern.split("*"))), part, re.DOTALL) is not None
