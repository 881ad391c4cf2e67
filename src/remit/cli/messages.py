"""Messages for the user, on standard error."""

from __future__ import annotations

import sys


def say(message: str, remedy: str = "") -> None:
    """Print a problem, and what to do."""
    from remit.report.screen import visible  # noqa: PLC0415  `--help` has no time for it

    print(f"remit: {visible(message)}", file=sys.stderr)
    if remedy:
        print(f"       {visible(remedy)}", file=sys.stderr)
