"""Installation for hosts whose hooks are commands in one JSON file: Codex and Gemini."""

from __future__ import annotations

import copy
import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.install.command import client_words, event_of
from remit.guard.install.doctor import Hook
from remit.guard.install.model import HOST_SECONDS, Change, HookStatus, Site
from remit.guard.install.settings_file import content, parse, read_settings

if TYPE_CHECKING:
    from pathlib import Path


Hooks = dict[str, Any]


def with_ours(hooks: Any, ours: Mapping[str, Hooks], host: str, path: Path) -> Hooks:
    """Return hooks with our group at each event, replacing other groups of ours. If only our group stands there, it
    keeps its place.
    """
    if not isinstance(hooks, dict) or not all(_is_groups(groups) for groups in hooks.values()):
        raise GuardError(
            f"`{path}` has hooks of a form that the host does not know", "correct the file, then try again"
        )
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
    """Return the event for which a hook calls our client; empty if it is not ours. The part after a dot is additional
    information.
    """
    if not isinstance(hook, dict) or hook.get("type") != "command":
        return ""
    return (event_of(hook.get("command"), host) or "").partition(".")[0]


def _is_groups(groups: Any) -> bool:
    return isinstance(groups, list) and all(isinstance(group, dict) for group in groups)


def _inner(group: Any) -> list[Any]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


_ANY = (None, "", "*")  # matchers that match everything


class HookFile(NamedTuple):
    """How one host writes its hooks."""

    host: str
    events: tuple[str, ...]
    unit: int = 1  # units of a time-out in one second
    matcher: str = ""  # for any tool; empty: the field is omitted
    shorter: Mapping[str, int] = {}  # seconds after which the host gives up on some events, if less than usual

    def ours(self, site: Site, *, state: bool = True) -> dict[str, dict[str, Any]]:
        """Return our group at each event. Managed hooks use each user's own state folder."""
        return {event: self._group(event, site, state=state) for event in self.events}

    def _group(self, event: str, site: Site, *, state: bool) -> dict[str, Any]:
        seconds = self.shorter.get(event, HOST_SECONDS)
        words = client_words(self.host, event, site, state=state)
        if event in self.shorter:
            words[words.index(event) + 1] = str(seconds - 1)  # our client must give up before the host does
        hook = {"type": "command", "command": shlex.join(words), "timeout": seconds * self.unit}
        return {"matcher": self.matcher, "hooks": [hook]} if self.matcher else {"hooks": [hook]}


def install(form: HookFile, path: Path, site: Site, *, managed: bool) -> tuple[Change, ...]:
    """Install our client at every event; no change if it is already there as it should be."""
    file = read_settings(path)
    hooks = file.value.get("hooks")
    wanted = file.value | {
        "hooks": with_ours(file.value.get("hooks", {}), form.ours(site, state=not managed), form.host, path)
    }
    return file.changed(wanted, ours=_is_asked(form, hooks), mode=0o644 if managed else 0o600)


def uninstall(form: HookFile, path: Path) -> tuple[Change, ...]:
    """Remove our client from every event. A file with its former content is restored byte for byte."""
    file = read_settings(path)
    hooks = file.value.get("hooks")
    if not _is_asked(form, hooks):
        return ()
    wanted = file.value | {"hooks": without_ours(hooks, form.host)}
    if not wanted["hooks"] and "hooks" not in file.earlier:
        del wanted["hooks"]
    return file.restored(wanted)


def _is_asked(form: HookFile, hooks: Any) -> bool:
    return any(asks_at(hook, form.host) for *_, hook in placed(hooks))


def standing(form: HookFile, place: str, path: Path) -> HookStatus:
    """Whether our client is called for every event and tool, with enough time."""
    try:
        value = parse(content(path), path)
    except GuardError as error:
        return HookStatus(place, path, (), form.events, error.message)
    events = {
        event
        for event, *_, matcher, hook in placed(value.get("hooks"))
        if asks_at(hook, form.host) == event and matcher in _ANY
    }
    return HookStatus(
        place,
        path,
        tuple(event for event in form.events if event in events),
        tuple(event for event in form.events if event not in events),
    )


def our_hooks(form: HookFile, path: Path) -> tuple[Hook, ...]:
    """Return our hooks in a file; none if it is unreadable."""
    try:
        hooks = parse(content(path), path).get("hooks")
    except GuardError:
        return ()
    found = []
    for event, _, _, matcher, hook in placed(hooks):
        if asks_at(hook, form.host) == event and matcher in _ANY:
            waits = hook.get("timeout")
            found.append(Hook(event, hook["command"], waits / form.unit if isinstance(waits, int | float) else None))
    return tuple(found)


def other_hooks(form: HookFile, value: Mapping[str, Any], event: str) -> bool:
    """Whether an event has hooks of others, too."""
    return any(found == event and not asks_at(hook, form.host) for found, *_, hook in placed(value.get("hooks")))
