"""Commands in JSON: settings of agent hosts and their plugins, package.json, development containers, editor tasks."""

from __future__ import annotations

import shlex

from remit.skill.config_commands import Held, line_finder, loads
from remit.skill.config_words import argv, walk

_LIFE_CYCLE = frozenset(
    f"{when}{name}"
    for name in ("install", "prepare", "publish", "pack", "uninstall", "version", "dependencies")
    for when in ("", "pre", "post")
) | {"prepublishOnly", "prepublish", "prepack", "preprepare"}

# Settings of agent hosts whose value is a command line.
_COMMAND_KEYS = frozenset(
    {"command", "bash", "apiKeyHelper", "awsAuthRefresh", "awsCredentialExport", "otelHeadersHelper", "gcpAuthRefresh"}
)

_SERVERS = frozenset({"mcpServers", "servers", "lspServers", "mcp_servers"})  # the host starts these without a shell

_URL_KEYS = frozenset({"url", "httpUrl", "serverUrl"})


def request(url: str) -> str:
    """Return a host's request to the URL of a hook or server as a command: it sends the event or call there."""
    return f"curl -d @- {shlex.quote(url)}"


def hooks(data: bytes) -> list[Held]:
    """Return commands of agent settings, plugins and MCP servers: `command` with `args`, at any depth."""
    find = line_finder(data)
    out: list[Held] = []
    for path, table in walk(loads(data)):
        for key, value in table.items():
            if key in _COMMAND_KEYS and isinstance(value, (str, list)) and value:
                first = str(value[0]) if isinstance(value, list) else value
                form = "server" if _SERVERS & {*path} else "hook"
                out.append(Held(argv(value, table.get("args")), find(first), form=form))
            elif key == "powershell" and isinstance(value, str):
                out.append(Held("", find(value), language="powershell", opaque="a hook in PowerShell"))
            elif key in _URL_KEYS and isinstance(value, str) and {"hooks", "mcpServers", "servers"} & {*path}:
                out.append(Held(request(value), find(value), note="the agent host sends to this address"))
            elif key in {"hooks", "mcpServers", "lspServers"} and isinstance(value, str):
                out.append(Held(value, find(value), language="configuration", form="include"))
    return out


def package(data: bytes) -> list[Held]:
    """Return commands of package.json: npm runs the life-cycle scripts automatically, the others on request."""
    value = loads(data)
    scripts = value.get("scripts") if isinstance(value, dict) else None
    if not isinstance(scripts, dict):
        return []
    find = line_finder(data)
    return [
        Held(
            text, find(text), form="script", asked=name not in _LIFE_CYCLE, note=f"the script `{name}` of package.json"
        )
        for name, text in scripts.items()
        if isinstance(text, str) and text.strip()
    ]


def devcontainer(data: bytes) -> list[Held]:
    """Return commands of development containers: what runs when one is created, started and attached to."""
    value = loads(data)
    find = line_finder(data)
    out: list[Held] = []
    for key, command in value.items():
        if not key.endswith("Command"):
            continue
        commands = list(command.values()) if isinstance(command, dict) else [command]
        out += [
            Held(
                argv(item),
                find(str(item[0]) if isinstance(item, list) and item else str(item)),
                note=f"`{key}` of the container",
            )
            for item in commands
            if item
        ]
    return out


def vscode_tasks(data: bytes) -> list[Held]:
    """Return tasks of an editor; a task may run when the folder is opened."""
    find = line_finder(data)
    return [
        Held(argv(table["command"], table.get("args")), find(str(table["command"])))
        for _, table in walk(loads(data))
        if isinstance(table.get("command"), str)
    ]


def vscode_launch(data: bytes) -> list[Held]:
    """Return launch configurations of an editor."""
    find = line_finder(data)
    return [
        Held(
            "",
            find(str(table["request"])),
            language="configuration",
            opaque="a launch configuration, which is not analysed",
            asked=True,
        )
        for _, table in walk(loads(data))
        if "request" in table
    ]
