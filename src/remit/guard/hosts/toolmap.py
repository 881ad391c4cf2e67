"""What the tools of a host do: `data/hosts/<host>.table`, read once, and applied to calls.

A tool that no line names is `tool.invoke(name)`. Arguments that are not as the table expects them make a want that cannot be
granted: what we do not understand is never passed over.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import vocabulary
from remit.core.errors import DataError
from remit.core.table import read_table
from remit.guard.event import Kind, content_digest
from remit.guard.hosts.fields import Field, parse_field
from remit.guard.hosts.want import Role, Want
from remit.guard.hosts.wording import wanted

if TYPE_CHECKING:
    from collections.abc import Mapping

    from remit.core.table import Row
    from remit.guard.event import Event

FOLDER = Path(__file__).parents[1] / "data" / "hosts"
_UNKNOWN = "tool.invoke"
_CALLS = frozenset({Kind.BEFORE, Kind.AFTER, Kind.FAILED})
_REMEMBERED, _SHORT = 1024, 4000  # calls, and characters of one that is remembered
_TARGETLESS = (Role.NOTHING, Role.ANY, Role.TOOL)


class Line(NamedTuple):
    """One line of a table: one thing that a tool does."""

    tool: str  # a name, or the beginning of one and `*`
    capability: str
    role: Role
    target: Field | None
    content: tuple[Field, ...]
    where: str


class ToolMap(NamedTuple):
    """All lines of a host."""

    exact: Mapping[str, tuple[Line, ...]]
    patterns: tuple[tuple[str, tuple[Line, ...]], ...]  # the beginning of names, the longest first

    def lines(self, tool: str) -> tuple[Line, ...]:
        """What a tool does; nothing if it is not known."""
        if tool in self.exact:
            return self.exact[tool]
        return next((lines for start, lines in self.patterns if tool.startswith(start)), ())


def wants(event: Event) -> tuple[Want, ...]:
    """What an event would do. Empty only for what does nothing to the world: a plan, a question, a notice."""
    global _newest  # noqa: PLW0603  (several parts ask this of one event, one after the other)
    of, known = _newest
    if of is not event:
        known = _known_wants(event) if event.tool and event.kind in _CALLS else _wants(event)
        _newest = event, known
    return known


_newest: tuple[Event | None, tuple[Want, ...]] = None, ()
_known: dict[str, tuple[Want, ...]] = {}


def _known_wants(event: Event) -> tuple[Want, ...]:
    """What a call would do hangs on the host, the tool and the arguments alone, and is asked about before it runs and afterwards."""
    content = content_digest(event)
    found = _known.get(content)
    if found is None:
        found = _wants(event)
        if sum(map(_size, found)) <= _SHORT:
            if len(_known) >= _REMEMBERED:
                _known.clear()
            _known[content] = found
    return found


def _size(want: Want) -> int:
    return len(want.target) + len(want.command) + len(want.code) + len(want.content or "")


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


@cache
def tool_map(host: str) -> ToolMap:
    """The table of a host. One without a table has no tools that are known."""
    path = FOLDER / f"{host}.table"
    return load(path) if path.is_file() else ToolMap({}, ())


def load(path: Path) -> ToolMap:
    """Read a table; an unknown capability or role, or a field that cannot be, is refused with its line."""
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


def _line(row: Row) -> Line:
    tool, capability, role, target, content, meaning = row.cells
    fields = [parse_field(word) for word in content.split()]
    where = parse_field(target) if target else None
    problem = (
        "a tool has a name and a meaning" if not (tool and meaning)
        else "`*` stands only at the end of a name" if "*" in tool[:-1]
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
        where = where._replace(optional=True)  # one that is not there is not set
    return Line(tool, capability, Role(role), where, tuple(field for field in fields if field), row.where)


def _same(one: Line, other: Line) -> bool:
    return one._replace(where="", content=()) == other._replace(where="", content=())


def _wrong(row: Row, problem: str) -> DataError:
    return DataError(f"{row.where}: {problem}", "correct the line; the head of claude-code.table says what cells mean")
