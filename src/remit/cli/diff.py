"""`remit diff`: shows what an update changes in what skills can do."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from remit.cli.comparison_sides import Side, compared
from remit.cli.lock_files import remember
from remit.cli.messages import say
from remit.manifest.drift.skill_pairs import SkillSide, pair

if TYPE_CHECKING:
    import argparse

    from remit.checker.report import Failure
    from remit.report.drift_words import Compared
    from remit.report.screen import Screen

OK, FOUND, WRONG = 0, 1, 2


def diff(args: argparse.Namespace) -> int:
    """Run the command."""
    with Side(args.old) as old, Side(args.new) as new:
        sources = [side.source for side in (old, new) if side.source]
        found = remember(args, [*old.folders, *new.folders], sources)
        failures = old.take(found[: len(old.folders)]) + new.take(found[len(old.folders) :])
    for path, failure in failures:
        say(f"{path}: {failure.message}", failure.remedy)
    items = [] if failures and not (old.placed and new.placed) else _compared(old.placed, new.placed)
    _show(args, items, failures)
    return WRONG if failures else _status(args.fail_on, items)


def _compared(old: Sequence[SkillSide], new: Sequence[SkillSide]) -> list[Compared]:
    return [compared(before, after) for before, after in pair(old, new)]


def _status(fail_on: str, items: Sequence[Compared]) -> int:
    if fail_on == "never":
        return OK
    if fail_on == "any":
        return FOUND if any(item.verdict != "same" for item in items) else OK
    return FOUND if any(item.drift.gains for item in items) else OK


def _show(args: argparse.Namespace, items: Sequence[Compared], failures: Sequence[tuple[str, Failure]]) -> None:
    from remit.report.screen import Screen  # noqa: PLC0415

    screen = Screen.of(sys.stdout, args.color)
    if args.format == "json":
        import json  # noqa: PLC0415

        from remit.report.drift_json import drift_json  # noqa: PLC0415

        print(json.dumps(drift_json(items, failures), indent=1))
    elif args.format == "md":
        from remit.report.drift_md import drift_md  # noqa: PLC0415

        screen.write(drift_md(items, failures))
    else:
        show_text(args, screen, items)


def show_text(args: argparse.Namespace, screen: Screen, items: Sequence[Compared], *, short: bool = False) -> None:
    """Print differences for people; of many skills, unchanged ones are only counted."""
    from remit.report.drift_text import DriftText  # noqa: PLC0415

    text = DriftText(screen, verbose=args.verbose, quiet=args.quiet)
    for item in items:
        lines = list(text.line(item) if short else text.skill(item))
        if len(items) == 1 or args.verbose or item.verdict != "same":
            screen.write(lines)
    if len(items) > 1:
        screen.write(text.summary())
