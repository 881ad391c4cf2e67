"""OpenClaw: our plugin in a folder of its own, registered in openclaw.json."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError
from remit.guard.hosts.openclaw import BEFORE_TOOL, KINDS
from remit.guard.install import doctor as shared
from remit.guard.install.doctor import Found, closed, judge, opened
from remit.guard.install.model import Change, HookStatus, Site, Trap, no_managed
from remit.guard.install.plugin import check_plugin, ours_of, plugin_text
from remit.guard.install.settings_file import content, own_files, parse, read_settings, real
from remit.version import VERSION

if TYPE_CHECKING:
    from pathlib import Path


HOST = "openclaw"
ID = "remit"
EVENTS = tuple(KINDS)
_ENTRY = {"enabled": True, "hooks": {"allowConversationAccess": True}}


class OpenclawInstaller:
    """Writes the plugin, and edits openclaw.json."""

    name = HOST

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Write our plugin, and register it with the host."""
        no_managed(self.name, managed=managed)
        file = read_settings(config_path(site))
        ours = _without_ours(file.value, site) != file.value
        return (*own_files(_files(site)), *file.changed(_with_ours(file.value, site, file.path), ours=ours))

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Unregister our plugin, then remove it."""
        no_managed(self.name, managed=managed)
        file = read_settings(config_path(site))
        return (*file.restored(_without_ours(file.value, site)), *own_files(dict.fromkeys(_files(site))))

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return the status of the host's settings."""
        path = config_path(site)
        try:
            value = parse(content(path), path)
            there = _with_ours(value, site, path) == value and content(plugin_folder(site) / "index.js") is not None
        except GuardError as error:
            return (HookStatus("user", path, (), EVENTS, error.message),)
        return (HookStatus("user", path, EVENTS if there else (), () if there else EVENTS),)

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        harmless = {
            "workspace": str(site.project), "context": {"sessionId": "remit-doctor"},
            "event": {"toolName": "session_status", "params": {}, "toolCallId": "remit-doctor"},
        }  # fmt: skip
        return judge(HOST, _CHECKS, ours_of(HOST, site, plugin_folder(site) / "index.js", (BEFORE_TOOL,), harmless))


def config_path(site: Site) -> Path:
    """Return the file that is edited."""
    return real(site.home / ".openclaw" / "openclaw.json")


def plugin_folder(site: Site) -> Path:
    """Return the folder that is ours alone."""
    return site.home / ".openclaw" / "remit-plugin"


def _files(site: Site) -> dict[Path, bytes | None]:
    folder = plugin_folder(site)
    package = {"name": "remit-plugin", "version": VERSION, "type": "module", "openclaw": {"extensions": ["./index.js"]}}
    schema = {"type": "object", "additionalProperties": False}
    manifest = {"id": ID, "name": "Remit", "activation": {"onStartup": True}, "configSchema": schema}
    return {
        folder / "package.json": (json.dumps(package, indent=2) + "\n").encode(),
        folder / "openclaw.plugin.json": (json.dumps(manifest, indent=2) + "\n").encode(),
        folder / "index.js": plugin_text(HOST, site),
    }


def _with_ours(value: Mapping[str, Any], site: Site, path: Path) -> dict[str, Any]:
    wanted = copy.deepcopy(dict(value))
    try:
        plugins = wanted.setdefault("plugins", {})
        if plugins.get("enabled") is False or ID in plugins.get("deny", ()):
            raise GuardError(f"`{path}` turns plugins off", "take that out of it, then try again")
        paths = plugins.setdefault("load", {}).setdefault("paths", [])
        if str(plugin_folder(site)) not in paths:
            paths.append(str(plugin_folder(site)))
        plugins.setdefault("entries", {})[ID] = copy.deepcopy(_ENTRY)
        if plugins.get("allow") and ID not in plugins["allow"]:
            plugins["allow"].append(ID)
    except (AttributeError, TypeError):
        raise GuardError(
            f"`{path}` has plugins of a form that we do not know", "correct the file, then try again"
        ) from None
    return wanted


def _without_ours(value: Mapping[str, Any], site: Site) -> dict[str, Any]:
    """Return settings without what we added; what becomes empty is removed."""
    wanted = copy.deepcopy(dict(value))
    plugins = wanted.get("plugins")
    if not isinstance(plugins, dict):
        return wanted
    for holder, name, ours in ((plugins.get("load"), "paths", str(plugin_folder(site))), (plugins, "allow", ID)):
        if isinstance(holder, dict) and isinstance(holder.get(name), list) and ours in holder[name]:
            holder[name].remove(ours)
            if not holder[name]:
                del holder[name]
    if isinstance(plugins.get("entries"), dict):
        plugins["entries"].pop(ID, None)
    for name in ("load", "entries"):
        if plugins.get(name) == {}:
            del plugins[name]
    if not plugins:
        del wanted["plugins"]
    return wanted


def _config(ours: shared.InstalledHooks) -> Found:
    path = config_path(ours.site)
    value = parse(content(path), path)
    same = _with_ours(value, ours.site, path) == value
    return (
        closed("the host loads our plugin")
        if same
        else opened("the host does not load our plugin, or not with all rights")
    )


def _other_plugins(ours: shared.InstalledHooks) -> Found:
    path = config_path(ours.site)
    plugins = parse(content(path), path).get("plugins")
    paths = plugins.get("load", {}).get("paths", []) if isinstance(plugins, dict) else []
    others = [other for other in paths if other != str(plugin_folder(ours.site))]
    return opened(f"there is one in `{others[0]}`") if others else closed("no others are loaded from folders")


_CHECKS: Mapping[str, Callable[[shared.InstalledHooks], Found]] = {
    "settings": _config,
    "plugin": lambda ours: check_plugin(ours, plugin_folder(ours.site) / "index.js"),
    "answer": shared.check_answer,
    "fail-open": shared.check_fail_open,
    "writable": shared.check_writable,
    "other-plugins": _other_plugins,
    "exec": shared.check_outside,
}
