"""Tables of what the tools of a host do (`data/hosts/<host>.table`), read once and applied to calls: each effect is a want.

A tool that no line names is `tool.invoke(name)`. If arguments are not as the table expects, the result is a want that
cannot be granted: what is not understood is never ignored. The engine resolves paths, analyses commands, and judges.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.capability import Change, vocabulary
from remit.core.errors import DataError
from remit.core.table import TableRow, read_table
from remit.guard.event import Event, Kind
from remit.guard.hosts.payload import leaves


class Role(StrEnum):
    """The meaning of a want's target."""

    COMMAND = "command"  # none: `command` is a line for a shell (`target` names which), to be analysed
    ARGV = "argv"  # in tables only: a list of words, which becomes a command
    CODE = "code"  # a language: `code` is text that its interpreter will run
    PATH = "path"  # a file or folder, relative to the working folder; `content` is what is written
    TREE = "tree"  # a folder with everything in it
    GLOB = "glob"  # in tables only: a pattern of paths, which becomes a tree
    NAMES = "names"  # a tree of which only names are returned; in tables: a pattern of paths
    URL = "url"
    SKILL = "skill"  # the name of a skill or command that is loaded into the context
    SLASH = "slash"  # in tables only: a line `/name words`, which becomes a skill
    AGENT = "agent"  # the name or kind of an agent that gets a task (`content`)
    TOOL = "tool"  # the name of the tool itself
    NAME = "name"  # any other name: a job, a recipient
    ANY = "any"  # none: everything that the capability can be about
    FLAG = "flag"  # in tables only: an argument that widens what the call may do, which becomes ANY
    NOTHING = "nothing"  # in tables only: the tool has no effects


class Want(NamedTuple):
    """One effect that a call would have. With a problem it cannot be granted, whatever the rights are."""

    capability: str  # of the vocabulary; empty only with a problem
    role: Role
    target: str = ""
    command: str = ""
    code: str = ""
    content: str | None = None  # text that is written, sent or handed over; None: there is none
    problem: str = ""  # why the effect of the call is unknown


AUTHORITY_SERVER = "remit"  # how the settings of a host name our gateway
AUTHORITY_TOOL = f"mcp__{AUTHORITY_SERVER}__act"
FOLDER = Path(__file__).parents[1] / "data" / "hosts"
_UNKNOWN = "tool.invoke"
_DELEGATE = "subagent.delegate"
_CALLS = frozenset({Kind.BEFORE, Kind.AFTER, Kind.FAILED})
_TARGETLESS = (Role.NOTHING, Role.ANY, Role.TOOL)


class Line(NamedTuple):
    """One line of a table: one effect of a tool."""

    tool: str  # a name, or a prefix and `*`
    capability: str
    role: Role
    target: Field | None
    content: tuple[Field, ...]
    where: str


class ToolMap(NamedTuple):
    """All lines of a host."""

    exact: Mapping[str, tuple[Line, ...]]
    patterns: tuple[tuple[str, tuple[Line, ...]], ...]  # prefixes of names, the longest first

    def lines(self, tool: str) -> tuple[Line, ...]:
        """Return the lines of a tool; none if it is unknown."""
        if tool in self.exact:
            return self.exact[tool]
        return next((lines for start, lines in self.patterns if tool.startswith(start)), ())


def wants(event: Event) -> tuple[Want, ...]:
    """Return what an event would do. Empty only for tools without effects: a plan, a question, a notice."""
    global _newest  # noqa: PLW0603  (several parts ask this of one event, one after the other)
    of, known = _newest
    if of is not event:
        if event.authority and event.kind is Kind.BEFORE and not _may_act(event):
            why = f"every effect must go through the two policy servers; call `{AUTHORITY_TOOL}` instead of `{event.tool}`"
            known = (Want("", Role.ANY, problem=why),)
        else:
            known = _wants(event)
        _newest = event, known
    return known


