"""opencode: our plugin in the user's plugin folder, which the host loads as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from remit.guard.hosts.opencode import BEFORE_TOOL, KINDS
from remit.guard.install import doctor as shared
from remit.guard.install.doctor import Found, closed, judge, opened
from remit.guard.install.model import Change, HookStatus, Site, Trap, no_managed
from remit.guard.install.plugin import check_plugin, ours_of, plugin_hooks, plugin_text
from remit.guard.install.settings_file import content, own_files, real

if TYPE_CHECKING:
    from pathlib import Path


HOST = "opencode"
EVENTS = tuple(KINDS)
_FOLDERS = ("plugin", "plugins")


class OpencodeInstaller:
    """Writes plugin/remit.js of the user."""

    name = HOST

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Write our plugin."""
        no_managed(self.name, managed=managed)
        return own_files({plugin_path(site): plugin_text(HOST, site)})

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Remove our plugin."""
        no_managed(self.name, managed=managed)
        return own_files({plugin_path(site): None})

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return the status of our plugin."""
        path = plugin_path(site)
        there = bool(plugin_hooks(path, EVENTS, 0))
        return (HookStatus("user", path, EVENTS if there else (), () if there else EVENTS),)

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        harmless = {
            "directory": str(site.project), "input": {"tool": "todowrite", "sessionID": "remit-doctor", "callID": "remit-doctor"},
            "output": {"args": {"todos": []}},
        }  # fmt: skip
        return judge(HOST, _CHECKS, ours_of(HOST, site, plugin_path(site), (BEFORE_TOOL,), harmless))


def plugin_path(site: Site) -> Path:
    """Return the file that is ours alone."""
    return real(site.home / ".config" / "opencode" / "plugin" / "remit.js")


def _other_plugins(ours: shared.InstalledHooks) -> Found:
    own = plugin_path(ours.site)
    bases = (own.parent.parent, ours.site.project / ".opencode")
    files = [path for base in bases for name in _FOLDERS for path in (base / name).glob("*.[jt]s")]
    others = sorted(str(path) for path in files if real(path) != own)
    settings = (*(base / "opencode.json" for base in bases), ours.site.project / "opencode.json")
    others += [str(path) for path in settings if _value(path).get("plugin")]
    return (
        opened(f"there is one in `{others[0]}`") if others else closed("there are none of the user and of this project")
    )


def _value(path: Path) -> Mapping[str, Any]:
    """Return settings, if they are plain JSON; settings with comments may name plugins too."""
    try:
        value = json.loads(content(path) or b"{}")
    except ValueError:
        return {"plugin": "unknown"}
    return value if isinstance(value, dict) else {}


_CHECKS: Mapping[str, Callable[[shared.InstalledHooks], Found]] = {
    "plugin": lambda ours: check_plugin(ours, plugin_path(ours.site)),
    "answer": shared.check_answer,
    "fail-open": shared.check_fail_open,
    "writable": shared.check_writable,
    "other-plugins": _other_plugins,
    "pure": shared.check_outside,
    "commands": shared.check_outside,
}
