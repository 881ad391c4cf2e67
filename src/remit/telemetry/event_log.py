"""Events as lines of JSON: time, level, code, process, ids and scrubbed fields, each on one line."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import UsageError
from remit.core.telemetry_table import told
from remit.telemetry.scrubbing import fitting
from remit.telemetry.send_queue import Shipper
from remit.telemetry.settings import LEVELS, STDERR, TelemetrySettings

if TYPE_CHECKING:
    from remit.core.telemetry import Home

_MOST = 1024  # queued lines
_LONGEST = 8192  # characters of a text in a queued line


class LoggedEvent(NamedTuple):
    """One event."""

    when: float
    code: str
    fields: Mapping[str, str | int]
    home: Home | None


class Lines:
    """The event log of one process."""

    def __init__(self, settings: TelemetrySettings, process: str, lost: Callable[[str, int], None]) -> None:
        self._process = process
        self._least = LEVELS.index(settings.level)
        self._handle = _opened(settings.log)
        self._shipper: Shipper[LoggedEvent] = Shipper("lines", self._send, lost, _MOST)

    def write(self, code: str, fields: Mapping[str, str | int], home: Home | None) -> None:
        """Queue an event if its level is high enough."""
        if LEVELS.index(told().events[code].kind) >= self._least:
            cut = {key: value[: _LONGEST + 1] if isinstance(value, str) else value for key, value in fields.items()}
            self._shipper.put(LoggedEvent(time.time(), code, cut, home))

    def close(self, seconds: float) -> None:
        """Write the queued lines and stop."""
        self._shipper.close(seconds)

    def _send(self, batch: list[LoggedEvent]) -> None:
        for line in batch:  # one write each, as several processes may share a file
            os.write(self._handle, line_text(line, self._process).encode("ascii"))


def line_text(line: LoggedEvent, process: str) -> str:
    """Return the line. It is printable ASCII, so it cannot control a terminal."""
    row = told().events[line.code]
    when = datetime.fromtimestamp(line.when, UTC).isoformat(timespec="milliseconds")
    home = {"trace": line.home.trace, "span": line.home.span} if line.home else {}
    fields = {name: fitting(name, line.fields[name]) for name in row.fields if name in line.fields}
    said = {"time": when, "level": row.kind, "event": row.name, "process": process, **home, **fields, "says": row.about}
    return json.dumps(said).replace("\x7f", "\\u007f") + "\n"


def _opened(log: str) -> int:
    if log == STDERR:
        return sys.stderr.fileno()
    try:
        # opening a pipe without a reader would block the start of the guard, and then every call
        return os.open(
            log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o600
        )
    except OSError as error:
        raise UsageError(f"`{log}` cannot be written: {(error.strerror or 'error').lower()}", "name another") from None
