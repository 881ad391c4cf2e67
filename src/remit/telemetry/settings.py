"""Settings of telemetry: `telemetry.json`, beside a process's settings or in its user's state folder.

It is read when a process starts. Environment variables are ignored, since an agent could set them.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable, Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from remit.core.errors import UsageError
from remit.core.shape import Record, Text, Whole, Word
from remit.core.telemetry_table import FILE

LEVELS = ("debug", "info", "warning", "error")
STDERR = "stderr"
_ADDRESS = r"(?:127\.0\.0\.1|\[::1\]):[0-9]{1,5}"
FORM = Record(
    {
        "v": Whole(1, 1),
        "otlp": Text(400, r"https?://[^\s?#@]+"),
        "prometheus": Text(80, _ADDRESS),
        "log": Text(4096),
        "level": Word(LEVELS),
    },
    frozenset({"otlp", "prometheus", "log", "level"}),
)
_MOST = 16 * 1024
_LAST_PORT = 65535
_OTHERS = 0o022
_REMEDY = "docs/telemetry.md has its form; `remit telemetry on` writes it"


class TelemetrySettings(NamedTuple):
    """The destinations."""

    otlp: str = ""  # URL of the collector
    address: tuple[str, int] | None = None  # loopback address, and the first port for metrics
    log: str = ""  # `stderr`, or a path
    level: str = "info"


def first_of(folders: Iterable[Path]) -> TelemetrySettings | None:
    """Return the settings in the first folder that has the file; None if there is none."""
    for folder in folders:
        path = folder / FILE
        if path.exists() or path.is_symlink():
            return read_settings(path)
    return None


def read_settings(path: Path) -> TelemetrySettings:
    """Return the settings in a file; UsageError if it is malformed or writable by other users."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb") as file:  # noqa: PTH123  the opened file, even if the path was replaced
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode) or state.st_uid not in (0, os.geteuid()) or state.st_mode & _OTHERS:
                raise UsageError(f"`{path}` is not a plain file that only its owner writes", f"chmod 600 {path}")
            told: Any = json.loads(file.read(_MOST))
    except (OSError, ValueError, RecursionError) as error:
        why = (error.strerror or "error").lower() if isinstance(error, OSError) else "it is not JSON"
        raise UsageError(f"`{path}` cannot be read: {why}", _REMEDY) from None
    return as_settings(told, path)


def as_settings(told: Any, path: Path) -> TelemetrySettings:
    """Return the settings in a JSON value; UsageError if it is malformed or would send plain text over the network."""
    if fault := FORM.fault(told, path.name):
        raise UsageError(fault, _REMEDY)
    if "otlp" in told and not _fit_collector(told["otlp"]):
        raise UsageError(
            f"`{told['otlp']}` is not a known kind of collector", "an https:// address, or http:// on loopback"
        )
    log = told.get("log", "")
    return TelemetrySettings(
        told.get("otlp", ""),
        _address(told["prometheus"]) if "prometheus" in told else None,
        log if log in ("", STDERR) else str(path.absolute().parent / log),
        told.get("level", "info"),
    )


def as_json(words: Mapping[str, str]) -> str:
    """Return the file content for settings of the command line, checked."""
    told = {"v": 1, **words}
    as_settings(told, Path(FILE))
    return json.dumps(told, indent=2) + "\n"


def _fit_collector(url: str) -> bool:
    """Return whether a collector URL uses https or loopback. Telemetry holds no secrets, but is private."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    return bool(parts.hostname) and port != 0 and (parts.scheme == "https" or is_loopback(parts.hostname or ""))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine, judged by its text alone."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not 0 < int(port) <= _LAST_PORT:
        raise UsageError(f"`{port}` is no port", "a number up to 65535; each process has the first one or one after it")
    return re.sub(r"[\[\]]", "", host), int(port)
