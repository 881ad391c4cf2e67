"""`remit label`: the label of a skill for a registry, as JSON and as a badge."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remit.bundle.admission_state import FailedStep
from remit.bundle.folder import analyse, look
from remit.bundle.label import label_value
from remit.cli.atomic_write import save
from remit.cli.check_options import check_options
from remit.core.errors import InputError
from remit.report.as_json import pretty
from remit.report.badge import badge

if TYPE_CHECKING:
    import argparse


def label(args: argparse.Namespace) -> int:
    """Run the command."""
    options = check_options(args)
    looked = look(args.path, options.limits)
    if isinstance(looked.held, FailedStep):
        raise InputError(looked.held.why, "remove it from the skill")
    found = analyse(looked, options)
    if isinstance(found, FailedStep):
        raise InputError(f"`{args.path}`: {found.why}", "a label needs a whole analysis")
    value = label_value(found.effects, found.findings, looked.held.content)
    if args.svg:
        save(Path(args.svg), badge(value))
    print(pretty(value))
    return 0
