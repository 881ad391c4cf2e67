"""The installers, in an explicit list, with those of the hosts that have only settings of a user.

opencode and OpenClaw load JavaScript: our plugin there is one file, combined from a shared part and the host's part.
"""

from __future__ import annotations

import copy
import json
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from remit.core.errors import GuardError, UsageError
from remit.guard.hosts.registry import Copilot, Gemini, Openclaw, Opencode
from remit.guard.install.claude_code import ClaudeCodeInstaller
from remit.guard.install.codex import CODEX
from remit.guard.install.doctor import (
    CheckResult,
    Hook,
    InstalledHooks,
    check_outside,
    closed,
    judge,
    opened,
    others_write,
)
from remit.guard.install.hook_file import HookFile
from remit.guard.install.model import (
    CLIENT_SECONDS,
    HOST_SECONDS,
    Change,
    HookStatus,
    Site,
    Trap,
    client_words,
    event_of,
    hook_status,
)
from remit.guard.install.settings_file import content, own_files, parse, read_settings, real, render
from remit.version import VERSION

_Checks: TypeAlias = Mapping[str, Callable[[InstalledHooks], CheckResult]]
_PLUGINS = Path(__file__).parents[1] / "data" / "plugins"
_BLANK = '"REMIT_SETTINGS"'
_LINE = "const SETTINGS = "
_EVENT = "EVENT"  # the word of the client's command that the plugin replaces
_ID = "remit"  # of our plugin in OpenClaw
_ENTRY = {"enabled": True, "hooks": {"allowConversationAccess": True}}


def _refuse_managed(host: str, *, managed: bool) -> None:
    if managed:
        raise UsageError(f"the guard cannot be installed in `{host}` for all users", "leave --managed out")


class GeminiInstaller(HookFile):
    """Edits settings.json of the user. Time-outs are in milliseconds."""

    name = Gemini.name
    events = tuple(Gemini.kinds)
    places = ("user",)
    unit = 1000
    matcher = "*"

    def path(self, site: Site, *, managed: bool) -> Path:
        """Return the user's settings file."""
        _refuse_managed(self.name, managed=managed)
        return _gemini_settings(site.home)

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Install our client at every event."""
        path = self.path(site, managed=managed)
        if off := _turned_off(parse(content(path), path)):
            raise GuardError(f"`{path}` turns hooks off ({off})", f"remove {off} from it, then try again")
        return super().install(site, managed=managed)

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        harmless = {
            "session_id": "remit-doctor", "cwd": str(site.project), "hook_event_name": Gemini.before, "tool_name": "write_todos",
            "tool_input": {"todos": []},
        }  # fmt: skip
        hooks = self.our_hooks(_gemini_settings(site.home))
        checks: _Checks = {"settings": _gemini_readable, "all-off": _gemini_all_off, "other-hooks": self._others}
        ours = InstalledHooks(self.name, site, self.events, hooks, Gemini.before, harmless)
        return judge(ours, checks, ours)

    def _others(self, ours: InstalledHooks) -> CheckResult:
        for path, value in _gemini_files(ours):
            if self.other_hooks(value, Gemini.before):
                return opened(f"there are some in `{path}`")
        return closed("there are none in the settings of the user and of this project")


def _gemini_settings(folder: Path) -> Path:
    """Return the settings file of the user or of a project."""
    return real(folder / ".gemini" / "settings.json")


def _gemini_files(ours: InstalledHooks) -> list[tuple[Path, dict[str, Any]]]:
    paths = [_gemini_settings(ours.site.home), _gemini_settings(ours.site.project)]
    return [(path, parse(content(path), path)) for path in dict.fromkeys(paths)]


def _turned_off(value: Mapping[str, Any]) -> str:
    config = value.get("hooksConfig")
    if not isinstance(config, dict):
        return ""
    if config.get("enabled") is False:
        return "hooksConfig.enabled"
    return "hooksConfig.disabled" if config.get("disabled") else ""


def _gemini_readable(ours: InstalledHooks) -> CheckResult:
    _gemini_files(ours)
    return closed("all files of settings can be read")


def _gemini_all_off(ours: InstalledHooks) -> CheckResult:
    for path, value in _gemini_files(ours):
        if off := _turned_off(value):
            return opened(f"`{path}` says so now ({off})")
    return opened("no setting says so now")


class _OwnFiles(ABC):
    """The installer of a host that reads files which are ours alone."""

    name: ClassVar[str]
    events: ClassVar[tuple[str, ...]]

    @abstractmethod
    def files(self, site: Site) -> dict[Path, bytes | None]:
        """Return our files, with their content."""

    @abstractmethod
    def path(self, site: Site) -> Path:
        """Return the file that makes the host call our client."""

    @abstractmethod
    def asked(self, site: Site) -> Collection[str]:
        """Return the events at which our client is called."""

    @abstractmethod
    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Write our files."""
        _refuse_managed(self.name, managed=managed)
        return own_files(self.files(site))

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Remove our files."""
        _refuse_managed(self.name, managed=managed)
        return own_files(dict.fromkeys(self.files(site)))

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return at which events our client is called."""
        return (hook_status("user", self.path(site), self.events, partial(self.asked, site)),)


