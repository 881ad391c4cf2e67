"""What was predicted, bound to one run, and which events it covers."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from harness.ambient import is_ambient
from remit.analysis.session import analyse
from remit.core.capability import vocabulary
from remit.core.scope import (
    HOME,
    ROOT,
    SKILL,
    TEMP,
    WORKSPACE,
    AnyScope,
    HostScope,
    NameScope,
    PathScope,
    Scope,
    ScopeKind,
    SymbolScope,
    covers,
)
from remit.core.scope.component import escape, match
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from harness.observe import Event
    from harness.sandbox import Place
    from remit.analysis.result import Effects
    from remit.core.effect import Effect

STARTING = frozenset(
    {"process.create", "shell.execute", "source.execute", "repl.create", "repl.execute", "container.run"}
)


class Given(NamedTuple):
    """What the caller of the run chose."""

    args: tuple[str, ...] = ()
    env: Mapping[str, str] = {}
    stdin: str = ""


def predict(place: Place) -> Effects:
    """The analysis of the skill."""
    return analyse(load_skill(place.skill))


def unpredicted(events: Iterable[Event], effects: Effects, place: Place, given: Given) -> list[Event]:
    """The events that lie outside of the prediction. An opaque place may do anything."""
    if effects.opaque:
        return []
    return [
        event
        for event in events
        if not is_ambient(event, place)
        and not covered(event, effects.effects, place, given)
        and not of_repository(event, effects, place)
    ]


def covered(event: Event, effects: Iterable[Effect], place: Place, given: Given) -> bool:
    """Whether an effect speaks of the event."""
    return any(_speaks(effect, event, place) and _within(effect.scope, event, place, given) for effect in effects)


def of_repository(event: Event, effects: Effects, place: Place) -> bool:
    """What git does to its own files if a commit is made, and to those of the work folder if one is read; hooks and settings are
    no part of that."""
    said = {effect.capability for effect in effects.effects if effect.capability.startswith("commit.")}
    if event.capability in ("file.read", "file.list"):
        return bool(said) and event.object.startswith(f"{place.work}/")
    inner = event.object.removeprefix(f"{place.work}/.git/")
    settings = inner.startswith(("hooks", "config", "info/exclude", "info/attributes"))
    return "commit.create" in said and inner != event.object and not settings


def _speaks(effect: Effect, event: Event, place: Place) -> bool:
    name, seen = effect.capability, event.capability
    if seen == "process.create":
        return name in STARTING or name == "package.install"
    if seen.startswith("net."):
        if name.startswith(("container.", "db.")):  # a cluster or a database may be a server
            return seen == "net.connect"
        return vocabulary()[name].scope_kind is ScopeKind.HOST and (name == "net.listen") == (seen == "net.listen")
    if vocabulary()[name].scope_kind is not ScopeKind.PATH:
        return False
    action, wanted = name.partition(".")[2], seen.partition(".")[2]
    if wanted == "list":  # whoever deletes, copies or reads a tree walks through it
        return True
    if wanted == "read" and action == "execute":  # what is run is read
        return True
    # the mode of a file that the run has made belongs to making it
    if wanted == "chmod" and action == "write":
        return event.object not in {f"{place.work}/{name}" for name in place.existing}
    # sensitive places are named by their own classes, which speak of the same actions
    return action == wanted or (wanted == "write" and action in ("install", "create", "expand", "restrict"))


def _within(scope: Scope, event: Event, place: Place, given: Given) -> bool:
    if isinstance(scope, AnyScope):
        return True
    if event.capability == "process.create":
        return _program(scope, event.object, place, given)
    if event.capability.startswith("net."):
        return _host(scope, event.object)
    return any(_path(bound, event) for bound in bindings(scope, place, given))


def bindings(scope: Scope, place: Place, given: Given) -> list[Scope]:
    """A scope with its anchor replaced by what it stands for in this run."""
    if isinstance(scope, SymbolScope) or not isinstance(scope, PathScope):
        return [scope]
    roots = {
        ROOT: ["/"], HOME: [str(place.home)], WORKSPACE: [str(place.work)], SKILL: [str(place.skill)], TEMP: [str(place.tmp)],
        "<arg>": [os.path.join(place.work, arg) for arg in given.args],
    }  # fmt: skip
    if scope.symbol.startswith("<env:"):
        value = given.env.get(scope.symbol[5:-1])
        roots[scope.symbol] = [os.path.join(place.work, value)] if value else []
    found = roots.get(scope.symbol or scope.anchor)
    if found is None:
        return [PathScope(ROOT, ("**",))]
    if scope.is_beside:  # `a/` is in `a` for some programs, and beside it for others
        found = [os.path.dirname(path) for root in found for path in (root, os.path.normpath(root))]
    return [PathScope(ROOT, (*_parts(root), *scope.parts)) for root in found]


def _parts(path: str) -> tuple[str, ...]:
    return tuple(escape(part) for part in os.path.normpath(path).split("/") if part)


def _path(grant: Scope, event: Event) -> bool:
    if covers(grant, PathScope(ROOT, _parts(event.object))):
        return True
    if isinstance(grant, PathScope):
        below = PathScope(ROOT, (*_parts(event.object), "**"))
        if event.capability == "file.list":
            return _reaches(grant, event.object)
        # making the missing parents of a path belongs to making the path (assumption `parent-folders`)
        return event.raw.startswith(("mkdir", '["os.mkdir')) and (_reaches(grant, event.object) or covers(grant, below))
    return False


def _reaches(grant: PathScope, folder: str) -> bool:
    """Whether something that the grant names may lie below a folder."""
    parts = [part for part in folder.split("/") if part]
    for want, have in zip(grant.parts, parts, strict=False):
        if want == "**":
            return True
        if not match(want, have):
            return False
    return len(grant.parts) >= len(parts)


def _program(scope: Scope, program: str, place: Place, given: Given) -> bool:
    if isinstance(scope, NameScope):
        # a bare name is looked up in the folders of the system: it says nothing about a program that lies in another one
        own = any(program.startswith(f"{folder}/") for folder in (place.work, place.skill, place.tmp, place.home))
        return match(scope.pattern, program) or (not own and match(scope.pattern, os.path.basename(program)))
    if isinstance(scope, SymbolScope):
        return True
    full = os.path.join(place.work, program)
    return any(covers(bound, PathScope(ROOT, _parts(full))) for bound in bindings(scope, place, given))


def _host(scope: Scope, shown: str) -> bool:
    if not isinstance(scope, HostScope):
        return True
    host, _, port = shown.rpartition(":")
    same = scope.host in (host, "*") or (scope.host == "localhost" and host in ("127.0.0.1", "::1"))
    return same and scope.port in (None, int(port))


__all__ = ["Given", "covered", "of_repository", "predict", "unpredicted"]
