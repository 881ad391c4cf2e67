"""Installation for hosts whose hooks are commands in one JSON file: Codex and Gemini."""

from __future__ import annotations

import copy
import shlex
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from remit.core.errors import GuardError
from remit.guard.install.doctor import Hook
from remit.guard.install.model import HOST_SECONDS, Change, HookStatus, Site, Trap, client_words, event_of, hook_status
from remit.guard.install.settings_file import content, parse, read_settings

Hooks = dict[str, Any]


def with_ours(hooks: Any, ours: Mapping[str, Hooks], host: str, path: Path) -> Hooks:
    """Return hooks with our group at each event, in place of older ones; one that stands alone keeps its place."""
    lists = list(hooks.values()) if isinstance(hooks, dict) else [None]
    if not all(isinstance(groups, list) and all(isinstance(group, dict) for group in groups) for groups in lists):
        message = f"`{path}` has hooks of a form that the host does not know"
        raise GuardError(message, "correct the file, then try again")
    found = without_ours(hooks, host)
    for event, group in ours.items():
        groups = hooks.get(event, [])
        stands = [one for one in groups if any(asks_at(hook, host) for hook in _inner(one))] == [group]
        found[event] = groups if stands else [*found.get(event, []), group]
    return copy.deepcopy(found)


def without_ours(hooks: Any, host: str) -> Hooks:
    """Return hooks without ours; groups and events that become empty are removed."""
    found: Hooks = {}
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        kept = []
        for group in groups if isinstance(groups, list) else ():
            inner = _inner(group)
            others = [hook for hook in inner if not asks_at(hook, host)]
            if len(others) == len(inner):
                kept.append(group)
            elif others:
                kept.append(group | {"hooks": others})
        if kept or not groups:
            found[event] = kept
    return found


def placed(hooks: Any) -> Iterator[tuple[str, int, int, Any, Hooks]]:
    """Return every hook: its event, the number of its group and its own, the group's matcher, and the hook."""
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            for place, hook in enumerate(_inner(group)):
                if isinstance(hook, dict):
                    yield event, number, place, group.get("matcher"), hook


def asks_at(hook: Any, host: str) -> str:
    """Return the event for which a hook calls our client, without what follows a dot; empty if it is not ours."""
    if not isinstance(hook, dict) or hook.get("type") != "command":
        return ""
    return (event_of(hook.get("command"), host) or "").partition(".")[0]


def _inner(group: Any) -> list[Any]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


class HookFile(ABC):
    """The installer of a host whose hooks are in one file, for one user or also managed for all."""

    name: ClassVar[str]
    events: ClassVar[tuple[str, ...]]
    places: ClassVar[tuple[str, ...]]  # `managed`, `user`
    unit: ClassVar[int] = 1  # units of a time-out in one second
    matcher: ClassVar[str] = ""  # for any tool; empty: the field is omitted
    shorter: ClassVar[
        Mapping[str, int]
    ] = {}  # seconds after which the host gives up on some events, if less than usual

    @abstractmethod
    def path(self, site: Site, *, managed: bool) -> Path:
        """Return the file that is edited."""

    @abstractmethod
    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Install our client at every event; no change if it is already there as it should be."""
        file = read_settings(self.path(site, managed=managed))
        hooks = file.value.get("hooks", {})
        ours = {event: self._group(event, site, state=not managed) for event in self.events}
        wanted = file.value | {"hooks": with_ours(hooks, ours, self.name, file.path)}
        return file.changed(wanted, ours=self._is_asked(hooks), mode=0o644 if managed else 0o600)

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Remove our client from every event. A file with its former content is restored byte for byte."""
        file = read_settings(self.path(site, managed=managed))
        hooks = file.value.get("hooks")
        if not self._is_asked(hooks):
            return ()
        wanted = file.value | {"hooks": without_ours(hooks, self.name)}
        if not wanted["hooks"] and "hooks" not in file.earlier:
            del wanted["hooks"]
        return file.restored(wanted)

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Whether our client is called for every event and tool."""
        paths = [(place, self.path(site, managed=place == "managed")) for place in self.places]
        return tuple(hook_status(place, path, self.events, partial(self._asked, path)) for place, path in paths)

    def our_hooks(self, path: Path) -> tuple[Hook, ...]:
        """Return our hooks in a file; none if it is unreadable."""
        found = []
        with suppress(GuardError):
            for event, hook in self._ours(path):
                waits = hook.get("timeout")
                waits = waits / self.unit if isinstance(waits, int | float) else None
                found.append(Hook(event, hook["command"], waits))
        return tuple(found)

    def other_hooks(self, value: Mapping[str, Any], event: str) -> bool:
        """Whether an event has hooks of others, too."""
        return any(found == event and not asks_at(hook, self.name) for found, *_, hook in placed(value.get("hooks")))

    def _ours(self, path: Path) -> Iterator[tuple[str, Hooks]]:
        for event, _, _, matcher, hook in placed(parse(content(path), path).get("hooks")):
            if asks_at(hook, self.name) == event and matcher in (None, "", "*"):  # it matches everything
                yield event, hook

    def _asked(self, path: Path) -> set[str]:
        return {event for event, _ in self._ours(path)}

    def _is_asked(self, hooks: Any) -> bool:
        return any(asks_at(hook, self.name) for *_, hook in placed(hooks))

    def _group(self, event: str, site: Site, *, state: bool) -> dict[str, Any]:
        seconds = self.shorter.get(event, HOST_SECONDS)
        words = client_words(self.name, event, site, state=state)
        if event in self.shorter:
            words[words.index(event) + 1] = str(seconds - 1)  # our client must give up before the host does
        hook = {"type": "command", "command": shlex.join(words), "timeout": seconds * self.unit}
        return {"matcher": self.matcher, "hooks": [hook]} if self.matcher else {"hooks": [hook]}
