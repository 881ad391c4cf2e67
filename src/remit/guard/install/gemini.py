"""Gemini CLI: hooks in the user's settings.json. Time-outs are in milliseconds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError
from remit.guard.hosts.gemini import BEFORE_TOOL, KINDS
from remit.guard.install import doctor as shared
from remit.guard.install import hook_file
from remit.guard.install.doctor import Found, closed, judge, opened
from remit.guard.install.model import Change, HookStatus, Site, Trap, no_managed
from remit.guard.install.settings_file import content, parse, real

if TYPE_CHECKING:
    from pathlib import Path


FORM = hook_file.HookFile("gemini", tuple(KINDS), unit=1000, matcher="*")


class GeminiInstaller:
    """Edits settings.json of the user."""

    name = FORM.host

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Install our client at every event."""
        no_managed(self.name, managed=managed)
        path = settings_path(site.home)
        if off := _turned_off(parse(content(path), path)):
            raise GuardError(f"`{path}` turns hooks off ({off})", f"remove {off} from it, then try again")
        return hook_file.install(FORM, path, site, managed=False)

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Remove our client from every event."""
        no_managed(self.name, managed=managed)
        return hook_file.uninstall(FORM, settings_path(site.home))

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return the status of the user's settings."""
        return (hook_file.standing(FORM, "user", settings_path(site.home)),)

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        hooks = hook_file.our_hooks(FORM, settings_path(site.home))
        harmless = {
            "session_id": "remit-doctor", "cwd": str(site.project), "hook_event_name": BEFORE_TOOL, "tool_name": "write_todos",
            "tool_input": {"todos": []},
        }  # fmt: skip
        return judge(
            FORM.host, _CHECKS, shared.InstalledHooks(FORM.host, site, FORM.events, hooks, BEFORE_TOOL, harmless)
        )


def settings_path(folder: Path) -> Path:
    """Return the settings file of the user or of a project."""
    return real(folder / ".gemini" / "settings.json")


def _turned_off(value: Mapping[str, Any]) -> str:
    config = value.get("hooksConfig")
    if not isinstance(config, dict):
        return ""
    return (
        "hooksConfig.enabled"
        if config.get("enabled") is False
        else "hooksConfig.disabled"
        if config.get("disabled")
        else ""
    )


def _files(ours: shared.InstalledHooks) -> list[tuple[Path, dict[str, Any]]]:
    paths = [settings_path(ours.site.home), settings_path(ours.site.project)]
    return [(path, parse(content(path), path)) for path in dict.fromkeys(paths)]


def _settings(ours: shared.InstalledHooks) -> Found:
    _files(ours)
    return closed("all files of settings can be read")


def _all_off(ours: shared.InstalledHooks) -> Found:
    for path, value in _files(ours):
        if off := _turned_off(value):
            return opened(f"`{path}` says so now ({off})")
    return opened("no setting says so now")


def _other_hooks(ours: shared.InstalledHooks) -> Found:
    for path, value in _files(ours):
        if hook_file.other_hooks(FORM, value, BEFORE_TOOL):
            return opened(f"there are some in `{path}`")
    return closed("there are none in the settings of the user and of this project")


_CHECKS: Mapping[str, Callable[[shared.InstalledHooks], Found]] = {
    "settings": _settings,
    "hooks": shared.check_hooks,
    "answer": shared.check_answer,
    "fail-open": shared.check_fail_open,
    "time-out": shared.check_time_out,
    "writable": shared.check_writable,
    "all-off": _all_off,
    "other-hooks": _other_hooks,
}