_newest: tuple[Event | None, tuple[Want, ...]] = None, ()


def _wants(event: Event) -> tuple[Want, ...]:
    if event.kind is Kind.SKILL:
        return (Want("context.load", Role.SKILL, event.skill, problem="" if event.skill else "no skill is named"),)
    if event.kind not in _CALLS:
        return ()
    if not event.tool:
        return (Want("", Role.ANY, problem=f"the event `{event.name}` names no tool"),)
    lines = tool_map(event.host).lines(event.tool)
    if not lines:
        return (Want(_UNKNOWN, Role.TOOL, event.tool),)
    found = [want for line in lines for want in wanted(line, event)]
    if not found and not any(line.role is Role.NOTHING for line in lines):
        return (Want(lines[0].capability, lines[0].role, problem=f"`{event.tool}` is given nothing that it acts on"),)
    return tuple(found)


def effect_tools(host: str) -> tuple[str, ...]:
    """Return a host's tools that change something or reach beyond the machine; not subagents, who have the same."""
    return tuple(sorted(tool for tool, lines in tool_map(host).exact.items() if _has_effect(lines)))


def _has_effect(lines: tuple[Line, ...]) -> bool:
    words = [line.capability for line in lines if line.capability]
    return _DELEGATE not in words and any(vocabulary()[word].change is not Change.NONE for word in words)


def _may_act(event: Event) -> bool:
    """Whether a call may be made where every effect goes through the authorities: `act`, and tools without effects."""
    lines = tool_map(event.host).lines(event.tool)
    return event.tool == AUTHORITY_TOOL or (bool(lines) and not _has_effect(lines))


@cache
def tool_map(host: str) -> ToolMap:
    """Return the table of a host. A host without a table has no known tools."""
    path = FOLDER / f"{host}.table"
    return load(path) if path.is_file() else ToolMap({}, ())


def load(path: Path) -> ToolMap:
    """Parse a table; an unknown capability or role, or an invalid field, is refused with its line."""
    found: dict[str, tuple[Line, ...]] = {}
    for row in read_table(path, 6):
        line = _line(row)
        before = found.get(line.tool, ())
        if any(_same(line, other) for other in before):
            raise _wrong(row, f"`{line.tool}` has this line twice")
        found[line.tool] = (*before, line)
    starts = sorted((name for name in found if name.endswith("*")), key=len, reverse=True)
    exact = {name: lines for name, lines in found.items() if name not in starts}
    return ToolMap(exact, tuple((name[:-1], found[name]) for name in starts))


def _line(row: TableRow) -> Line:
    tool, capability, role, target, content, meaning = row.cells
    fields = [parse_field(word) for word in content.split()]
    where = parse_field(target) if target else None
    problem = (
        "a tool has a name and a meaning" if not (tool and meaning)
        else "`*` is allowed only at the end of a name" if "*" in tool[:-1]
        else f"`{role}` is not a role" if role not in {known.value for known in Role}
        else f"`{capability}` is not a capability" if capability and capability not in vocabulary()
        else "only what does nothing has no capability" if (role == Role.NOTHING) != (not capability)
        else f"`{target}` is not a field" if target and where is None
        else f"`{content}` is not a list of fields" if None in fields
        else f"the role `{role}` needs a field" if role not in _TARGETLESS and where is None
        else f"the role `{role}` takes no field" if role in _TARGETLESS and where is not None
        else ""
    )  # fmt: skip
    if problem:
        raise _wrong(row, problem)
    if role == Role.FLAG and where is not None:
        where = where._replace(optional=True)  # a missing argument is not set
    return Line(tool, capability, Role(role), where, tuple(field for field in fields if field), row.where)


def _same(one: Line, other: Line) -> bool:
    return one._replace(where="", content=()) == other._replace(where="", content=())


