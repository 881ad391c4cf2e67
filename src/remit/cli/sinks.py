"""Where reports go: one sink a format."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from remit.report.as_json import as_json, dump, pretty
from remit.version import VERSION

if TYPE_CHECKING:
    import argparse

    from remit.report.model import Report


class Sink:
    """Takes reports one after the other; in the order of the skills, or as they come."""

    in_order = True

    def show(self, report: Report) -> None:
        """Show one report."""
        raise NotImplementedError

    def close(self, status: int) -> None:
        """Finish; `status` is what the command will exit with."""


class JsonSink(Sink):
    """One object for one skill, a list for many."""

    def __init__(self, total: int) -> None:
        self.many = total > 1
        self.count = 0

    def show(self, report: Report) -> None:
        """Write it at once: the list need not be held."""
        if self.many:
            sys.stdout.write(",\n  " if self.count else "[\n  ")
        self.count += 1
        sys.stdout.write(pretty(as_json(report), 2 if self.many else 0))

    def close(self, status: int) -> None:  # noqa: ARG002
        """End the list."""
        print("\n]" if self.many else "")


class JsonLinesSink(Sink):
    """One object a line, as soon as it is known."""

    in_order = False

    def show(self, report: Report) -> None:
        """Write one line."""
        print(dump(as_json(report)), flush=True)


class SarifSink(Sink):
    """One SARIF log for all."""

    def __init__(self) -> None:
        self.reports: list[Report] = []

    def show(self, report: Report) -> None:
        """Keep it: rules stand before results."""
        self.reports.append(report)

    def close(self, status: int) -> None:
        """Write the log."""
        from remit.report.as_sarif import as_sarif  # noqa: PLC0415  other formats do without

        print(json.dumps(as_sarif(self.reports, status, VERSION), indent=1))


class TextSink(Sink):
    """For people."""

    def __init__(self, args: argparse.Namespace, total: int) -> None:
        from remit.report.as_text import TextReport  # noqa: PLC0415
        from remit.report.screen import Screen  # noqa: PLC0415

        self.screen = Screen.of(sys.stdout, args.color)
        self.text = TextReport(self.screen, verbose=args.verbose, quiet=args.quiet)
        self.total = total

    def show(self, report: Report) -> None:
        """Write it."""
        self.screen.write(self.text.skill(report))

    def close(self, status: int) -> None:  # noqa: ARG002
        """Sum up many."""
        if self.total > 1:
            self.screen.write(self.text.summary())


def sink_for(args: argparse.Namespace, total: int) -> Sink:
    """The sink for the format that was asked for."""
    if args.format == "json":
        return JsonSink(total)
    if args.format == "jsonl":
        return JsonLinesSink()
    if args.format == "sarif":
        return SarifSink()
    return TextSink(args, total)
