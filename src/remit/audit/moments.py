"""Parser of times as people write them: a date, a date and time, or how long ago."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime

from remit.core.errors import UsageError

_AGO = re.compile(r"([0-9]{1,6})([smhd])", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def read_moment(text: str) -> int:
    """Return a time in microseconds, from a date, a date and a time of day, or how long ago."""
    ago = _AGO.fullmatch(text)
    if ago:
        return time.time_ns() // 1000 - int(ago[1]) * _SECONDS[ago[2]] * 1_000_000
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(f"`{text}` is not a time", "write 2026-11-15, 2026-11-15T14:00, or 30m, 2h, 7d") from None
    return int((when if when.tzinfo else when.replace(tzinfo=UTC)).timestamp() * 1_000_000)
