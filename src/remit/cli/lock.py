"""`remit lock`: records what skills can do, checks that it is unchanged, accepts changes."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from remit.cli.atomic_write import save
from remit.cli.comparison_sides import lies_in
from remit.cli.diff import FOUND, OK, WRONG, show_text
from remit.cli.discover import skills
from remit.cli.lock_files import read_lock, relative, remember
from remit.cli.messages import say
from remit.cli.source_lines import limits_of
from remit.core.counting import counted
from remit.core.errors import InputError, LimitError, LockError, UsageError
from remit.manifest.drift.compare import compare
from remit.manifest.drift.content import content_digest
from remit.manifest.drift.lockfile import NAME, Lock, Locked, compact, render
from remit.manifest.drift.model import NOTHING, Drift, Summary
from remit.report.drift_words import Compared
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse


def lock(args: argparse.Namespace) -> int:
    """Run the command."""
    path = Path(args.output)
    if args.check and args.output == NAME and not os.path.lexists(path):  # a lock that is named must exist
        say(f"there is no {NAME} here, so nothing is compared", "`remit lock` remembers what skills can do now")
        return OK
    return _Locked(args, path, read_lock(path)).run() if args.check or args.update else _write_all(args, path)


def _write_all(args: argparse.Namespace, path: Path) -> int:
    """Write a lock of everything at or below the paths, or none at all."""
    given = args.paths or ["."]
    folders, wrong = skills(given)
    for error in wrong:
        say(error.message, error.remedy)
    _outside(path, folders)
    found = None if wrong else _remembered(args, {relative(folder, path.parent): folder for folder in folders})
    if found is None:
        return WRONG
    roots = tuple(sorted({relative(root, path.parent) for root in given}))
    _save(path, Lock(roots, tuple(Locked(place, summary) for place, summary in found.items())))
    _tell(args, f"{path}: {counted(len(found), 'skill')} locked")
    return OK


def _outside(path: Path, folders: Sequence[Path]) -> None:
    """Refuse a lock inside a skill: it would be a file of the skill, and change what it locks."""
    place = os.path.realpath(path)
    for folder in folders:
        if place.startswith(os.path.realpath(folder) + os.sep):
            raise UsageError(
                f"the lock `{path}` would be inside of the skill `{folder.as_posix()}`, and change it",
                "name a location outside of the skill with --output",
            )


def _remembered(args: argparse.Namespace, folders: Mapping[str, Path]) -> dict[str, Summary] | None:
    """Return the summaries of some folders, by place; None, after a message, if one of them cannot be read."""
    out: dict[str, Summary] = {}
    for place, item in zip(folders, remember(args, list(folders.values())), strict=True):
        if item.failure:
            say(f"{item.folder.as_posix()}: {item.failure.message}", item.failure.remedy)
        elif item.summary is not None:
            out[place] = item.summary
    return out if len(out) == len(folders) else None


class _Locked:
    """An existing lock, compared with the folders."""

    def __init__(self, args: argparse.Namespace, path: Path, before: Lock) -> None:
        self.args = args
        self.path = path
        self.before = before
        self.given = args.paths or [str(path.parent / root) for root in before.roots]

    def run(self) -> int:
        """Check or update."""
        if not self.before.intact:
            message = f"`{self.path}` was edited by hand: its digest is not that of its content"
            if self.args.update:  # a manual edit would stay, and look like a result
                raise LockError(message, "restore it, or write it again with `remit lock`")
            say(message, "restore it, or write it again with `remit lock`")
        folders = self._folders()
        known = {item.path: item.summary for item in self.before.skills if self._meant(item.path)}
        same = {
            place
            for place, folder in folders.items()
            if place in known and self._content(folder) == known[place].content
        }
        found = _remembered(self.args, {place: folder for place, folder in folders.items() if place not in same})
        if found is None:
            return WRONG
        drifts = [self._compared(place, known, found, same) for place in sorted({*known, *folders})]
        self._show(drifts)
        if self.args.update:
            return self._update(found, {*known} - {*folders})
        return FOUND if not self.before.intact or any(item.verdict != "same" for item in drifts) else OK

    def _folders(self) -> dict[str, Path]:
        """Return the skills at or below the paths. A path of the lock without skills is a result, not an error."""
        folders, wrong = skills(self.given)
        for error in wrong:
            if self.args.paths or isinstance(error, LimitError):
                raise error
        return {relative(folder, self.path.parent): folder for folder in folders}

    def _meant(self, place: str) -> bool:
        """Whether a skill of the lock is at or below the paths."""
        return lies_in(place, [relative(path, self.path.parent) for path in self.given])

    def _content(self, folder: Path) -> str:
        """Return the digest of a folder's present content; empty if it cannot be read, which the analysis then reports."""
        from remit.skill.find import link_boundary  # noqa: PLC0415
        from remit.skill.walk import Walker  # noqa: PLC0415

        try:
            tree = Walker(folder, limits_of(self.args), link_boundary(folder, map(Path, self.given))).run()
        except InputError:
            return ""
        return content_digest(tree.files, tree.links)

    def _compared(
        self, place: str, known: Mapping[str, Summary], found: Mapping[str, Summary], same: set[str]
    ) -> Compared:
        before = known.get(place)
        if before is not None and place in same:
            return Compared(Drift(before, before), place, place)
        after = found.get(place)
        drift = compare(before or NOTHING, after or NOTHING)
        return Compared(drift, place if before else None, place if after else None)

    def _show(self, drifts: Sequence[Compared]) -> None:
        show_text(self.args, Screen.of(sys.stdout, self.args.color), drifts, short=not self.args.verbose)
        if any(item.verdict != "same" for item in drifts) and self.args.check:
            _tell(self.args, "`remit lock --check -v` shows everything, `remit lock --update` accepts it")

    def _update(self, found: Mapping[str, Summary], gone: set[str]) -> int:
        """Write what changed; the rest stays as recorded."""
        if not found and not gone:
            _tell(self.args, f"{self.path}: nothing to update")
            return OK
        kept = {item.path: item.summary for item in self.before.skills if item.path not in gone}
        kept |= {place: compact(summary) for place, summary in found.items()}
        roots = {*self.before.roots, *(relative(path, self.path.parent) for path in self.args.paths)}
        _save(self.path, Lock(tuple(sorted(roots)), tuple(Locked(*item) for item in kept.items())))
        _tell(self.args, f"{self.path}: {counted(len(found), 'skill')} written, {len(gone)} dropped")
        return OK


def _tell(args: argparse.Namespace, text: str) -> None:
    if not args.quiet:
        print(text)


def _save(path: Path, value: Lock) -> None:
    try:
        save(path, render(value))
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise UsageError(f"the lock `{path}` cannot be written: {reason}", "give another place with --output") from None
