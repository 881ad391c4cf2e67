"""`remit scan`: scans sources into a table, with progress and a summary."""

from __future__ import annotations

import json
import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from remit.checker.workers import cores
from remit.cli.messages import say
from remit.cli.progress import Progress
from remit.core.counting import counted
from remit.findings.model import Level
from remit.scan.conduct import Order, Summary, scan
from remit.scan.look import ScanSettings
from remit.scan.store import default_place
from remit.skill.model import Limits

if TYPE_CHECKING:
    import argparse


OK, FOUND = 0, 1
_MB = 1024 * 1024
_EVERY = 10.0  # seconds between two lines without a terminal


class Watching:
    """Shows progress: a bar with rate and remaining time on a terminal, an occasional line elsewhere."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._bar = Progress(0, quiet=True)
        self._plain = not quiet and not sys.stderr.isatty()
        self._start = self._said = time.monotonic()
        self._before = 0

    def begin(self, total: int, done: int) -> None:
        """Set how many are requested, and how many were done before."""
        self._bar = Progress(total, quiet=self._quiet, verb="scanning", timed=True)
        self._bar.resume(done)
        self._before = done
        self._start = self._said = time.monotonic()
        if done:
            self._say(f"going on: {done} of {total} were done before")

    def step(self, name: str, total: int) -> None:
        """Count one more."""
        self._bar.total = max(total, self._bar.done + 1)
        self._bar.step(name)
        if self._plain and time.monotonic() - self._said >= _EVERY:
            self._said = time.monotonic()
            self._say(f"{self._bar.done}/{self._bar.total} {self._bar.pace()}")

    def end(self) -> None:
        """Clear the line."""
        self._bar.clear()

    def _say(self, text: str) -> None:
        if self._plain:
            print(f"remit: {text}", file=sys.stderr, flush=True)


def scan_command(args: argparse.Namespace) -> int:
    """Run the command."""
    if args.action:
        from remit.cli.scan_report import scan_report  # noqa: PLC0415  with packages that a scan does not need

        return scan_report(args)
    watching = Watching(quiet=args.quiet)
    try:
        summary = scan(_order(args), watching)
    except KeyboardInterrupt:
        watching.end()
        say("what was done is kept", "give the same command again to go on")
        raise
    finally:
        watching.end()
    if summary.begun_anew:
        say("an unfinished scan of another Remit, or with other limits or digests, was started over")
    print(json.dumps(_as_json(args.out, summary)) if args.format == "json" else _as_text(args.out, summary))
    return FOUND if summary.unknown else OK


def _order(args: argparse.Namespace) -> Order:
    limits = Limits(**{name: getattr(args, name) for name in Limits.__dataclass_fields__})
    place = "" if args.no_cache else args.cache or str(default_place())
    settings = ScanSettings(limits, args.max_memory * _MB, args.timeout, place, args.cache_key, args.max_archive_bytes)
    return Order(tuple(args.sources), Path(args.out), settings, args.jobs or cores(), args.ray, args.fresh)


def _as_json(out: str, summary: Summary) -> dict[str, object]:
    return {
        "out": out,
        **{name: round(value, 3) if isinstance(value, float) else value for name, value in summary._asdict().items()},
        "rate": round(summary.rate, 1),
    }


def _as_text(out: str, summary: Summary) -> str:
    counts = {Level(name).words: count for name, count in summary.levels.items()}
    counts["not checked"] = summary.skills - sum(counts.values())
    levels = ", ".join(f"{count} {words}" for words, count in counts.items() if count)
    before = summary.skills - summary.looked_at
    done = f"; {counted(before, 'was', 'were')} done before" if before else ""
    lines = [f"{counted(summary.skills, 'skill')} in {out}: {levels or 'none'}"]
    lines.append(
        f"  {summary.looked_at} looked at in {summary.seconds:.1f} s, {summary.rate:.0f} a second; "
        f"{counted(summary.cached, 'was', 'were')} known{done}"
    )
    lines.append(
        f"  {summary.processor:.1f} s of the processor; peak memory {summary.memory // _MB} MB, "
        f"and {summary.worker_memory // _MB} MB in the largest worker"
    )
    if summary.unknown:
        lines.append(
            f"  {counted(summary.unknown, 'skill or manifest', 'skills or manifests')} could not be read: `error` says why"
        )
    lines.append(f"  the worst first: remit scan report {shlex.quote(out)}")
    return "\n".join(lines)
