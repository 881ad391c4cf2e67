"""Our plugin for hosts that load JavaScript: one file, combined from a shared part and the host's part."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from remit.core.errors import GuardError
from remit.guard.install.command import client_words
from remit.guard.install.doctor import Found, Hook, InstalledHooks, closed, opened, others_write
from remit.guard.install.model import CLIENT_SECONDS, Site
from remit.guard.install.settings_file import content
from remit.version import VERSION

_FOLDER = Path(__file__).parents[1] / "data" / "plugins"
_BLANK = '"REMIT_SETTINGS"'
_LINE = "const SETTINGS = "
EVENT = "EVENT"  # the word of the client's command that the plugin replaces


def plugin_text(host: str, site: Site) -> bytes:
    """Return the whole file, which contains the command of our client and the state folder."""
    shared, own = ((_FOLDER / f"{name}.js").read_text("utf-8") for name in ("ask", host))
    settings = {
        "client": client_words(host, EVENT, site),
        "folder": str(site.state),
        "seconds": CLIENT_SECONDS,
        "version": VERSION,
    }
    before, blank, after = shared.partition(_BLANK)
    assert blank, "the settings have their place in the file"
    return (before + json.dumps(settings) + after + own).encode()


def plugin_hooks(path: Path, events: tuple[str, ...], waits: float) -> tuple[Hook, ...]:
    """Return the hooks of a plugin file, as if each were a command."""
    text = (content(path) or b"").decode("utf-8", "replace")
    line = next((line for line in text.splitlines() if line.startswith(_LINE)), "")
    try:
        words = json.JSONDecoder().raw_decode(line.removeprefix(_LINE))[0]["client"]
    except (ValueError, TypeError, KeyError):
        return ()
    return tuple(Hook(event, shlex.join(event if word == EVENT else word for word in words), waits) for event in events)


def ours_of(host: str, site: Site, path: Path, events: tuple[str, ...], harmless: Mapping[str, Any]) -> InstalledHooks:
    """Return the installed hooks, for the checks that hosts share."""
    return InstalledHooks(host, site, events, plugin_hooks(path, events, CLIENT_SECONDS + 10), events[0], harmless)


def check_plugin(ours: InstalledHooks, path: Path) -> Found:
    """Check that the plugin is as we would write it, and that no other user can write it."""
    there = content(path)
    if there is None:
        raise GuardError("the guard is not installed")
    if there != plugin_text(ours.host, ours.site):
        return opened(f"`{path}` is of another version, or was changed")
    return others_write(path, ours.site) or closed(f"`{path}` is as it should be")
