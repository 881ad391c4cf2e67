"""`remit models`: the models of our own state machines, listed and checked."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from remit.cli.progress import Progress
from remit.models.explore.checking import check_all, check_list
from remit.models.explore.expected import read_expected
from remit.models.explore.properties import check_properties, read_properties
from remit.models.explore.registry import MODELS, lying, models
from remit.models.explore.telling import as_json, list_lines, listed_json, table_lines
from remit.report.as_json import pretty
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """The command."""
    chosen = models(args.names)
    screen = Screen.of(sys.stdout, "auto")
    if args.action == "list":
        screen.write([pretty({"models": listed_json(chosen)})] if args.format == "json" else list_lines(chosen))
        return 0
    expected = read_expected()
    with Progress(len(chosen), quiet=args.quiet, verb="exploring") as progress:
        checked = check_all(chosen, expected, progress.step)
    faults = [] if args.names else check_list(MODELS, lying(), {one.name: [red.name for red in one.reds] for one in chosen}, expected)  # fmt: skip
    faults += [] if args.names else check_properties(read_properties(), chosen)
    if args.format == "json":
        screen.write([pretty(as_json(checked, faults))])
    else:
        screen.write([*table_lines(checked), *faults])
    return 1 if faults or any(one.faults for one in checked) else 0
