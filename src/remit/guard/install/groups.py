"""Hooks of hosts that write them as Claude Code does: `{"Event": [{"matcher": …, "hooks": [{"type": "command", "command": …}]}]}`.

Ours stand last, in groups of their own: the places of others stay what they are, because Codex remembers trust by place.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError
from remit.guard.install.command import event_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
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
