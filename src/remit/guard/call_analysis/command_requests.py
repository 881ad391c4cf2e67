"""From the analysis of a command to the requests of a call, its doubts, and the skills that it runs or loads.

- A file that cannot be named is a doubt: a person decides on the whole call.
- A package is requested by its name; which versions a project takes is not part of it. A package that is taken from elsewhere under
  that name (`name@npm:other`, `name @ https://…`) is requested as it is written.
- A credential in a variable that a script of the skill reads goes into that program and not to the agent. The variable must be
  granted by its own name (`env.read`); what the call prints is tracked as read from a secret.
- A variable that a simple command sets for itself is not a secret.
- A SKILL.md that does not exist is not loaded, unless the call itself may write it: then it is unknown what is loaded.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import FILE_WRITES
from remit.core.scope import ANY_SCOPE, ROOT, NameScope, PathScope, Scope, overlaps
from remit.core.scope.component import literal
from remit.core.sensitive import variable_of
from remit.guard.call_analysis.commands.model import Doubt

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands import Part, Understanding

_UNNAMED = frozenset({"file.read", "source.read", "file.write", "source.write"})
_READS = frozenset({"file.read", "source.read", "context.load"})
_SET = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_]*=[A-Za-z0-9_./:@%+,-]* +)+")
_VERSIONED = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*[<>=!~;\[@][^:/]*")


class CommandRequests(NamedTuple):
    """What is judged of a command."""

    parts: tuple[Part, ...]
    doubts: tuple[Doubt, ...]
    runs: tuple[str, ...]  # skills whose scripts it runs
    loads: tuple[str, ...]  # paths of SKILL.md that it reads
    credentials: tuple[str, ...]  # variables that scripts of skills read


def command_requests(known: Understanding, text: str = "") -> CommandRequests:
    """Return the parts of a command as they are judged. `text` is the command line, if it is one."""
    own = _set_by(text) if len(known.commands) == 1 else frozenset()
    doubts = [*known.doubts]
    writes = [part.scope for part in known.parts if part.capability in FILE_WRITES]
    parts: list[Part] = []
    loads: list[str] = []
    credentials: list[str] = []
    for part in known.parts:
        if part.capability in _UNNAMED and _is_anything(part.scope):
            doubts.append(Doubt(f"`{part.capability}` on files that cannot be determined", part.why, part.command))
            continue
        if part.capability == "env.read" and part.scope.render() in own:
            continue
        name = variable_of(part.scope) if part.capability == "secret.read" else ""
        if name and part.scripted and part.skill:
            credentials.append(name)
            continue
        parts.append(part._replace(scope=_plain(part.scope)) if part.capability == "package.install" else part)
        if _is_skill(part):
            path = part.scope.render()
            if os.path.lexists(path):
                loads.append(path)
            elif any(overlaps(scope, part.scope) for scope in writes):
                doubts.append(Doubt(f"`{path}` is read, and the call itself may write it"))
    runs = dict.fromkeys(part.skill for part in known.parts if part.skill)
    return CommandRequests(tuple(parts), tuple(doubts), tuple(runs), tuple(loads), tuple(credentials))


def _is_anything(scope: Scope) -> bool:
    """Whether a path is unknown from its first component on."""
    if isinstance(scope, PathScope):
        return scope.anchor == ROOT and bool(scope.parts) and literal(scope.parts[0]) is None
    return scope == ANY_SCOPE


def _set_by(text: str) -> frozenset[str]:
    """Return the variables that a simple command sets for itself: plain words before its program."""
    found = _SET.match(text)
    return frozenset(word.partition("=")[0] for word in found[0].split()) if found else frozenset()


def _plain(scope: Scope) -> Scope:
    """Return a package without its versions."""
    found = _VERSIONED.fullmatch(literal(scope.pattern) or "") if isinstance(scope, NameScope) else None
    return NameScope(found[1]) if found else scope


def _is_skill(part: Part) -> bool:
    scope = part.scope
    return (
        part.capability in _READS
        and isinstance(scope, PathScope)
        and bool(scope.parts)
        and scope.parts[-1].casefold() == "skill.md"
    )
