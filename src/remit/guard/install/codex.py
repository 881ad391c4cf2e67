"""Codex CLI: hooks.json of the user, which Codex runs only if the user trusts it, or of the machine, which needs no
trust.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remit.guard.hosts.codex import KINDS
from remit.guard.install import hook_file
from remit.guard.install.settings_file import real

if TYPE_CHECKING:
    from remit.guard.install.model import Change, HookStatus, Site, Trap

_MANAGED = Path("/etc/codex")
FORM = hook_file.HookFile("codex", tuple(KINDS), shorter={"SessionEnd": 3})


class CodexInstaller:
    """Edits hooks.json; config.toml is only read."""

    name = FORM.host

    def install(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Install our client at every event."""
        return hook_file.install(FORM, hooks_path(site, managed=managed), site, managed=managed)

    def uninstall(self, site: Site, *, managed: bool) -> tuple[Change, ...]:
        """Remove our client from every event."""
        return hook_file.uninstall(FORM, hooks_path(site, managed=managed))

    def status(self, site: Site) -> tuple[HookStatus, ...]:
        """Return the status of the user's hooks and of the machine's."""
        return tuple(
            hook_file.standing(FORM, place, hooks_path(site, managed=place == "managed"))
            for place in ("managed", "user")
        )

    def doctor(self, site: Site) -> tuple[Trap, ...]:
        """Check every known bypass."""
        from remit.guard.install.codex_checks import traps  # noqa: PLC0415  installing needs none of it

        return traps(site)


def hooks_path(site: Site, *, managed: bool) -> Path:
    """Return the file that is edited."""
    return real((site.managed or _MANAGED) / "hooks.json" if managed else site.home / ".codex" / "hooks.json")


def config_path(site: Site) -> Path:
    """Return the user's settings file, which records trust."""
    return real(site.home / ".codex" / "config.toml")
