"""Web pages in a headless browser with an empty profile."""

from __future__ import annotations

import base64
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from remit.gateway.inbound.nodes.backends.shell import MOST, started

_NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
_WRONG, _ABSENT = 2, 127


def browser() -> str:
    """Return the path of this device's browser, or an empty string."""
    return next(filter(None, map(shutil.which, _NAMES)), "")


def _with_browser(address: str, *options: str) -> tuple[int, str]:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return _WRONG, "not the address of a page"
    found = browser()
    if not found:
        return _ABSENT, "no browser is there"
    with tempfile.TemporaryDirectory(prefix="remit-page-") as profile:
        base = [
            found,
            "--headless",
            "--disable-gpu",
            "--disable-extensions",
            "--no-first-run",
            f"--user-data-dir={profile}",
        ]
        return started([*base, *options, "--", address])


def read(arguments: str) -> tuple[int, str]:
    """Return the DOM of a page after its scripts ran."""
    return _with_browser(arguments.strip(), "--dump-dom")


def shot(arguments: str) -> tuple[int, str]:
    """Return a screenshot of a page in base64."""
    with tempfile.TemporaryDirectory(prefix="remit-shot-") as folder:
        path = Path(folder) / "page.png"
        status, told = _with_browser(arguments.strip(), f"--screenshot={path}", "--window-size=1024,768")
        if status or not path.exists():
            return status or 1, told
        text = base64.b64encode(path.read_bytes()).decode()
    return (0, text) if len(text) <= MOST else (1, "the picture is too large")


COMMANDS: Mapping[str, Callable[[str], tuple[int, str]]] = {"page.read": read, "page.shot": shot}
