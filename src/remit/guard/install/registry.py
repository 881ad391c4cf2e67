"""The installers, in an explicit list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.guard.install.claude_code import ClaudeCodeInstaller
from remit.guard.install.codex import CodexInstaller
from remit.guard.install.copilot import CopilotInstaller
from remit.guard.install.gemini import GeminiInstaller
from remit.guard.install.openclaw import OpenclawInstaller
from remit.guard.install.opencode import OpencodeInstaller

if TYPE_CHECKING:
    from remit.guard.install.model import Installer

INSTALLERS: tuple[Installer, ...] = (
    ClaudeCodeInstaller(),
    CodexInstaller(),
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
