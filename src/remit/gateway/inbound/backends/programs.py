"""Specifics of each client: its program, files, command line and output."""

from __future__ import annotations

import json
import os
import secrets
import shlex
import shutil
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from remit.core.errors import DataError, UsageError
from remit.core.table import read_table
from remit.gateway.inbound.settings.values import CLAUDE_CODE, CODEX
from remit.guard.hosts.registry import Codex as CodexHost
from remit.guard.install.claude_code import EVENTS as CLAUDE_EVENTS

TABLE = Path(__file__).parents[1] / "data" / "client_tools.table"
SERVER = "remit"  # the name of the gateway's tool server in clients
WAITS = 1200  # seconds for a hook or tool: a person may have to approve


class Start(NamedTuple):
    """The parameters of a client's start."""

    home: Path  # its settings and session
    model: str
    url: str
    token: str
    prompt: str  # of the agent
    words: str  # the message
    resumes: str  # the client's session name; empty for a new session
    tools: tuple[str, ...]  # its own tools that it may use
    bridge: tuple[str, ...]  # the command of the bridge


class Launch(NamedTuple):
    """The command, environment and input of a start."""

    command: tuple[str, ...]
    environment: dict[str, str]
    input: bytes


class OutputLine(NamedTuple):
    """What one line of a client's output contains."""

    session: str = ""  # the client's session name
    piece: str = ""  # part of the answer
    whole: str = ""  # a complete text
    ended: bool = False
    failed: str = ""


class ClaudeCode:
    """Claude Code (`claude -p`)."""

    name, entry = CLAUDE_CODE, ".sdk-cli"  # the entry is a suffix of the event name for the guard's adapter
    # hooks of commands typed by a person are refused: the gateway never passes such commands on
    events = frozenset(CLAUDE_EVENTS) - {"UserPromptExpansion"}

    def find(self) -> str:
        """Return the path of the program; UsageError if it is not installed."""
        return str(_installed("claude", "npm install -g @anthropic-ai/claude-code"))

    def launch(self, start: Start) -> Launch:
        """Return the start. Settings come from the command line and the workspace; none in its own folder count."""
        settings = {
            "hooks": {event: [{"matcher": "", "hooks": [_hook(start, event, WAITS)]}] for event in CLAUDE_EVENTS},
            "disableSkillShellExecution": True,
        }
        server = {"command": start.bridge[0], "args": [*start.bridge[1:], "tools"]}
        said = {
            "type": "user",
            "message": {"role": "user", "content": [{"type": "text", "text": _no_command(start.words)}]},
        }
        return Launch(
            (
                self.find(), "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
                "--include-partial-messages", "--model", start.model, "--permission-mode", "bypassPermissions",
                "--setting-sources", "project", "--settings", json.dumps(settings),
                "--strict-mcp-config", "--mcp-config", json.dumps({"mcpServers": {SERVER: server}}),
                "--tools", ",".join(start.tools),
                *(("--append-system-prompt", start.prompt) if start.prompt else ()),
                *(("--resume", start.resumes) if start.resumes else ()),
            ),
            {
                "CLAUDE_CONFIG_DIR": str(start.home),
                "ANTHROPIC_BASE_URL": start.url,
                "ANTHROPIC_API_KEY": start.token,
                "ANTHROPIC_SMALL_FAST_MODEL": start.model,
                "ANTHROPIC_DEFAULT_HAIKU_MODEL": start.model,
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
                "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1",  # the capsule ends with the turn
                "DISABLE_AUTOUPDATER": "1",
                "DISABLE_TELEMETRY": "1",
                "DISABLE_ERROR_REPORTING": "1",
                "MCP_TIMEOUT": "30000",
                "MCP_TOOL_TIMEOUT": str(WAITS * 1000),
            },
            json.dumps(said).encode() + b"\n",
        )  # fmt: skip

    def heard(self, told: Mapping[str, Any]) -> OutputLine:
        """Parse a line of output; unknown lines give an empty result."""
        match told:
            case {"type": "result", "is_error": False, "result": str(text), "session_id": str(session)}:
                return OutputLine(session, whole=text, ended=True)
            case {"type": "result"}:
                reason = told.get("result") or "; ".join(map(str, told.get("errors") or ())) or told.get("subtype")
                return OutputLine(failed=str(reason) or "no reason", ended=True)
            case {
                "type": "stream_event",
                "parent_tool_use_id": None,
                "event": {"delta": {"type": "text_delta", "text": str(text)}},
            }:
                return OutputLine(piece=text)
            case {"type": "assistant", "parent_tool_use_id": None}:
                return OutputLine(piece="\n")
        return OutputLine()


