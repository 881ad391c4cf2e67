"""Guarantees that Remit gives for a program, held against what the program was seen to do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from harness.ambient import is_ambient
from harness.predict import of_repository
from remit.core.scope import HOME, ROOT, WORKSPACE, PathScope
from remit.core.scope.component import escape
from remit.core.sensitive import sensitive
from remit.findings.guarantees import guarantees

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from harness.observe import Event
    from harness.predict import Given
    from harness.sandbox import Place
    from remit.analysis.result import Effects

_SETTINGS = frozenset(
    {"memory.write", "policy.expand", "policy.restrict", "hook.install", "skill.install", "profile.write"}
)


def broken(events: Iterable[Event], effects: Effects, place: Place, given: Given) -> list[Event]:
    """The events that a guarantee without a condition rules out, each with the guarantee in its words."""
    held = {item.ident: item for item in guarantees(effects) if item.about}
    found = []
    for event in events:
        if not is_ambient(event, place) and not of_repository(event, effects, place):
            hosts = held["only-hosts"].hosts if "only-hosts" in held else ()
            denied = held.keys() & set(_denied_by(event, place, given, hosts))
            found += [event._replace(raw=f"breaks `{ident}`: {event.raw}") for ident in sorted(denied)]
    return found


def _denied_by(event: Event, place: Place, given: Given, hosts: Iterable[str]) -> Iterator[str]:
    """The guarantees that an event would break."""
    name, target = event.capability, event.object
    if name.startswith("net."):
        yield from ("no-network", "only-installs")
        local = "localhost" if target.rpartition(":")[0] in ("127.0.0.1", "::1") else target.rpartition(":")[0]
        if not {local, target.rpartition(":")[0]} & set(hosts):
            yield "only-hosts"
    elif name == "process.create":
        yield "no-programs"
    elif name == "file.delete" and not _below(target, [str(place.tmp)]):
        yield "deletes-no-files"
    elif name == "file.read":
        if "secret.read" in _meanings("file.read", target, place):
            yield "no-secrets"
        named = [os.path.join(place.work, value) for value in (*given.args, *given.env.values(), *given.stdin.split())]
        if not _below(target, [str(place.skill), str(place.tmp), *named]):
            yield "reads-named-files"
    elif name == "file.write" and _SETTINGS & _meanings("file.write", target, place):
        yield "no-agent-settings"


def _below(path: str, folders: Iterable[str]) -> bool:
    return any(path == (top := os.path.normpath(folder)) or path.startswith(f"{top}/") for folder in folders)


def _meanings(capability: str, path: str, place: Place) -> frozenset[str]:
    """What it means to read or write a path, wherever it is looked at from."""
    roots = ((HOME, str(place.home)), (WORKSPACE, str(place.work)), (ROOT, ""))
    scopes = [
        PathScope(anchor, tuple(map(escape, path.removeprefix(f"{top}/").split("/"))))
        for anchor, top in roots
        if path.startswith(f"{top}/")
    ]
    return frozenset(name for scope in scopes for name in sensitive(capability, scope))
