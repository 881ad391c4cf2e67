"""`remit verify`: verifies the bundle of a folder against a trust root, and prints the level that holds."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.store import state_folder
from remit.bundle.trust_read import parse_moment
from remit.bundle.verify import verify as verified
from remit.cli.check_options import check_options
from remit.core.errors import UsageError
from remit.report.admission import as_json, as_text
from remit.report.as_json import pretty
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse

OK, FOUND = 0, 1


def verify(args: argparse.Namespace) -> int:
    """Run the command."""
    state = Path(args.state) if args.state else state_folder()
    options, now = check_options(args), _now(args.at)
    root = Path(args.trust_root)
    answer = verified(args.path, root, now, state, options, remember=not args.at, checkout=args.checkout)
    if args.format == "json":
        print(pretty(as_json(answer)))
    else:
        Screen.of(sys.stdout, args.color).write(as_text(answer, Screen.of(sys.stdout, args.color)))
    return OK if answer.holds else FOUND


def _now(text: str | None) -> datetime:
    if text is None:
        return datetime.fromtimestamp(time.time(), UTC)
    found = parse_moment(text)
    if found is None:
        raise UsageError(f"`{text}` is not a time", "write it as 2026-01-31T00:00:00Z")
    return found
