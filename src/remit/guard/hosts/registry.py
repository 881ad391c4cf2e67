"""The hosts that the guard supports, in an explicit list. A host needs a line here, and a module, a table and an
installer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.guard.hosts.claude_code import ClaudeCode
from remit.guard.hosts.codex import Codex
from remit.guard.hosts.copilot import Copilot
from remit.guard.hosts.gemini import Gemini
from remit.guard.hosts.openclaw import Openclaw
from remit.guard.hosts.opencode import Opencode
from remit.guard.hosts.remit_programs import RemitProgram

if TYPE_CHECKING:
    from remit.guard.event import Host

HOSTS: tuple[Host, ...] = (
    ClaudeCode(),
    Codex(),
    Gemini(),
    Copilot(),
    Opencode(),
    Openclaw(),
    RemitProgram("mcp"),
    RemitProgram("gateway"),
)

_BY_NAME = {host.name: host for host in HOSTS}


def find_host(name: str) -> Host | None:
    """Return the adapter of a host, by the name that users write; None if there is none."""
    return _BY_NAME.get(name)
