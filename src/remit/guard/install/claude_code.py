"""Claude Code: hooks in its settings, for one user or managed for all; and, on request, every effect through the two authorities.

Then the host's own tools with effects are denied, and the gateway's `act` is added. Our entries in a list of denied
tools follow a marker entry, so that a person's own denials are never taken for ours.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

from remit.core.errors import GuardError
from remit.guard.hosts.claude_code import AUTHORITY
from remit.guard.hosts.toolmap import AUTHORITY_SERVER, AUTHORITY_TOOL, effect_tools
from remit.guard.install.hook_file import asks_at, placed, with_ours, without_ours
from remit.guard.install.model import HOST_SECONDS, Change, HookStatus, Site, Trap, client_words, hook_status
from remit.guard.install.settings_file import content, parse, read_settings, real

Settings: TypeAlias = dict[str, Any]

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
MARK = "mcp__remit-through-authority"  # a rule about a server that does not exist: our rules follow it
SERVERS = "mcpServers"
_WORDS = ("gateway", "mcp", "--credential")
_KEYS = ("deny", "allow")


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
        wanted = without_rules(value, file.earlier) | (_MANAGED_KEYS if managed else _USER_KEYS)
        if site.authority:
            wanted = with_rules(wanted, path)
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
        wanted = without_rules(value, earlier)
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
        paths = [(place, settings_path(site, managed=place == "managed")) for place in ("managed", "user")]
        return tuple(hook_status(place, path, EVENTS, partial(_asked, path)) for place, path in paths)

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
        if site.authority or is_through(settings):
            raise
        return ()  # a file that we never wrote, and need not read
    if not site.authority:
        return file.restored(without_server(file.value, file.earlier))
    wanted = with_server(file.value, site.authority, file.path)
    return file.changed(wanted, ours=our_server(file.value) is not None, mode=_mode(managed=managed))


def _mode(*, managed: bool) -> int:
    return 0o644 if managed else 0o600


def _has_ours(value: dict[str, Any]) -> bool:
    return not our_hooks(value).keys().isdisjoint(EVENTS) or is_through(value)


def _asked(path: Path) -> Collection[str]:
    return our_hooks(parse(content(path), path))


def _ours(site: Site, *, managed: bool) -> dict[str, dict[str, Any]]:
    """Return our hook group for each event."""
    commands = {event: our_command(event, site, managed=managed) for event in EVENTS}
    return {
        event: {"hooks": [{"type": "command", "command": line, "timeout": HOST_SECONDS}]}
        for event, line in commands.items()
    }


def is_through(value: Mapping[str, Any]) -> bool:
    """Whether our rules in the settings deny the tools that have effects."""
    return MARK in _rules(value, "deny")


def missing_tools(value: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the tools with effects that settings do not deny."""
    denied = _rules(value, "deny")
    return tuple(tool for tool in effect_tools(HOST) if tool not in denied)


def with_rules(value: Settings, path: Path) -> Settings:
    """Return settings that deny every tool with effects and allow `act`."""
    permissions = value.get("permissions", {})
    if not isinstance(permissions, dict) or not all(isinstance(permissions.get(key, []), list) for key in _KEYS):
        raise GuardError(f"`permissions` in `{path}` is not of the host's form", "correct the file, then try again")
    deny, allow = permissions.get("deny", []), permissions.get("allow", [])
    permissions = permissions | {"deny": [*deny, MARK, *missing_tools(value)]}
    if AUTHORITY_TOOL not in allow:
        permissions |= {"allow": [*allow, AUTHORITY_TOOL]}
    return value | {"permissions": permissions}


def without_rules(value: Settings, earlier: Mapping[str, Any]) -> Settings:
    """Return settings without what `with_rules` wrote; a new list that becomes empty is removed too."""
    if not is_through(value):
        return value
    permissions = dict(value["permissions"])
    known = earlier.get("permissions", {})
    deny, tools = list(permissions["deny"]), set(effect_tools(HOST))
    place = deny.index(MARK)
    ours: list[str] = []
    after: list[str] = []
    for rule in deny[place + 1 :]:
        (ours if rule in tools and rule not in ours else after).append(rule)
    permissions["deny"] = deny[:place] + after
    if AUTHORITY_TOOL in permissions.get("allow", ()) and AUTHORITY_TOOL not in _rules(earlier, "allow"):
        permissions["allow"] = [rule for rule in permissions["allow"] if rule != AUTHORITY_TOOL]
    for key in _KEYS:
        if permissions.get(key) == [] and key not in known:
            del permissions[key]
    rest = {key: found for key, found in value.items() if key != "permissions"}
    return value | {"permissions": permissions} if permissions or "permissions" in earlier else rest


def with_server(value: Settings, words: Sequence[str], path: Path) -> Settings:
    """Return the host's MCP servers with ours. A server of this name that is not ours is left alone."""
    servers = value.get(SERVERS, {})
    if not isinstance(servers, dict):
        raise GuardError(f"`{SERVERS}` in `{path}` is not an object", "correct the file, then try again")
    if AUTHORITY_SERVER in servers and our_server(value) is None:
        raise GuardError(
            f"`{path}` has another MCP server that is named `{AUTHORITY_SERVER}`",
            "give it another name, then try again",
        )
    entry = {"type": "stdio", "command": words[0], "args": list(words[1:]), "env": {}}
    return value | {SERVERS: servers | {AUTHORITY_SERVER: entry}}


def without_server(value: Settings, earlier: Mapping[str, Any]) -> Settings:
    """Return the host's MCP servers without ours."""
    if our_server(value) is None:
        return value
    servers = {name: entry for name, entry in value[SERVERS].items() if name != AUTHORITY_SERVER}
    rest = {key: found for key, found in value.items() if key != SERVERS}
    return value | {SERVERS: servers} if servers or SERVERS in earlier else rest


def our_server(value: Mapping[str, Any]) -> list[str] | None:
    """Return the command of our gateway's entry among the MCP servers; None if there is none."""
    servers = value.get(SERVERS)
    entry = servers.get(AUTHORITY_SERVER) if isinstance(servers, dict) else None
    command, args = (entry.get("command"), entry.get("args")) if isinstance(entry, dict) else (None, None)
    if not isinstance(command, str) or not isinstance(args, list):
        return None
    if not any(tuple(args[at : at + 3]) == _WORDS for at in range(len(args))):
        return None
    return [command, *map(str, args)]


def _rules(value: Mapping[str, Any], key: str) -> list[Any]:
    permissions = value.get("permissions")
    found = permissions.get(key) if isinstance(permissions, dict) else None
    return found if isinstance(found, list) else []
