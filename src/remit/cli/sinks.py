"""Sinks for reports, one for each format."""

from __future__ import annotations

import json
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from remit.report.as_json import dump, pretty
from remit.version import VERSION

if TYPE_CHECKING:
    import argparse

    from remit.checker.report import Report
    from remit.cli.comparison_base import Changes
    from remit.report.drift_words import Compared


COMPARING = ("md", "html")  # formats that show what changed


class Sink(ABC):
    """Takes reports one by one; in the order of the skills, or as they come."""

    in_order = True

    @abstractmethod
    def show(self, report: Report, status: int) -> None:
        """Show one report; `status` is its exit status."""

    def close(self, status: int) -> None:  # noqa: B027  (most sinks have nothing to finish)
        """Finish; `status` is the exit status of the command."""


class JsonSink(Sink):
    """One object for one skill, a list for many."""

    def __init__(self, total: int) -> None:
        self.many = total > 1
        self.count = 0

    def show(self, report: Report, status: int) -> None:  # noqa: ARG002
        """Write it at once: the list is not kept in memory."""
        if self.many:
            sys.stdout.write(",\n  " if self.count else "[\n  ")
        self.count += 1
        sys.stdout.write(pretty(report.to_dict(), 2 if self.many else 0))

    def close(self, status: int) -> None:  # noqa: ARG002
        """End the list."""
        print("\n]" if self.many else "")


class JsonLinesSink(Sink):
    """One object a line, as soon as it is known."""

    in_order = False

    def show(self, report: Report, status: int) -> None:  # noqa: ARG002
        """Write one line."""
        print(dump(report.to_dict()), flush=True)


class WholeSink(Sink):
    """One text for all, written at the end: sums and rules precede what they are about."""

    def __init__(self) -> None:
        self.checked: list[tuple[Report, int]] = []

    def show(self, report: Report, status: int) -> None:
        """Keep it."""
        self.checked.append((report, status))


class SarifSink(WholeSink):
    """One SARIF log."""

    def close(self, status: int) -> None:
        """Write the log."""
        from remit.report.as_sarif import as_sarif  # noqa: PLC0415  other formats do without

        print(json.dumps(as_sarif([report for report, _ in self.checked], status, VERSION), indent=1))


class JunitSink(WholeSink):
    """One suite of tests."""

    def close(self, status: int) -> None:  # noqa: ARG002
        """Write the suite."""
        from remit.report.as_junit import as_junit  # noqa: PLC0415

        print(as_junit(self.checked))


class MarkdownSink(WholeSink):
    """One summary."""

    def __init__(self, changes: Changes | None) -> None:
        super().__init__()
        self.changes = changes

    def close(self, status: int) -> None:
        """Write the summary."""
        from remit.report.as_md import as_md  # noqa: PLC0415

        found = self.changes
        compared = found.by_folder if found else None
        print(
            "\n".join(as_md([report for report, _ in self.checked], status, compared, found.missing if found else ()))
        )


class HtmlSink(WholeSink):
    """One page."""

    def __init__(self, args: argparse.Namespace, changes: Changes | None, folders: Mapping[str, Path]) -> None:
        super().__init__()
        self.args = args
        self.folders = folders  # paths of skills that reports name differently
        self.compared = changes.by_folder if changes else {}
        self.missing = changes.missing if changes else ()

    def close(self, status: int) -> None:
        """Write the page."""
        from remit.cli.source_lines import limits_of, lines_of  # noqa: PLC0415
        from remit.report.as_html import as_html  # noqa: PLC0415
        from remit.report.html_model import SkillPage  # noqa: PLC0415

        limits, sources = limits_of(self.args), [Path(path) for path in self.args.paths]
        shown = [
            SkillPage(report, means, lines_of(report, limits, self._folder(report), sources), self._change(report))
            for report, means in self.checked
        ]
        sys.stdout.write(as_html(shown, status, VERSION, self.missing))

    def _folder(self, report: Report) -> Path:
        return self.folders.get(report.found.path) or Path(report.found.path)

    def _change(self, report: Report) -> Compared | None:
        return self.compared.get(report.found.path)


class TextSink(Sink):
    """Text for people."""

    def __init__(self, args: argparse.Namespace, total: int) -> None:
        from remit.report.as_text import TextReport  # noqa: PLC0415
        from remit.report.screen import Screen  # noqa: PLC0415

        self.screen = Screen.of(sys.stdout, args.color)
        self.text = TextReport(self.screen, verbose=args.verbose, quiet=args.quiet, many=total > 1)
        self.total = total

    def show(self, report: Report, status: int) -> None:  # noqa: ARG002
        """Write it."""
        self.screen.write(self.text.skill(report))

    def close(self, status: int) -> None:  # noqa: ARG002
        """Print the summary of several."""
        if self.total > 1:
            self.screen.write(self.text.summary())


_SINKS: Mapping[str, Callable[[argparse.Namespace, int, Changes | None, Mapping[str, Path]], Sink]] = {
    "text": lambda args, total, *_: TextSink(args, total),
    "json": lambda _, total, *__: JsonSink(total),
    "jsonl": lambda *_: JsonLinesSink(),
    "sarif": lambda *_: SarifSink(),
    "junit": lambda *_: JunitSink(),
    "md": lambda _, __, changes, ___: MarkdownSink(changes),
    "html": lambda args, _, changes, folders: HtmlSink(args, changes, folders),
}


def sink_for(
    args: argparse.Namespace, total: int, changes: Changes | None, folders: Mapping[str, Path] | None = None
) -> Sink:
    """Return the sink for the requested format. `folders` gives the paths of skills that reports name differently."""
    return _SINKS[args.format](args, total, changes, folders or {})
