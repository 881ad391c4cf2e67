"""The base of a comparison: `--against`, or the lock file in the current folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.comparison_sides import Side, compared, lies_in
from remit.cli.lock_files import relative, remember
from remit.cli.messages import say
from remit.cli.sinks import COMPARING
from remit.core.errors import UsageError
from remit.manifest.drift.lockfile import NAME
from remit.manifest.drift.skill_pairs import SkillSide, pair

if TYPE_CHECKING:
    import argparse

    from remit.report.drift_words import Compared


class Changes:
    """The changes in the skills of a run, by folder; and skills that are gone."""

    def __init__(self, found: Sequence[Compared], *, failed: bool) -> None:
        self.by_folder = {one.new: one for one in found if one.new is not None}
        self.missing = tuple(one for one in found if one.new is None)
        self.failed = failed  # whether an old skill could not be read: its changes are unknown


def changes(args: argparse.Namespace, folders: Sequence[Path]) -> Changes | None:
    """Return the changes; None if there is nothing to compare with."""
    if args.against and args.format not in COMPARING:
        raise UsageError(
            f"--against is for --format {' or '.join(COMPARING)}", "`remit diff OLD NEW` prints texts and JSON"
        )
    old = args.against or (NAME if Path(NAME).is_file() else "")
    if not old:
        return None
    with Side(old, args.paths) as side:
        known = len(side.folders)
        found = remember(args, [*side.folders, *folders], [side.source] if side.source else [])
        failures = side.take(found[:known])
        for shown, failure in failures:
            say(f"{shown}: {failure.message}", failure.remedy)
        base = side.base if side.is_rooted else Path(args.paths[0])
        new = [
            SkillSide(relative(item.folder, base), item.folder.as_posix(), item.summary)
            for item in found[known:]
            if item.summary is not None
        ]
        if not args.against:  # a lock file that was not named explicitly is only about its own skills
            new = [one for one in new if lies_in(one.path, side.roots)]
        meant = [relative(path, base) for path in args.paths] if side.is_rooted else ["."]
        before = [one for one in side.placed if lies_in(one.path, meant)]
    return Changes([compared(one, other) for one, other in pair(before, new)], failed=bool(failures))
