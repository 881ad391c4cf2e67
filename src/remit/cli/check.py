"""`remit check`: from sources to reports and an exit status."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from remit.checker.run import Answer, Run
from remit.cli.check_options import check_options
from remit.cli.discover import OpenSources, open_sources
from remit.cli.messages import say
from remit.cli.progress import Progress
from remit.cli.sinks import COMPARING, sink_for
from remit.core.errors import UsageError
from remit.findings.model import Level
from remit.manifest import read_manifest
from remit.proof import Verdict

if TYPE_CHECKING:
    import argparse

    from remit.checker.report import Report
    from remit.cli.comparison_base import Changes

OK, FOUND, WRONG = 0, 1, 2


class Check:
    """One run of the command."""

    def __init__(self, args: argparse.Namespace, found: OpenSources) -> None:
        self.args = args
        self.folders, self.wrong, self.names = found.folders, found.wrong, found.names
        self.checks = Run(self.folders, check_options(args, self.folders, found.roots))
        self.manifest = read_manifest(Path(args.manifest)) if args.manifest else None

    def run(self) -> int:
        """Check every skill, show the reports, and return the exit status."""
        for error in self.wrong:
            say(error.message, error.remedy)
        if not self.folders:
            return WRONG
        if self.args.counterexample and len(self.folders) > 1:
            raise UsageError(f"--counterexample is for one skill, not for {len(self.folders)}", "name one of them")
        found = self._changes()
        sink = sink_for(self.args, len(self.folders), found, {name: folder for folder, name in self.names.items()})
        status = WRONG if self.wrong or (found and found.failed) else OK
        waiting: dict[int, tuple[Report, int]] = {}
        shown = 0
        with Progress(len(self.folders), quiet=self.args.quiet) as progress:
            for number, answer in self.checks.answers():
                report = self.report(answer)
                progress.step(report.found.skill)
                means = self.status(report)
                status = max(status, means)
                if self.args.counterexample:
                    from remit.cli.replay import write_sessions  # noqa: PLC0415  few ask for it

                    write_sessions(Path(self.args.counterexample), report)
                waiting[number] = report, means
                while sink.in_order and shown in waiting:
                    with progress.hidden():
                        sink.show(*waiting.pop(shown))
                    shown += 1
                if not sink.in_order:
                    sink.show(*waiting.pop(number))
        sink.close(status)
        return status

    def _changes(self) -> Changes | None:
        """Return what changed, for the formats that show it."""
        if self.args.format not in COMPARING and not self.args.against:
            return None
        if self.names:  # a lock lists folders
            if self.args.against:
                raise UsageError("--against compares folders of this disk", "`remit diff OLD NEW` compares two of them")
            return None
        from remit.cli.comparison_base import changes  # noqa: PLC0415  most runs compare with nothing

        return changes(self.args, self.folders)

    def status(self, report: Report) -> int:
        """Return the exit status of one report; 2 is for unreadable skills, whatever `--fail-on` says."""
        if report.failure:
            if self.args.format != "text" or not sys.stdout.isatty():  # there it stands in the report
                say(f"{report.found.path}: {report.failure.message}", report.failure.remedy)
            return WRONG
        return FOUND if _fails(report, self.args.fail_on) else OK

    def report(self, answer: Answer) -> Report:
        """Return the report of effects against the given manifest, or the skill's own."""
        report, notes = self.checks.report(answer, self.manifest)
        name = self.names.get(answer.folder, answer.path)
        for note in notes:
            say(f"{name}: {note}")
        return report._replace(found=replace(report.found, path=name))


def _fails(report: Report, wanted: str) -> bool:
    """Whether a report reaches the threshold of `--fail-on`. A blocking finding always does: no manifest silences it."""
    if wanted == "never":
        return False
    if report.level is Level.BLOCK or (wanted == "review" and report.level is Level.REVIEW):
        return True
    if report.verdict is Verdict.ESCAPES or (wanted == "denied" and report.containment.denied):
        return True
    if wanted == "unread" and report.found.unread:
        return True
    # what is not understood cannot be inside of a manifest; without one it counts if requested
    strict = wanted in ("opaque", "denied", "unread") or (report.manifest is not None and wanted != "escapes")
    return strict and bool(report.found.opaque)


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    args.paths = args.paths or ["."]
    with open_sources(args.paths, quiet=args.quiet) as found:
        return Check(args, found).run()
