"""Claude Code: hooks in its settings, for one user or managed for all; and, on request, every effect through the two authorities."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

from remit.core.errors import GuardError
from remit.guard.hosts.claude_code import AUTHORITY
from remit.guard.install import authority
from remit.guard.install.command import client_words
from remit.guard.install.hook_file import asks_at, placed, with_ours, without_ours
from remit.guard.install.model import HOST_SECONDS, Change, HookStatus, Site, Trap
from remit.guard.install.settings_file import content, parse, read_settings, real

HOST = "claude-code"
EVENTS = (
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "UserPromptSubmit", "UserPromptExpansion", "SessionStart", "SessionEnd",
    "SubagentStart", "SubagentStop", "Stop", "InstructionsLoaded",
)  # fmt: skip
_MANAGED = Path("/etc/claude-code")
# Only the environment of a hook shows whether a person can be asked (guard/hosts/claude_code.py). The host runs
# commands in a shell.
_ENTRY = '."${CLAUDE_CODE_ENTRYPOINT:-unknown}"'
_OR_DENY = " || exit 2"  # if the client crashes or is missing, the host would continue
_USER_KEYS = {"disableSkillShellExecution": True}
_MANAGED_KEYS = {"allowManagedHooksOnly": True, **_USER_KEYS}
_OFF = "disableAllHooks"


class ClaudeCodeInstaller:
    """Edits settings.json of the user, or managed-settings.json."""

    name = HOST

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Install our client at every event, and the settings that close bypasses."""
        path = settings_path(site, managed=managed)
        file = read_settings(path)
        value = file.value
        if value.get(_OFF):
            raise GuardError(f"`{path}` turns all hooks off ({_OFF})", f"remove {_OFF} from it, then try again")
        wanted = authority.without_rules(value, file.earlier, HOST) | (_MANAGED_KEYS if managed else _USER_KEYS)
        if site.authority:
            wanted = authority.with_rules(wanted, HOST, path)
        wanted["hooks"] = with_ours(wanted.get("hooks", {}), _ours(site, managed=managed), HOST, path)
        return (
            *file.changed(wanted, ours=_has_ours(value), mode=_mode(managed=managed)),
            *_servers(site, value, managed=managed),
        )

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Remove our client from every event, and restore the settings that we changed."""
        file = read_settings(settings_path(site, managed=managed))
        value, earlier = file.value, file.earlier
        servers = _servers(site._replace(authority=()), value, managed=managed)
        if not _has_ours(value):
            return servers
        wanted = authority.without_rules(value, earlier, HOST)
        wanted = wanted | {"hooks": without_ours(wanted.get("hooks"), HOST)}
        if not wanted["hooks"] and "hooks" not in earlier:
            del wanted["hooks"]
        for key, ours in _MANAGED_KEYS.items():
            if key in earlier:
                wanted[key] = earlier[key] if wanted.get(key) == ours else wanted.get(key)
            elif wanted.get(key) == ours:
                del wanted[key]
        return (*file.restored(wanted), *servers)

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return the status of the user's settings and of the managed ones."""
        return tuple(_standing(place, settings_path(site, managed=place == "managed")) for place in ("managed", "user"))

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        from remit.guard.install.claude_checks import traps  # noqa: PLC0415  installing needs none of it

        return traps(site)


def settings_path(site: Site, *, managed: bool) -> Path:
    """Return the file that is edited."""
    return real(managed_folder(site) / "managed-settings.json" if managed else site.home / ".claude" / "settings.json")


def servers_path(site: Site, *, managed: bool) -> Path:
    """Return the host's file of MCP servers for all projects. With a managed file it starts no others."""
    return real(managed_folder(site) / "managed-mcp.json" if managed else site.home / ".claude.json")


def managed_folder(site: Site) -> Path:
    """Return the folder of managed settings."""
    return site.managed or _MANAGED


def our_command(event: str, site: Site, *, managed: bool) -> str:
    """Return the command for one event. Managed settings are for many users, each with a state folder of their own."""
    words = [shlex.quote(word) for word in client_words(HOST, event, site, state=not managed)]
    told = f"{event}.{AUTHORITY}" if site.authority else event
    return " ".join(told + _ENTRY if word == event else word for word in words) + _OR_DENY


def our_hooks(value: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return, by event, the hooks in settings that call our client for this event, whatever the tool."""
    found: dict[str, list[dict[str, Any]]] = {}
    for event, _, _, matcher, hook in placed(value.get("hooks")):
        if not matcher and asks_at(hook, HOST) == event:  # a command for another event would be judged as the wrong one
            found.setdefault(event, []).append(hook)
    return found


def _servers(site: Site, settings: dict[str, Any], *, managed: bool) -> tuple[Change, ...]:
    """Return the changes by which our gateway becomes an MCP server of the host, or is removed."""
    try:
        file = read_settings(servers_path(site, managed=managed))
    except GuardError:
        if site.authority or authority.is_through(settings):
            raise
        return ()  # a file that we never wrote, and need not read
    if not site.authority:
        return file.restored(authority.without_server(file.value, file.earlier))
    wanted = authority.with_server(file.value, site.authority, file.path)
    return file.changed(wanted, ours=authority.our_server(file.value) is not None, mode=_mode(managed=managed))


def _mode(*, managed: bool) -> int:
    return 0o644 if managed else 0o600


def _has_ours(value: dict[str, Any]) -> bool:
    return bool(_events(value)) or authority.is_through(value)


def _events(value: dict[str, Any]) -> tuple[str, ...]:
    found = our_hooks(value)
    return tuple(event for event in EVENTS if event in found)


def _standing(place: str, path: Path) -> HookStatus:
    try:
        events = _events(parse(content(path), path))
    except GuardError as error:
        return HookStatus(place, path, (), EVENTS, error.message)
    return HookStatus(place, path, events, tuple(event for event in EVENTS if event not in events))


def _ours(site: Site, *, managed: bool) -> dict[str, dict[str, Any]]:
    """Return our hook group for each event."""
    return {
        event: {
            "hooks": [
                {"type": "command", "command": our_command(event, site, managed=managed), "timeout": HOST_SECONDS}
            ]
        }
        for event in EVENTS
    }
