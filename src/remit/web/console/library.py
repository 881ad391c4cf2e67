"""The skills below the folders of the console. They are looked at behind the pages: no page waits for an analysis."""

from __future__ import annotations

import asyncio
import json
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.result import Effects
from remit.core.errors import InputError, RemitError
from remit.report.model import Failure, Report, failed, judge_by_own
from remit.skill.find import find_skills

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from remit.web.console.work import Looked, Work


class Known(NamedTuple):
    """A skill: where it is, and what was found when it was last looked at, if it was."""

    ident: str  # in addresses
    folder: Path
    shown: str  # its place below the folder that was given
    looked: Looked | None = None

    @property
    def name(self) -> str:
        """As it calls itself, or as its folder is called."""
        return self.looked.row.name if self.looked else self.folder.name


class Progress(NamedTuple):
    """How far the look is. `change` counts everything that changed: whoever has an older number asks again."""

    done: int
    total: int
    busy: bool
    change: int


class Library:
    """All skills, in the order of their places."""

    def __init__(self, folders: tuple[Path, ...], work: Work) -> None:
        self.folders = folders
        self.wrong: tuple[RemitError, ...] = ()  # why a folder, or the look, yields nothing
        self._work = work
        self._known: dict[str, Known] = {}
        self._change = 0
        self._found = False
        self._waiting: dict[str, Path] = {}
        self._task: asyncio.Task[None] | None = None

    def skills(self) -> Iterable[Known]:
        """All of them."""
        return self._known.values()

    def get(self, ident: str) -> Known | None:
        """The skill of an address."""
        return self._known.get(ident)

    @property
    def progress(self) -> Progress:
        """How far the look is."""
        done = sum(one.looked is not None for one in self._known.values())
        return Progress(done, len(self._known), self._task is not None or not self._found, self._change)

    def look(self) -> None:
        """Look again, at everything: begun now, done later."""
        self._found = False
        self._begin()

    def look_at(self, known: Known) -> None:
        """Look again at one skill: begun now, done later."""
        self._waiting[known.ident] = known.folder
        self._begin()

    async def stop(self) -> None:
        """Look no further."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def report(self, known: Known) -> Report:
        """The report on a skill that was looked at, by its manifest as it is now. It takes milliseconds, and belongs into a thread."""
        looked = known.looked
        assert looked is not None
        if not looked.effects:
            message, remedy = looked.row.failure or ("nothing is known of it", "look again")
            return failed(known.name, known.shown, Failure(message, remedy))
        found = effects_of(known)
        return judge_by_own(found, known.folder, looked.noted)[0]

    # ── behind the pages ──

    def _begin(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._run())
            self._task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._task = None
        self._change += 1
        if task.cancelled():
            return
        error = task.exception()
        if error is not None:
            self._waiting.clear()
            self._found = True
            known = error if isinstance(error, RemitError) else RemitError(f"the look failed ({type(error).__name__})")
            self.wrong = (*self.wrong, known)

    async def _run(self) -> None:
        while not self._found or self._waiting:
            if not self._found:
                await self._find()
            folders, self._waiting = tuple(self._waiting.values()), {}
            async for looked in self._work.look(folders):
                ident = ident_of(looked.folder)
                if ident in self._known:
                    self._known[ident] = self._known[ident]._replace(looked=looked)
                    self._change += 1

    async def _find(self) -> None:
        """What is there now. What was known of a skill stays until it is known anew."""
        listed = [(folder, *await asyncio.to_thread(_below, folder)) for folder in self.folders]
        found = {
            ident_of(skill): Known(ident_of(skill), skill, shown_below(skill, folder))
            for folder, skills, _ in listed
            for skill in skills
        }
        self.wrong = tuple(error for _, _, error in listed if error)
        before = self._known
        self._known = {
            ident: one._replace(looked=before[ident].looked) if ident in before else one for ident, one in found.items()
        }
        self._waiting = {ident: one.folder for ident, one in self._known.items()}
        self._found = True
        self._change += 1


def effects_of(known: Known) -> Effects:
    """What a skill that was looked at can do."""
    assert known.looked is not None
    return Effects.decode(json.loads(zlib.decompress(known.looked.effects)), known.shown)


def ident_of(folder: Path) -> str:
    """What stands for a folder in addresses."""
    return sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def shown_below(skill: Path, folder: Path) -> str:
    """The place of a skill, from the folder that was given on; that folder itself by its name."""
    inside = skill.relative_to(folder).as_posix()
    return folder.name if inside == "." else inside


def _below(folder: Path) -> tuple[list[Path], RemitError | None]:
    try:
        return find_skills(folder), None
    except InputError as error:
        return [], error