def _wrong(row: TableRow, problem: str) -> DataError:
    return DataError(f"{row.where}: {problem}", "correct the line; the head of claude-code.table says what cells mean")


_FORM = re.compile(r"(?P<steps>[A-Za-z_-][\w.-]*(?:\[\](?:\.[\w-]+)*)?)(?P<optional>\?(?:=(?P<default>\S+))?)?")
_ALL = "*"  # every text of the arguments
_EACH = "[]"  # every item of a list


class Field(NamedTuple):
    """One field of a table: where to find a value, or the value itself."""

    steps: tuple[str, ...]  # `[]` is every item of a list, `*` every text
    optional: bool = False
    default: str = ""  # of an optional field; a field without steps is this text


class Missing(NamedTuple):
    """A value that is missing or not of the required form."""

    why: str


def parse_field(text: str) -> Field | None:
    """Parse the field in a cell; None if it is invalid."""
    if text.startswith("="):
        return Field((), default=text[1:]) if len(text) > 1 else None
    if text == _ALL:
        return Field((_ALL,), optional=True)
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    steps = tuple(match["steps"].replace("[]", ".[]").split("."))
    return Field(steps, bool(match["optional"]), match["default"] or "") if all(steps) else None


def texts(field: Field, args: Mapping[str, Any]) -> tuple[str, ...] | Missing:
    """Return the texts of a field. Empty: it is optional, has no default, and is missing."""
    found = values(field, args)
    if isinstance(found, Missing):
        return found
    for value in found:
        if not isinstance(value, str):
            return Missing(f"`{shown(field)}` is not text")
    return found


def values(field: Field, args: Mapping[str, Any]) -> tuple[Any, ...] | Missing:
    """Return the values of a field, of any type. A null value is missing."""
    steps = field.steps
    if not steps:
        return (field.default,)
    if len(steps) == 1 and steps[0] not in (_ALL, _EACH):  # most are one name, and need no walk
        found: tuple[Any, ...] = (args.get(steps[0]),)
    else:
        found = tuple(_walk(args, steps))
    if any(isinstance(value, Missing) for value in found):
        return Missing(f"`{shown(field)}` is not of the form that it must have")
    present = tuple(value for value in found if value is not None)
    if not present or len(present) != len(found):
        if field.optional and not present:
            return (field.default,) if field.default else ()
        return Missing(f"`{shown(field)}` is missing")
    return present


def _walk(value: Any, steps: tuple[str, ...]) -> Iterator[Any]:
    if not steps or value is None:
        yield value
    elif steps[0] == _ALL:
        yield from leaves(value)
    elif steps[0] == _EACH:
        if isinstance(value, list | tuple):
            for item in value:
                yield from _walk(item, steps[1:])
        else:
            yield Missing("no list")
    elif hasattr(value, "get"):
        yield from _walk(value.get(steps[0]), steps[1:])
    else:
        yield Missing("no object")


