"""Installing for a host whose hooks are commands in one JSON file: Codex and Gemini."""

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
    """Hooks with our group at each event, and no other of ours. Where it stands alone among ours, it stays in its place."""
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
    """Hooks without those of ours; a group or event that had no other is gone."""
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
    """Every hook: its event, the number of its group and its own, the group's matcher, and the hook."""
    for event, groups in hooks.items() if isinstance(hooks, dict) else ():
        for number, group in enumerate(groups if isinstance(groups, list) else ()):
            for place, hook in enumerate(_inner(group)):
                if isinstance(hook, dict):
                    yield event, number, place, group.get("matcher"), hook


def asks_at(hook: Any, host: str) -> str:
    """The event for which a hook asks our client; empty if it is not ours. What follows a dot is told beside the event."""
    if not isinstance(hook, dict) or hook.get("type") != "command":
        return ""
    return (event_of(hook.get("command"), host) or "").partition(".")[0]


def _is_groups(groups: Any) -> bool:
    return isinstance(groups, list) and all(isinstance(group, dict) for group in groups)


def _inner(group: Any) -> list[Any]:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return hooks if isinstance(hooks, list) else []


_ANY = (None, "", "*")  # matchers that leave nothing out


class HookFile(NamedTuple):
    """How one host writes its hooks."""

    host: str
    events: tuple[str, ...]
    unit: int = 1  # of time-outs, in a second
    matcher: str = ""  # for any tool; empty: none is written
    shorter: Mapping[str, int] = {}  # seconds after which the host gives up on some events, if it takes no more

    def ours(self, site: Site, *, state: bool = True) -> dict[str, dict[str, Any]]:
        """Our group at each event. The state folder of managed hooks is each user's own."""
        return {event: self._group(event, site, state=state) for event in self.events}

    def _group(self, event: str, site: Site, *, state: bool) -> dict[str, Any]:
        seconds = self.shorter.get(event, HOST_SECONDS)
        words = client_words(self.host, event, site, state=state)
        if event in self.shorter:
            words[words.index(event) + 1] = str(seconds - 1)  # our client must give up before the host does
        hook = {"type": "command", "command": shlex.join(words), "timeout": seconds * self.unit}
        return {"matcher": self.matcher, "hooks": [hook]} if self.matcher else {"hooks": [hook]}


def install(form: HookFile, path: Path, site: Site, *, managed: bool) -> tuple[Change, ...]:
    """Our client at every event; nothing to do if it stands there as it should."""
    file = read_settings(path)
    hooks = file.value.get("hooks")
    wanted = file.value | {
        "hooks": with_ours(file.value.get("hooks", {}), form.ours(site, state=not managed), form.host, path)
    }
    return file.changed(wanted, ours=_is_asked(form, hooks), mode=0o644 if managed else 0o600)


def uninstall(form: HookFile, path: Path) -> tuple[Change, ...]:
    """Our client at no event. A file that is again what it was before is the same to the byte."""
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
    """Whether our client is asked about every event, whatever the tool, and long enough."""
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
    """Our hooks in a file that can be read; none in one that cannot."""
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
    """Whether somebody else is asked at an event, too."""
    return any(found == event and not asks_at(hook, form.host) for found, *_, hook in placed(value.get("hooks")))