class CopilotInstaller(_OwnFiles):
    """Writes hooks/remit.json of the user."""

    name = Copilot.name
    events = tuple(Copilot.kinds)

    def path(self, site: Site) -> Path:
        """Return the file that is ours alone."""
        return real(site.home / ".copilot" / "hooks" / "remit.json")

    def files(self, site: Site) -> dict[Path, bytes | None]:
        """Return our file."""
        words = {event: shlex.join(client_words(self.name, event, site)) for event in self.events}
        hooks = {
            event: [{"type": "command", "bash": line, "timeoutSec": HOST_SECONDS}] for event, line in words.items()
        }
        return {self.path(site): render({"version": 1, "hooks": hooks}, None)}

    def asked(self, site: Site) -> Collection[str]:
        """Return the events of our hooks."""
        return {hook.event for hook in self._ours(site)}

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        harmless = {
            "sessionId": "remit-doctor", "timestamp": 0, "cwd": str(site.project), "toolName": "report_intent", "toolArgs": {},
        }  # fmt: skip
        try:
            hooks = self._ours(site)
        except GuardError:
            hooks = ()
        checks: _Checks = {"other-hooks": self._others, "prompts": check_outside}
        ours = InstalledHooks(self.name, site, self.events, hooks, Copilot.before, harmless)
        return judge(ours, checks, ours)

    def _ours(self, site: Site) -> tuple[Hook, ...]:
        return tuple(
            Hook(event, hook["bash"], waits if isinstance(waits := hook.get("timeoutSec"), int | float) else None)
            for event, hook in _copilot_hooks(self.path(site))
            if event_of(hook.get("bash"), self.name) == event
        )

    def _others(self, ours: InstalledHooks) -> CheckResult:
        folders = (self.path(ours.site).parent, ours.site.project / ".github" / "hooks")
        for path in sorted(path for folder in folders for path in folder.glob("*.json")):
            hooks = [hook for event, hook in _copilot_hooks(path) if event == Copilot.before]
            if any(event_of(hook.get("bash"), self.name) is None for hook in hooks):
                return opened(f"there are some in `{path}`")
        return closed("there are none of the user and of this project")


def _copilot_hooks(path: Path) -> list[tuple[str, dict[str, Any]]]:
    hooks = parse(content(path), path).get("hooks")
    found = [(event, hook) for event, listed in (hooks.items() if isinstance(hooks, dict) else ()) for hook in listed]
    return [(event, hook) for event, hook in found if isinstance(hook, dict)]


def plugin_text(host: str, site: Site) -> bytes:
    """Return our plugin for a host, which contains the command of our client and the state folder."""
    shared, own = ((_PLUGINS / f"{name}.js").read_text("utf-8") for name in ("ask", host))
    settings = {
        "client": client_words(host, _EVENT, site),
        "folder": str(site.state),
        "seconds": CLIENT_SECONDS,
        "version": VERSION,
    }
    before, blank, after = shared.partition(_BLANK)
    assert blank, "the settings have their place in the file"
    return (before + json.dumps(settings) + after + own).encode()


def _plugin_words(path: Path) -> list[str]:
    """Return the client's command in a plugin file; empty if there is none."""
    text = (content(path) or b"").decode("utf-8", "replace")
    line = next((line for line in text.splitlines() if line.startswith(_LINE)), "")
    try:
        return list(json.JSONDecoder().raw_decode(line.removeprefix(_LINE))[0]["client"])
    except (ValueError, TypeError, KeyError):
        return []


