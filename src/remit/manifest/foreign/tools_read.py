"""Reader of `allowed-tools` of an Agent Skill: each tool as what it may do, by the table of host tools.

A pre-approval is an `allow`: the host runs the tool without asking. It limits nothing: a command is judged by the names
of its own effects, and `Bash` alone says only that commands may be run.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import ManifestError
from remit.core.hosttools import host_tools, split_tool
from remit.core.scope import ANY_SCOPE, ScopeKind, parse_scope
from remit.manifest.foreign.front import front_matter
from remit.manifest.foreign.result import Loss, LossKind, Reading
from remit.manifest.foreign.tool_rules import Narrowing, narrowing
from remit.manifest.model import Constraints, Decision, Manifest, Metadata, Permission

if TYPE_CHECKING:
    from remit.skill.frontmatter import FrontMatter

KEYS = ("allowed-tools", "allowed_tools", "allowedTools")
MAX_TOOLS = 500
MAX_LENGTH = 1_000
_NAME = re.compile(r"\w[\w.:/@-]*")
_SERVER = re.compile(r"mcp__[A-Za-z0-9.-]+(?:_[A-Za-z0-9.-]+)*")  # a whole server: the name of a tool would follow `__`
_TOOLS_OF_SERVER = re.compile(r"mcp__[\w.-]+__\*?|mcp__[\w.-]*\*")


class _Grant(NamedTuple):
    capability: str
    narrowing: Narrowing
    line: int


def read_tools(data: bytes, file: str) -> Reading:
    """Return the pre-approved tools of a SKILL.md."""
    front = front_matter(data, file, KEYS)
    grants: list[_Grant] = []
    losses: list[Loss] = []
    for tool, line in _tools(front, file):
        found = _granted(tool, line, file)
        if found is None:
            message = f"{file}:{line}: `{tool}` grants nothing here: its rule is not understood"
            names = host_tools()[split_tool(tool)[0]].capabilities if split_tool(tool)[0] in host_tools() else ()
            losses.append(Loss(LossKind.NARROWED, message, names or ("tool.invoke",)))
        else:
            grants += found
    name = front.text("name")
    metadata = Metadata(name, front.text("version")) if name else None
    return Reading(Manifest(file, tuple(_entries(grants)), metadata), tuple(losses))


def _tools(front: FrontMatter, file: str) -> Iterator[tuple[str, int]]:
    from remit.skill.frontmatter import allowed_tools  # noqa: PLC0415

    keys = [key for key in KEYS if key in front.values]
    if not keys:
        raise ManifestError(f"{file}:1: there is no `allowed-tools`", "add it, or convert from another format")
    if len(keys) > 1:
        message = f"{file}:{front.line(keys[1])}: `{keys[0]}` and `{keys[1]}` both occur here"
        raise ManifestError(message, "keep `allowed-tools`")
    key, value = keys[0], front.values[keys[0]]
    for item in value if isinstance(value, list) else [value]:
        if not isinstance(item, str) and (item is not None or isinstance(value, list)):
            message = f"{file}:{front.line(key)}: `{key}` is no list of tools"
            raise ManifestError(message, "write the names of tools, separated by blanks, or as a YAML list of texts")
    tools = allowed_tools(front.values, key)
    if len(tools) > MAX_TOOLS:
        raise ManifestError(f"{file}:{front.line(key)}: more than {MAX_TOOLS} tools are listed", "shorten the list")
    for index, tool in enumerate(tools):
        yield tool, front.line(key, index) if isinstance(value, list) and len(tools) == len(value) else front.line(key)


def _granted(text: str, line: int, file: str) -> list[_Grant] | None:
    """Return what one tool grants; None if its rule is not understood. A name that no host could have is an error."""
    name, rule = split_tool(text)
    if len(text) > MAX_LENGTH or not (_NAME.fullmatch(name) or _TOOLS_OF_SERVER.fullmatch(name) or text == "*"):
        message = f"{file}:{line}: `{text[:80]}` is not a tool"
        raise ManifestError(message, "write its name, as in `Read`, `Bash(git:*)` or `mcp__server__tool`")
    tool = host_tools().get(name)
    if tool is None:
        if rule is not None or text == "*":
            return None
        if name == "any":
            name = "\\any"  # alone it would be every tool, and it is the name of one
        pattern = f"{name}__*" if _SERVER.fullmatch(name) else name + "*" * name.endswith("__")
        return [_Grant("tool.invoke", Narrowing(parse_scope(ScopeKind.TOOL, pattern)), line)]
    if not tool.capabilities:
        return []
    narrow = narrowing(tool, rule)
    return None if narrow is None else [_Grant(capability, narrow, line) for capability in tool.capabilities]


def is_written_as_named(pattern: str) -> bool:
    """Whether a list with this name reads as the tools of this pattern, and as nothing else."""
    try:
        found = _granted(pattern, 0, "")
    except ManifestError:
        return False
    scope = parse_scope(ScopeKind.TOOL, pattern)
    return found == [_Grant("tool.invoke", Narrowing(scope), 0)] and scope != ANY_SCOPE


def _entries(grants: list[_Grant]) -> Iterator[Permission]:
    """Return one entry for each capability and constraint, with all scopes; `any` absorbs the others."""
    joined: dict[tuple[str, Constraints], list[_Grant]] = {}
    for grant in grants:
        joined.setdefault((grant.capability, grant.narrowing.constraints), []).append(grant)
    for (capability, constraints), found in joined.items():
        scopes = tuple(dict.fromkeys(grant.narrowing.scope for grant in found))
        if ANY_SCOPE in scopes:
            scopes = (ANY_SCOPE,)
        yield Permission(capability, scopes, Decision.ALLOW, constraints=constraints, line=found[0].line)
