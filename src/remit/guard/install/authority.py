"""Claude Code with every effect through the two authorities: its own tools with effects are denied, the gateway's `act`
is added.

Our entries in a list of denied tools follow a marker entry, so that a person's own denials are never taken for ours.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from remit.core.errors import GuardError
from remit.guard.hosts.toolmap import AUTHORITY_SERVER, AUTHORITY_TOOL, effect_tools

if TYPE_CHECKING:
    from pathlib import Path

    Settings = dict[str, Any]

MARK = "mcp__remit-through-authority"  # a rule about a server that does not exist: our rules follow it
SERVERS = "mcpServers"
_WORDS = ("gateway", "mcp", "--credential")
_SECONDS = 20.0
# an intent without effect that asks no server: an answer shows that the gateway accepts the credential
_PROBE = {"intent_id": "MemoryList", "inputs": {}}


def is_through(value: Mapping[str, Any]) -> bool:
    """Whether our rules in the settings deny the tools that have effects."""
    return MARK in _rules(value, "deny")


def missing_tools(value: Mapping[str, Any], host: str) -> tuple[str, ...]:
    """Return the tools with effects that settings do not deny."""
    denied = _rules(value, "deny")
    return tuple(tool for tool in effect_tools(host) if tool not in denied)


def with_rules(value: Settings, host: str, path: Path) -> Settings:
    """Return settings that deny every tool with effects and allow `act`."""
    permissions = value.get("permissions", {})
    if not isinstance(permissions, dict) or not all(isinstance(permissions.get(key, []), list) for key in _KEYS):
        raise GuardError(f"`permissions` in `{path}` is not of the host's form", "correct the file, then try again")
    deny, allow = permissions.get("deny", []), permissions.get("allow", [])
    permissions = permissions | {"deny": [*deny, MARK, *missing_tools(value, host)]}
    if AUTHORITY_TOOL not in allow:
        permissions |= {"allow": [*allow, AUTHORITY_TOOL]}
    return value | {"permissions": permissions}


def without_rules(value: Settings, earlier: Mapping[str, Any], host: str) -> Settings:
    """Return settings without what `with_rules` wrote. A list that becomes empty, and did not exist before, is removed
    too.
    """
    if not is_through(value):
        return value
    permissions = dict(value["permissions"])
    known = earlier.get("permissions", {})
    deny, tools = list(permissions["deny"]), set(effect_tools(host))
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


def ask_gateway(words: Sequence[str], seconds: float = _SECONDS) -> Mapping[str, Any]:
    """Return the gateway's answer to a request without an effect, through the very command that the host starts;
    GuardError if none.
    """
    requests: tuple[dict[str, Any], ...] = (
        {"id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "remit-doctor", "version": "1"}}},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "act", "arguments": _PROBE}},
    )  # fmt: skip
    try:
        child = subprocess.Popen(  # noqa: S603  our own program, as it stands in the settings
            list(words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
    except OSError as error:
        raise GuardError(f"`{words[0]}` does not start: {error.strerror}", "") from None
    timer = threading.Timer(seconds, child.kill)
    timer.start()
    try:
        return _conversation(child, requests)
    except (OSError, ValueError, KeyError, TypeError):
        raise GuardError("the gateway's MCP server gives no answer that can be read", "") from None
    finally:
        timer.cancel()
        child.kill()
        child.communicate()


def _conversation(child: subprocess.Popen[str], requests: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the answer to the last request."""
    if child.stdin is None or child.stdout is None or child.stderr is None:
        raise OSError
    for request in requests:
        with contextlib.suppress(BrokenPipeError):  # it has ended, and may have printed why
            print(json.dumps({"jsonrpc": "2.0", **request}), file=child.stdin, flush=True)
        while "id" in request:
            line = child.stdout.readline()
            if not line:
                said = child.stderr.read().strip().splitlines()
                raise GuardError(f"the gateway's MCP server ends: {said[0] if said else 'it was late'}", "")
            value = json.loads(line)
            if value.get("id") != request["id"]:
                continue
            if request is requests[-1]:
                found: Mapping[str, Any] = value["result"]["structuredContent"]
                return found
            break
    raise OSError


def _rules(value: Mapping[str, Any], key: str) -> list[Any]:
    permissions = value.get("permissions")
    found = permissions.get(key) if isinstance(permissions, dict) else None
    return found if isinstance(found, list) else []


_KEYS = ("deny", "allow")
