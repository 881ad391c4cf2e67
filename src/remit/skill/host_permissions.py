"""Tools that a skill asks its host to pre-approve: `allowed-tools`, and permissions in settings files.

A pre-approval is not an effect of a program, but it widens what the host lets the agent do, so it is reported with its
line.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.skill.config_commands import line_finder, loads
from remit.skill.frontmatter import allowed_tools

if TYPE_CHECKING:
    from remit.skill.document import Document
    from remit.skill.model import Skill

_KEYS = ("allowed-tools", "allowed_tools", "allowedTools")
_AGENT_KEYS = (*_KEYS, "tools")  # what a subagent may use
_MODE_KEYS = ("permissionMode", "permission-mode", "defaultMode")
_WIDE_MODES = frozenset({"bypassPermissions", "acceptEdits", "dontAsk", "auto", "yolo"})


class Grant(NamedTuple):
    """A tool in the host's spelling (`Bash(git:*)`, `mcp__x__*`), or a permission mode (`mode:bypassPermissions`)."""

    tool: str
    file: str
    line: int


def grants(skill: Skill) -> tuple[Grant, ...]:
    """Return all pre-approvals that the skill asks for, in the order of its files."""
    out = [
        grant for document in skill.documents if document.role in {"skill", "command"} for grant in _from_text(document)
    ]
    for file in skill.files:
        if file.extract == "hooks" and (data := skill.contents.get(file.path)):
            out += [Grant(tool, file.path, line) for tool, line in _from_settings(data)]
    return tuple(sorted(out, key=lambda grant: (grant.file, grant.line)))


def _from_text(document: Document) -> Iterator[Grant]:
    front = document.front_matter
    for key in _AGENT_KEYS if document.role == "command" else _KEYS:
        listed = isinstance(front.values.get(key), list)
        for index, tool in enumerate(allowed_tools(front.values, key)):
            yield Grant(tool, document.path, front.line(key, index) if listed else front.line(key))
    for path, value, line in front.shadowed:
        if len(path) == 1 and path[0] in _KEYS:
            yield from (Grant(tool, document.path, line) for tool in allowed_tools({"allowed-tools": value}))
    for key in _MODE_KEYS:
        if front.text(key) in _WIDE_MODES:
            yield Grant(f"mode:{front.text(key)}", document.path, front.line(key))


def _from_settings(data: bytes) -> Iterator[tuple[str, int]]:
    try:
        value: Any = loads(data)
    except ValueError:
        return  # the reader of the file's commands reports it as opaque
    permissions = value.get("permissions") if isinstance(value, dict) else None
    if not isinstance(permissions, dict):
        return
    find = line_finder(data)
    allowed = permissions.get("allow")
    for tool in allowed if isinstance(allowed, list) else ():
        yield str(tool), find(str(tool))
    for key in _MODE_KEYS:
        if permissions.get(key) in _WIDE_MODES:
            yield f"mode:{permissions[key]}", find(permissions[key])
