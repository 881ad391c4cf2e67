"""One side of a comparison: skills in folders, in a lock file, or in a revision of a Git repository."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Self

from remit.cli.discover import skills
from remit.cli.lock_files import Remembered, read_lock, relative
from remit.cli.messages import say
from remit.cli.revisions import extract, toplevel
from remit.core.errors import LockError, UsageError
from remit.manifest.drift.compare import compare
from remit.manifest.drift.model import NOTHING
from remit.manifest.drift.skill_pairs import SkillSide
from remit.report.drift_words import Compared
from remit.version import VERSION

if TYPE_CHECKING:
    from remit.checker.report import Failure

GIT = "git:"  # before the name of a revision


class _FoundSkill(NamedTuple):
    """A folder with a skill: its place, and its name in reports."""

    folder: Path
    place: str
    shown: str


class Side:
    """The skills on one side. As a context, it lays a revision out while the context lasts."""

    def __init__(self, given: str, paths: Sequence[str] = ()) -> None:
        self._stack = ExitStack()
        self._found: list[_FoundSkill] = []
        self.placed: list[SkillSide] = []
        self.base = Path(given)  # the folder to which places are relative
        self.roots: tuple[str, ...] = (".",)  # where it searched for skills, relative to the base
        self.source: Path | None = None  # a folder that contains the skills
        self.is_rooted = True  # whether present skills can be named relative to the same folder
        path = Path(given)
        if given.startswith(GIT):
            self._revision(given.removeprefix(GIT), paths)
        elif path.is_file() and path.name.lower() != "skill.md":
            self._lock(path)
        else:
            self._folder(given)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @property
    def folders(self) -> list[Path]:
        """Return the folders that are still to be analysed."""
        return [one.folder for one in self._found]

    def _folder(self, given: str) -> None:
        folders, wrong = skills([given])
        if wrong:
            raise wrong[0]
        self.is_rooted, self.source = False, self.base
        self._found = [_FoundSkill(folder, relative(folder, self.base), folder.as_posix()) for folder in folders]

    def _lock(self, path: Path) -> None:
        lock = read_lock(path)
        if not lock.intact:
            raise LockError(
                f"`{path}` was edited by hand: its digest is not that of its content",
                "restore it, or write it again with `remit lock`",
            )
        if lock.remit != VERSION:
            say(f"`{path}` was written by remit {lock.remit}, this is {VERSION}: it may see more, or less, in the same")
        self.base, self.roots = path.parent, lock.roots
        self.placed = [SkillSide(item.path, f"{path}: {item.path}", item.summary) for item in lock.skills]

    def _revision(self, revision: str, paths: Sequence[str]) -> None:
        """Lay out the skills of a revision that are at `paths`, in a folder of their own."""
        self.base = toplevel(Path(paths[0]) if paths else Path())
        inside = [relative(path, self.base) for path in paths or (".",)]
        if any(place == os.pardir or place.startswith(os.pardir + "/") for place in inside):
            raise UsageError("the paths are in more than one repository", "check those of one repository at a time")
        with ExitStack() as stack:  # a failure leaves nothing behind
            into = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="remit-")))
            extract(self.base, revision, inside, into)
            self.source = into
            self._stack = stack.pop_all()
        there = [str(into / place) for place in inside if (into / place).exists()]
        folders = skills(there)[0] if there else []  # having none there is no error: all are new
        self._found = [
            _FoundSkill(folder, relative(folder, into), f"{revision}: {relative(folder, into)}") for folder in folders
        ]

    def take(self, found: Sequence[Remembered]) -> list[tuple[str, Failure]]:
        """Add summaries of the folders; return the failures."""
        failures: list[tuple[str, Failure]] = []
        for one, item in zip(self._found, found, strict=True):
            if item.summary is not None:
                self.placed.append(SkillSide(one.place, one.shown, item.summary))
            elif item.failure is not None:
                failures.append((one.shown, item.failure))
        return failures


def lies_in(place: str, roots: Iterable[str]) -> bool:
    """Whether a place is one of some others, or below one."""
    return any(root in (".", place) or place.startswith(f"{root}/") for root in roots)


def compared(before: SkillSide | None, after: SkillSide | None) -> Compared:
    """Return one skill on both sides; what is on one side alone is compared with nothing."""
    return Compared(
        compare(before.summary if before else NOTHING, after.summary if after else NOTHING),
        before.shown if before else None,
        after.shown if after else None,
    )
