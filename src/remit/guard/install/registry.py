"""The installers, in an explicit list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import UsageError
from remit.guard.install.claude_code import ClaudeCodeInstaller

if TYPE_CHECKING:
    from remit.guard.install.form import Installer

INSTALLERS: tuple[Installer, ...] = (ClaudeCodeInstaller(),)


def find_installer(name: str) -> Installer:
    """The installer of a host, by the name that users write."""
    for installer in INSTALLERS:
        if installer.name == name:
            return installer
    known = ", ".join(installer.name for installer in INSTALLERS)
    raise UsageError(f"`{name}` is not a host that the guard can be installed in", f"it can be: {known}")
