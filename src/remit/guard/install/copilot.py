"""Copilot CLI: a file of our own among the user's hooks."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError
from remit.guard.hosts.copilot import BEFORE_TOOL, KINDS
from remit.guard.install import doctor as shared
from remit.guard.install.command import client_words, event_of
from remit.guard.install.doctor import Found, closed, judge, opened
from remit.guard.install.model import HOST_SECONDS, Change, HookStatus, Site, Trap, no_managed
from remit.guard.install.settings_file import content, own_files, parse, real, render

if TYPE_CHECKING:
    from pathlib import Path


HOST = "copilot"
EVENTS = tuple(KINDS)


class CopilotInstaller:
    """Writes hooks/remit.json of the user."""

    name = HOST

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Write our file."""
        no_managed(self.name, managed=managed)
        hooks = {event: [_hook(event, site)] for event in EVENTS}
        return own_files({our_path(site): render({"version": 1, "hooks": hooks}, None)})

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Remove our file."""
        no_managed(self.name, managed=managed)
        return own_files({our_path(site): None})

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return the status of our file."""
        path = our_path(site)
        try:
            found = {hook.event for hook in our_hooks(path)}
        except GuardError as error:
            return (HookStatus("user", path, (), EVENTS, error.message),)
        there, missing = ([event for event in EVENTS if (event in found) is there] for there in (True, False))
        return (HookStatus("user", path, tuple(there), tuple(missing)),)

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        harmless = {
            "sessionId": "remit-doctor", "timestamp": 0, "cwd": str(site.project), "toolName": "report_intent", "toolArgs": {},
        }  # fmt: skip
        try:
            hooks = our_hooks(our_path(site))
        except GuardError:
            hooks = ()
        return judge(HOST, _CHECKS, shared.InstalledHooks(HOST, site, EVENTS, hooks, BEFORE_TOOL, harmless))


def our_path(site: Site) -> Path:
    """Return the file that is ours alone."""
    return real(site.home / ".copilot" / "hooks" / "remit.json")


def our_hooks(path: Path) -> tuple[shared.Hook, ...]:
    """Return our hooks in a file of hooks."""
    return tuple(
        shared.Hook(event, hook["bash"], waits if isinstance(waits := hook.get("timeoutSec"), int | float) else None)
        for event, hook in _hooks(path)
        if event_of(hook.get("bash"), HOST) == event
    )


def _hook(event: str, site: Site) -> dict[str, Any]:
    return {"type": "command", "bash": shlex.join(client_words(HOST, event, site)), "timeoutSec": HOST_SECONDS}


def _hooks(path: Path) -> list[tuple[str, dict[str, Any]]]:
    hooks = parse(content(path), path).get("hooks")
    found = [(event, hook) for event, listed in (hooks.items() if isinstance(hooks, dict) else ()) for hook in listed]
    return [(event, hook) for event, hook in found if isinstance(hook, dict)]


def _other_hooks(ours: shared.InstalledHooks) -> Found:
    folders = (our_path(ours.site).parent, ours.site.project / ".github" / "hooks")
    for path in sorted(path for folder in folders for path in folder.glob("*.json")):
        if any(event == BEFORE_TOOL and event_of(hook.get("bash"), HOST) is None for event, hook in _hooks(path)):
            return opened(f"there are some in `{path}`")
    return closed("there are none of the user and of this project")


_CHECKS: Mapping[str, Callable[[shared.InstalledHooks], Found]] = {
    "hooks": shared.check_hooks,
    "answer": shared.check_answer,
    "fail-open": shared.check_fail_open,
    "time-out": shared.check_time_out,
    "writable": shared.check_writable,
    "other-hooks": _other_hooks,
    "prompts": shared.check_outside,
}
