"""`remit scan report`: a report on the results of scans, on the screen, as JSON, as Markdown, or as a page."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.progress import Progress
from remit.report.as_json import pretty, scan_json
from remit.report.scan_words import scan_document
from remit.report.screen import Screen
from remit.scan.report import Findings, Options, report
from remit.version import VERSION

if TYPE_CHECKING:
    import argparse


_LEAST_MEMORY = 64  # MB; DuckDB cannot work with less


def scan_report(args: argparse.Namespace) -> int:
    """Run the command."""
    options = Options(top=args.top, similar=args.similar, memory=max(args.max_memory, _LEAST_MEMORY))
    against = [Path(path) for path in args.against]
    with Progress(8, quiet=args.quiet, verb="reporting") as progress:
        found = report([Path(path) for path in args.results], against, options, progress.step)
    Screen.of(sys.stdout, "never").write(_lines(found, args))
    return 1 if found.changes is not None and found.changes.alarming else 0


def _lines(found: Findings, args: argparse.Namespace) -> Iterable[str]:
    if args.format == "json":
        return [pretty(scan_json(found))]
    document = scan_document(found)
    if args.format == "html":
        from remit.report.document_html import as_html  # noqa: PLC0415

        return as_html(document, VERSION).splitlines()
    if args.format == "md":
        from remit.report.document_md import as_md  # noqa: PLC0415

        return as_md(document)
    from remit.report.document_text import as_text  # noqa: PLC0415

    return as_text(document, Screen.of(sys.stdout, args.color))