def _plugin_ours(host: str, site: Site, path: Path, before: str, harmless: Mapping[str, Any]) -> InstalledHooks:
    """Return the command in a plugin file as if it were a hook, for the checks that hosts share."""
    words = _plugin_words(path)
    command = shlex.join(before if word == _EVENT else word for word in words)
    hooks = (Hook(before, command, CLIENT_SECONDS + 10),) if words else ()
    return InstalledHooks(host, site, (before,), hooks, before, harmless)


def _check_plugin(path: Path, ours: InstalledHooks) -> CheckResult:
    """Check that the plugin is as we would write it, and that no other user can write it."""
    there = content(path)
    if there is None:
        raise GuardError("the guard is not installed")
    if there != plugin_text(ours.host, ours.site):
        return opened(f"`{path}` is of another version, or was changed")
    return others_write(path, ours.site) or closed(f"`{path}` is as it should be")


class OpencodeInstaller(_OwnFiles):
    """Writes plugin/remit.js of the user, in the folder of plugins that the host loads as a whole."""

    name = Opencode.name
    events = tuple(Opencode.kinds)

    def path(self, site: Site) -> Path:
        """Return the file that is ours alone."""
        return real(site.home / ".config" / "opencode" / "plugin" / "remit.js")

    def files(self, site: Site) -> dict[Path, bytes | None]:
        """Return our plugin."""
        return {self.path(site): plugin_text(self.name, site)}

    def asked(self, site: Site) -> Collection[str]:
        """Return all events if our plugin is there."""
        return self.events if _plugin_words(self.path(site)) else ()

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        harmless = {
            "directory": str(site.project), "input": {"tool": "todowrite", "sessionID": "remit-doctor", "callID": "remit-doctor"},
            "output": {"args": {"todos": []}},
        }  # fmt: skip
        path = self.path(site)
        checks: _Checks = {
            "plugin": partial(_check_plugin, path),
            "other-plugins": self._others,
            "pure": check_outside,
            "commands": check_outside,
        }
        ours = _plugin_ours(self.name, site, path, Opencode.before, harmless)
        return judge(ours, checks, ours)

    def _others(self, ours: InstalledHooks) -> CheckResult:
        own = self.path(ours.site)
        bases = (own.parent.parent, ours.site.project / ".opencode")
        files = [path for base in bases for name in ("plugin", "plugins") for path in (base / name).glob("*.[jt]s")]
        others = sorted(str(path) for path in files if real(path) != own)
        settings = (*(base / "opencode.json" for base in bases), ours.site.project / "opencode.json")
        others += [str(path) for path in settings if _names_plugins(path)]
        if others:
            return opened(f"there is one in `{others[0]}`")
        return closed("there are none of the user and of this project")


def _names_plugins(path: Path) -> bool:
    """Whether settings name plugins; settings with comments, which are not plain JSON, may."""
    try:
        value = json.loads(content(path) or b"{}")
    except ValueError:
        return True
    return isinstance(value, dict) and bool(value.get("plugin"))


