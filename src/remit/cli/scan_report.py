"""`remit scan report`: what the results of scans hold, on the screen, as JSON, as Markdown, or as a page with plots."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.progress import Progress
from remit.cli.saving import save
from remit.core.errors import UsageError
from remit.report.scan_words import scan_document
from remit.report.screen import Screen
from remit.scan.report import Options, report
from remit.version import VERSION

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Mapping

    from remit.report.scan_plots import Plot
    from remit.scan.report import Findings

_LEAST_MEMORY = 64  # MB, below which DuckDB cannot work


def scan_report(args: argparse.Namespace) -> int:
    """The command."""
    options = Options(top=args.top, similar=args.similar, memory=max(args.max_memory, _LEAST_MEMORY))
    folder = _folder(args.plots) if args.plots else None
    against = [Path(path) for path in args.against]
    with Progress(8, quiet=args.quiet, verb="reporting") as progress:
        found = report([Path(path) for path in args.results], against, options, progress.step)
        plots = _plots(found) if folder or args.format == "html" else {}
    for name, plot in plots.items() if folder else ():
        assert folder is not None
        save(folder / f"{name}.svg", plot.svg)
    Screen.of(sys.stdout, "never").write(_lines(found, args, plots))
    return 1 if found.changes is not None and found.changes.alarming else 0


def _lines(found: Findings, args: argparse.Namespace, plots: Mapping[str, Plot]) -> Iterable[str]:
    if args.format == "json":
        from remit.report.as_json import pretty  # noqa: PLC0415
        from remit.report.scan_json import scan_json  # noqa: PLC0415

        return [pretty(scan_json(found))]
    document = scan_document(found)
    if args.format == "html":
        from remit.report.document_html import as_html  # noqa: PLC0415

        return as_html(document, plots, VERSION).splitlines()
    if args.format == "md":
        from remit.report.document_md import as_md  # noqa: PLC0415

        return as_md(document)
    from remit.report.document_text import as_text  # noqa: PLC0415

    return as_text(document, Screen.of(sys.stdout, args.color))


def _plots(found: Findings) -> Mapping[str, Plot]:
    from remit.report.scan_plots import scan_plots  # noqa: PLC0415

    return scan_plots(found)


def _folder(name: str) -> Path:
    folder = Path(name)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        message = f"the folder `{name}` cannot be made: {(error.strerror or 'error').lower()}"
        raise UsageError(message, "name a folder inside of one that exists") from None
    return folder