class Codex:
    """Codex (`codex exec`)."""

    name, entry, events = CODEX, "", frozenset(CodexHost.kinds)

    def find(self) -> str:
        """Return the path of the program. npm installs a script that needs Node; the binary beside it is used instead."""
        found = _installed("codex", "npm install -g @openai/codex")
        inner = sorted(found.parents[1].parent.glob("codex-*/vendor/*/bin/codex")) if found.suffix == ".js" else []
        return str(inner[0] if inner else found)

    def launch(self, start: Start) -> Launch:
        """Write the settings and return the start.

        They are rewritten each time, so the agent's changes to them are lost.
        """
        hooks = {  # with the client's own limit for the last event
            event: [{"hooks": [_hook(start, event, 3 if event == "SessionEnd" else WAITS)]}]
            for event in CodexHost.kinds
        }
        _replace_file(start.home / "hooks.json", json.dumps({"hooks": hooks}))
        _replace_file(start.home / "config.toml", _config(start))
        return Launch(
            (
                self.find(), "exec", *(("resume",) if start.resumes else ()), "--json", "--skip-git-repo-check",
                "--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust",
                *((start.resumes,) if start.resumes else ()), "-",
            ),
            {"CODEX_HOME": str(start.home), "REMIT_MODEL_TOKEN": start.token},
            start.words.encode(),
        )  # fmt: skip

    def heard(self, told: Mapping[str, Any]) -> OutputLine:
        """Parse a line of output; unknown lines give an empty result."""
        match told:
            case {"type": "thread.started", "thread_id": str(session)}:
                return OutputLine(session)
            case {"type": "item.completed", "item": {"type": "agent_message", "text": str(text)}}:
                return OutputLine(whole=text)
            case {"type": "turn.completed"}:
                return OutputLine(ended=True)
            case {"type": "turn.failed", "error": {"message": str(reason)}}:
                return OutputLine(failed=reason, ended=True)
        return OutputLine()


def _hook(start: Start, event: str, seconds: int) -> dict[str, Any]:
    return {"type": "command", "command": shlex.join((*start.bridge, "hook", event)), "timeout": seconds}


def _replace_file(path: Path, text: str) -> None:
    """Write a new file in place of the agent's: no link is followed and no pipe is opened."""
    draft = path.with_name(f".{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(text)
    draft.replace(path)


Program: TypeAlias = ClaudeCode | Codex
PROGRAMS: Mapping[str, Program] = MappingProxyType({CLAUDE_CODE: ClaudeCode(), CODEX: Codex()})


@cache
def own_tools(client: str) -> Mapping[str, str]:
    """Return the tools of a client with the policy's name for each; an empty name for tools without outside effects."""
    found: dict[str, dict[str, str]] = {name: {} for name in PROGRAMS}
    for row in read_table(TABLE, 2):
        name, tool = row.cells
        if row.section not in found or name in found[row.section]:
            raise DataError(f"{row.where}: no client, or the tool occurs twice", "correct the line")
        found[row.section][name] = tool
    return found[client]


def offered(client: str, allowed: Iterable[str]) -> tuple[str, ...]:
    """Return the client's tools that a policy allows."""
    may = {*allowed, ""}
    return tuple(name for name, tool in own_tools(client).items() if tool in may)


def _installed(program: str, remedy: str) -> Path:
    found = shutil.which(program)
    if found is None:
        raise UsageError(f"`{program}` is not installed", remedy)
    return Path(found).resolve()


def _no_command(words: str) -> str:
    """Return the text so that the client does not take it for one of its commands."""
    return f"I say: {words}" if words.lstrip()[:1] in ("/", "!", "#") else words


def _config(start: Start) -> str:
    """Return the TOML settings. JSON strings are valid TOML strings."""
    lines = [
        f"model = {json.dumps(start.model)}",
        'model_provider = "remit"',
        "check_for_update_on_startup = false",
        'web_search = "disabled"',  # the provider's search would bypass hooks
        *([f"developer_instructions = {json.dumps(start.prompt)}"] if start.prompt else []),
        "[model_providers.remit]",
        'name = "remit"',
        f"base_url = {json.dumps(start.url + '/v1')}",
        'wire_api = "responses"',
        'env_key = "REMIT_MODEL_TOKEN"',
        f"[mcp_servers.{SERVER}]",
        f"command = {json.dumps(start.bridge[0])}",
        f"args = {json.dumps([*start.bridge[1:], 'tools'])}",
        "startup_timeout_sec = 30",
        f"tool_timeout_sec = {WAITS}",
        "[analytics]",
        "enabled = false",
    ]
    return "\n".join(lines) + "\n"