class OpenclawInstaller(_OwnFiles):
    """Writes our plugin into a folder of its own, and registers it in openclaw.json."""

    name = Openclaw.name
    events = tuple(Openclaw.kinds)

    def path(self, site: Site) -> Path:
        """Return the settings file that is edited."""
        return real(site.home / ".openclaw" / "openclaw.json")

    def files(self, site: Site) -> dict[Path, bytes | None]:
        """Return our plugin."""
        folder = _plugin_folder(site)
        extension = {"extensions": ["./index.js"]}
        package = {"name": "remit-plugin", "version": VERSION, "type": "module", "openclaw": extension}
        schema = {"type": "object", "additionalProperties": False}
        manifest = {"id": _ID, "name": "Remit", "activation": {"onStartup": True}, "configSchema": schema}
        return {
            folder / "package.json": (json.dumps(package, indent=2) + "\n").encode(),
            folder / "openclaw.plugin.json": (json.dumps(manifest, indent=2) + "\n").encode(),
            folder / "index.js": plugin_text(self.name, site),
        }

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Write our plugin, and register it with the host."""
        written = super().install(site, managed=managed)
        file = read_settings(self.path(site))
        ours = _unregistered(file.value, site) != file.value
        return (*written, *file.changed(_registered(file.value, site, file.path), ours=ours))

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Unregister our plugin, then remove it."""
        removed = super().uninstall(site, managed=managed)
        file = read_settings(self.path(site))
        return (*file.restored(_unregistered(file.value, site)), *removed)

    def asked(self, site: Site) -> Collection[str]:
        """Return all events if our plugin is there and registered."""
        return (
            self.events if self._is_registered(site) and content(_plugin_folder(site) / "index.js") is not None else ()
        )

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        harmless = {
            "workspace": str(site.project), "context": {"sessionId": "remit-doctor"},
            "event": {"toolName": "session_status", "params": {}, "toolCallId": "remit-doctor"},
        }  # fmt: skip
        path = _plugin_folder(site) / "index.js"
        checks: _Checks = {
            "settings": self._loaded,
            "plugin": partial(_check_plugin, path),
            "other-plugins": self._others,
            "exec": check_outside,
        }
        ours = _plugin_ours(self.name, site, path, Openclaw.before, harmless)
        return judge(ours, checks, ours)

    def _is_registered(self, site: Site) -> bool:
        path = self.path(site)
        value = parse(content(path), path)
        return _registered(value, site, path) == value

    def _loaded(self, ours: InstalledHooks) -> CheckResult:
        if self._is_registered(ours.site):
            return closed("the host loads our plugin")
        return opened("the host does not load our plugin, or not with all rights")

    def _others(self, ours: InstalledHooks) -> CheckResult:
        path = self.path(ours.site)
        plugins = parse(content(path), path).get("plugins")
        paths = plugins.get("load", {}).get("paths", []) if isinstance(plugins, dict) else []
        others = [other for other in paths if other != str(_plugin_folder(ours.site))]
        return opened(f"there is one in `{others[0]}`") if others else closed("no others are loaded from folders")


def _plugin_folder(site: Site) -> Path:
    """Return the folder that is ours alone."""
    return site.home / ".openclaw" / "remit-plugin"


def _registered(value: Mapping[str, Any], site: Site, path: Path) -> dict[str, Any]:
    wanted = copy.deepcopy(dict(value))
    try:
        plugins = wanted.setdefault("plugins", {})
        if plugins.get("enabled") is False or _ID in plugins.get("deny", ()):
            raise GuardError(f"`{path}` turns plugins off", "take that out of it, then try again")
        paths = plugins.setdefault("load", {}).setdefault("paths", [])
        if str(_plugin_folder(site)) not in paths:
            paths.append(str(_plugin_folder(site)))
        plugins.setdefault("entries", {})[_ID] = copy.deepcopy(_ENTRY)
        if plugins.get("allow") and _ID not in plugins["allow"]:
            plugins["allow"].append(_ID)
    except (AttributeError, TypeError):
        message = f"`{path}` has plugins of a form that we do not know"
        raise GuardError(message, "correct the file, then try again") from None
    return wanted


def _unregistered(value: Mapping[str, Any], site: Site) -> dict[str, Any]:
    """Return settings without what we added; what becomes empty is removed."""
    wanted = copy.deepcopy(dict(value))
    plugins = wanted.get("plugins")
    if not isinstance(plugins, dict):
        return wanted
    for holder, name, ours in ((plugins.get("load"), "paths", str(_plugin_folder(site))), (plugins, "allow", _ID)):
        if isinstance(holder, dict) and isinstance(holder.get(name), list) and ours in holder[name]:
            holder[name].remove(ours)
            if not holder[name]:
                del holder[name]
    if isinstance(plugins.get("entries"), dict):
        plugins["entries"].pop(_ID, None)
    for name in ("load", "entries"):
        if plugins.get(name) == {}:
            del plugins[name]
    if not plugins:
        del wanted["plugins"]
    return wanted


Installer: TypeAlias = ClaudeCodeInstaller | HookFile | _OwnFiles
INSTALLERS: tuple[Installer, ...] = (
    ClaudeCodeInstaller(),
    CODEX,
    GeminiInstaller(),
    CopilotInstaller(),
    OpencodeInstaller(),
    OpenclawInstaller(),
)


def find_installer(name: str) -> Installer:
    """Return the installer of a host, by the name that users write."""
    for installer in INSTALLERS:
        if installer.name == name:
            return installer
    known = ", ".join(installer.name for installer in INSTALLERS)
    raise UsageError(f"`{name}` is not a host that the guard can be installed in", f"it can be: {known}")
