"""`remit diff`: what an update changes in what skills can do."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.discover import skills
from remit.cli.remembering import read_lock, relative, remember
from remit.cli.saying import say
from remit.core.errors import LockError
from remit.manifest.drift.compare import compare
from remit.manifest.drift.model import NOTHING
from remit.manifest.drift.pairing import Placed, pair
from remit.report.drift_words import Compared
from remit.version import VERSION

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from remit.cli.remembering import Remembered
    from remit.report.model import Failure
    from remit.report.screen import Screen

OK, FOUND, WRONG = 0, 1, 2


class _Side:
    """One side of the comparison: skills in folders, or in a lock file."""

    def __init__(self, given: str) -> None:
        self.given = given
        self.folders: list[Path] = []
        self.placed: list[Placed] = []
        path = Path(given)
        if path.is_file() and path.name.lower() != "skill.md":
            self._lock(path)
            return
        self.folders, wrong = skills([given])
        if wrong:
            raise wrong[0]

    def _lock(self, path: Path) -> None:
        lock = read_lock(path)
        if not lock.intact:
            raise LockError(
                f"`{path}` was edited by hand: its digest is not that of its content",
                "restore it, or write it anew with `remit lock`",
            )
        if lock.remit != VERSION:
            say(f"`{path}` was written by remit {lock.remit}, this is {VERSION}: it may see more, or less, in the same")
        self.placed = [Placed(item.path, f"{path}: {item.path}", item.summary) for item in lock.skills]

    def take(self, found: Sequence[Remembered]) -> list[tuple[str, Failure]]:
        """Place what is remembered of the folders; the failures are returned."""
        failures: list[tuple[str, Failure]] = []
        for item in found:
            if item.summary is not None:
                place = relative(item.folder, Path(self.given))
                self.placed.append(Placed(place, item.folder.as_posix(), item.summary))
            elif item.failure is not None:
                failures.append((item.folder.as_posix(), item.failure))
        return failures


def diff(args: argparse.Namespace) -> int:
    """The command."""
    old, new = _Side(args.old), _Side(args.new)
    found = remember(args, [*old.folders, *new.folders])
    failures = old.take(found[: len(old.folders)]) + new.take(found[len(old.folders) :])
    for path, failure in failures:
        say(f"{path}: {failure.message}", failure.remedy)
    items = [] if failures and not (old.placed and new.placed) else _compared(old.placed, new.placed)
    _show(args, items, failures)
    return WRONG if failures else _status(args.fail_on, items)


def _compared(old: Sequence[Placed], new: Sequence[Placed]) -> list[Compared]:
    return [
        Compared(
            compare(before.summary if before else NOTHING, after.summary if after else NOTHING),
            before.shown if before else None,
            after.shown if after else None,
        )
        for before, after in pair(old, new)
    ]


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
    """Print differences for people; of many skills, those that stayed as they were are only counted."""
    from remit.report.drift_text import DriftText  # noqa: PLC0415

    text = DriftText(screen, verbose=args.verbose, quiet=args.quiet)
    for item in items:
        lines = list(text.line(item) if short else text.skill(item))
        if len(items) == 1 or args.verbose or item.verdict != "same":
            screen.write(lines)
    if len(items) > 1:
        screen.write(text.summary())