def as_text(value: Any) -> str:
    """Return a value as text to search: itself, or JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def shown(field: Field) -> str:
    """Return a field as a table writes it."""
    return ".".join(field.steps).replace(".[]", "[]") or f"={field.default}"


LONGEST_TARGET = 4096
_DEFAULT_SHELL = "bash"
_WILD = frozenset("*?[]{}!()")  # a name that contains one of them may be a pattern
_LEAVES = re.compile(r"\.\.|[{,|(][/~]")  # `..`, and choices of which one begins elsewhere: `{/etc,a}`


def wanted(line: Line, event: Event) -> Iterator[Want]:
    """Return what one line says about a call: nothing if it is about a missing optional argument."""
    match line.role:
        case Role.NOTHING:
            return
        case Role.ANY | Role.TOOL:
            target = event.tool if line.role is Role.TOOL else ""
            yield _with_content(Want(line.capability, line.role, target), line.content, event)
        case Role.FLAG | Role.ARGV:
            assert line.target is not None
            role = Role.ANY if line.role is Role.FLAG else Role.COMMAND
            found = values(line.target, event.args)
            if isinstance(found, Missing):
                yield Want(line.capability, role, problem=found.why)
            else:
                yield from _flag(line, found) if role is Role.ANY else _argv(line, line.target, found)
        case _:
            assert line.target is not None
            found = texts(line.target, event.args)
            if isinstance(found, Missing):
                yield Want(line.capability, line.role, problem=found.why)
                return
            for text in found:
                yield _one(line, event, text)


def _one(line: Line, event: Event, text: str) -> Want:
    """Return the want of one text of the target field."""
    assert line.target is not None
    if not text.strip() or "\0" in text:
        return Want(line.capability, line.role, problem=f"`{shown(line.target)}` is empty or no text")
    kind = line.content[0].default if line.content and not line.content[0].steps else ""
    if line.role is Role.COMMAND:
        return Want(line.capability, Role.COMMAND, kind or _DEFAULT_SHELL, command=text)
    if line.role is Role.CODE:
        return Want(line.capability, Role.CODE, kind, code=text)
    if len(text) > LONGEST_TARGET:
        return Want(line.capability, line.role, problem=f"`{shown(line.target)}` is longer than anything has a name")
    if line.role in (Role.PATH, Role.TREE) and text != text.strip():
        return Want(
            line.capability, line.role, problem=f"`{shown(line.target)}` has blanks around it, which some hosts cut off"
        )
    if line.role in (Role.GLOB, Role.NAMES):
        return _glob(line, event, text)
    if line.role is Role.SLASH:
        name, _, rest = text.strip().removeprefix("/").partition(" ")
        return Want(line.capability, Role.SKILL, name, content=rest, problem="" if name else "no command is named")
    return _with_content(Want(line.capability, line.role, text), line.content, event)


def _with_content(want: Want, fields: tuple[Field, ...], event: Event) -> Want:
    parts: list[str] = []
    for field in fields:
        found = values(field, event.args)
        if isinstance(found, Missing):
            return want._replace(problem=found.why)
        parts += map(as_text, found)
    return want._replace(content="\n".join(parts)) if parts else want


def _flag(line: Line, found: tuple[Any, ...]) -> Iterator[Want]:
    """Handle an argument that, if set (to a listed value, if any), lets the call do all of the capability."""
    listed = [field.default for field in line.content]
    if any(as_text(value) in listed if listed else value not in (False, "") for value in found):
        yield Want(line.capability, Role.ANY)


def _argv(line: Line, target: Field, found: tuple[Any, ...]) -> Iterator[Want]:
    for words in found:
        if isinstance(words, list | tuple) and words and all(isinstance(w, str) and "\0" not in w for w in words):
            yield Want(line.capability, Role.COMMAND, _DEFAULT_SHELL, command=shlex.join(words))
        else:
            yield Want(line.capability, Role.COMMAND, problem=f"`{shown(target)}` is not a list of words")


def _glob(line: Line, event: Event, pattern: str) -> Want:
    """Return the folder that contains all matches of a pattern: its parts before the first that is not a plain name."""
    role = Role.NAMES if line.role is Role.NAMES else Role.TREE
    base = texts(line.content[0], event.args) if line.content else ()
    if isinstance(base, Missing):
        return Want(line.capability, role, problem=base.why)
    parts = pattern.split("/")
    plain = next((place for place, part in enumerate(parts) if _WILD & set(part)), len(parts) - 1)
    if _LEAVES.search("/".join(parts[plain:])):
        return Want(line.capability, role, problem="the pattern leaves its folder after a wildcard")
    fixed = "/".join(parts[:plain]) or ("/" if pattern.startswith("/") else ".")
    if fixed.startswith(("/", "~")) or not base:
        return Want(line.capability, role, fixed)
    return Want(line.capability, role, base[0] if fixed == "." else f"{base[0].rstrip('/')}/{fixed}")
