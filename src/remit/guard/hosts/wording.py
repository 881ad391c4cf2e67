"""From one line of a tool map and the arguments of a call to what the call would do."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING

from remit.guard.hosts.fields import Field, Missing, as_text, shown, texts, values
from remit.guard.hosts.want import Role, Want

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.guard.event import Event
    from remit.guard.hosts.toolmap import Line

LONGEST_TARGET = 4096
_DEFAULT_SHELL = "bash"
_WILD = frozenset("*?[]{}!()")  # a name with one of them may be a pattern
_LEAVES = re.compile(r"\.\.|[{,|(][/~]")  # `..`, and choices of which one begins elsewhere: `{/etc,a}`


def wanted(line: Line, event: Event) -> Iterator[Want]:
    """What one line says of a call: none if it is about an optional argument that is not there."""
    match line.role:
        case Role.NOTHING:
            return
        case Role.ANY | Role.TOOL:
            target = event.tool if line.role is Role.TOOL else ""
            yield _with_content(Want(line.capability, line.role, target), line.content, event)
        case Role.FLAG:
            yield from _flag(line, event)
        case Role.ARGV:
            yield from _argv(line, event)
        case _:
            assert line.target is not None
            found = texts(line.target, event.args)
            if isinstance(found, Missing):
                yield Want(line.capability, line.role, problem=found.why)
                return
            for text in found:
                yield _one(line, event, text)


def _one(line: Line, event: Event, text: str) -> Want:
    """What one text of the target field means."""
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


def _flag(line: Line, event: Event) -> Iterator[Want]:
    """An argument that is set, to one of the listed values if there are any: whoever sets it may do all of the capability."""
    assert line.target is not None
    found = values(line.target, event.args)  # whose field is optional (`toolmap.py`)
    listed = [field.default for field in line.content]
    if isinstance(found, Missing):
        yield Want(line.capability, Role.ANY, problem=found.why)
    elif any(as_text(value) in listed if listed else value not in (False, "") for value in found):
        yield Want(line.capability, Role.ANY)


def _argv(line: Line, event: Event) -> Iterator[Want]:
    assert line.target is not None
    found = values(line.target, event.args)
    if isinstance(found, Missing):
        yield Want(line.capability, Role.COMMAND, problem=found.why)
        return
    for words in found:
        if isinstance(words, list | tuple) and words and all(isinstance(w, str) and "\0" not in w for w in words):
            yield Want(line.capability, Role.COMMAND, _DEFAULT_SHELL, command=shlex.join(words))
        else:
            yield Want(line.capability, Role.COMMAND, problem=f"`{shown(line.target)}` is not a list of words")


def _glob(line: Line, event: Event, pattern: str) -> Want:
    """The folder in which all that a pattern can match lies: its parts before the first that is no plain name."""
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
