"""Blocks that show settings: of an agent host, which widen what it may do, or variables that a program will read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from remit.skill.prose.variables import holds_secret

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.skill.document import Fence

_FORMATS = frozenset({"", "json", "jsonc", "json5", "toml", "yaml", "yml"})
_VARIABLES = frozenset({"", "bash", "sh", "shell", "env", "dotenv", "ini", "properties", "text", "zsh"})
_HOST = re.compile(
    r"\"?mcpServers\"?\s*:|^\s*\[mcp_servers\.|\"mcp\"\s*:\s*\{|\"permissions\"\s*:\s*\{\s*\"(?:allow|deny|ask|defaultMode)\""
    r"|\"skills\"\s*:\s*\{\s*\"entries\"|\"enabledPlugins\"\s*:",
    re.MULTILINE,
)
_HOOKS = re.compile(
    r"\"hooks\"\s*:\s*\{\s*\"(?:PreToolUse|PostToolUse|UserPromptSubmit|SessionStart|SessionEnd|Stop|SubagentStop|PreCompact"
    r"|Notification)\""
)
_QUOTED = re.compile(r"\"([A-Z][A-Z0-9_]+)\"\s*:")
_LINE = re.compile(r"\s*(?:#|\Z|([A-Z][A-Z0-9_]*)=(?:\"[^\"]*\"|'[^']*'|[^\s`$|&]*)\s*(?:#.*)?\Z)")
_KEPT = re.compile(r"\b(?:add|store|put|save|create|write|configure|update|paste|set)\b", re.IGNORECASE)


def only_variables(fence: Fence) -> bool:
    """Whether a block only lists variables and their values, as a file of settings does: no command is run."""
    return all(_LINE.match(line) for line in fence.text.strip().split("\n"))


def shown_settings(fence: Fence) -> Iterator[str]:
    """The capabilities that a block of settings asks for."""
    if fence.language in _FORMATS and _HOST.search(fence.text):
        yield "policy.expand"
        if any(map(holds_secret, _QUOTED.findall(fence.text))):
            yield "secret.write"
    if fence.language in _FORMATS and _HOOKS.search(fence.text):
        yield "hook.install"
    if fence.language in _VARIABLES and only_variables(fence):
        names = [found[1] for line in fence.text.split("\n") if (found := _LINE.match(line)) and found[1]]
        if names:
            yield "env.read"
        if any(map(holds_secret, names)):
            yield "secret.read"
            if _KEPT.search(f"{fence.heading.rpartition(' / ')[2]} {fence.before[-200:]}"):
                yield "secret.write"
