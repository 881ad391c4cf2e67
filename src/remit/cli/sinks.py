"""Where reports go: one sink a format."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

from remit.report.as_json import as_json, dump

if TYPE_CHECKING:
    import argparse

    from remit.report.model import Report


class Sink(Protocol):
    """Takes reports one after the other; in the order of the skills, or as they come."""

    in_order: bool

    def show(self, report: Report) -> None:
        """Show one report."""

    def close(self, status: int) -> None:
        """Finish; `status` is what the command will exit with."""


class JsonSink:
    """One object for one skill, a list for many."""

    in_order = True

    def __init__(self, total: int) -> None:
        self.many = total > 1
        self.count = 0

    def show(self, report: Report) -> None:
        text = dump(as_json(report), indent=2)
        if self.many:
            print("[" if not self.count else ",")
            text = "\n".join("  " + line for line in text.split("\n"))
        self.count += 1
        sys.stdout.write(text)

    def close(self, status: int) -> None:
        print("\n]" if self.many else "")


class JsonLinesSink:
    """One object a line, as soon as it is known."""

    in_order = False

    def show(self, report: Report) -> None:
        print(dump(as_json(report)), flush=True)

    def close(self, status: int) -> None:
        """Nothing is left to write."""


class SarifSink:
    """One SARIF log for all."""

    in_order = True

    def __init__(self) -> None:
        self.reports: list[Report] = []

    def show(self, report: Report) -> None:
        self.reports.append(report)

    def close(self, status: int) -> None:
        from remit.report.as_sarif import as_sarif  # noqa: PLC0415

        print(dump(as_sarif(self.reports, status), indent=2))


class TextSink:
    """For people."""

    in_order = True

    def __init__(self, args: argparse.Namespace, total: int) -> None:
        from remit.report.as_text import TextReport  # noqa: PLC0415
        from remit.report.screen import Screen  # noqa: PLC0415

        self.screen = Screen.of(sys.stdout, args.color)
        self.text = TextReport(self.screen, verbose=args.verbose, quiet=args.quiet)
        self.total = total

    def show(self, report: Report) -> None:
        self.screen.write(self.text.skill(report))

    def close(self, status: int) -> None:
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
