"""The skills below the folders of the console. They are looked at behind the pages: no page waits for an analysis."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.result import Effects
from remit.checker.report import Failure, Report, failed, judge_by_own
from remit.core.errors import InputError, RemitError
from remit.findings.codec import decode
from remit.skill.find import find_skills
from remit.web.console.work import Looked, Row, Work

if TYPE_CHECKING:
    from pathlib import Path

    from remit.findings.model import Finding

_MOST_WRONG = 10
_SINGLE = 2  # skills that are looked at on their own at a time: each takes a process


class Known(NamedTuple):
    """A skill: where it is, and what was found when it was last looked at, if it was."""

    ident: str  # in addresses
    folder: Path
    shown: str  # its place below the folder that was given
    looked: Looked | None = None
    level: str = ""  # that was found to hold for what was looked at, since the console was started

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
        self._all: asyncio.Task[None] | None = None
        self._single: dict[str, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(_SINGLE)

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
        return Progress(done, len(self._known), self._all is not None, self._change)

    def look(self) -> None:
        """Look again, at everything: begun now, done later."""
        if self._all is None:
            self._all = asyncio.create_task(self._look_at_all())
            self._all.add_done_callback(self._ended)

    def look_at(self, known: Known) -> None:
        """Look again at one skill, before all others: begun now, done later."""
        ident = known.ident
        if ident not in self._single:
            self._single[ident] = task = asyncio.create_task(self._look_at_one(known.folder))
            task.add_done_callback(self._ended)
            task.add_done_callback(lambda _: self._single.pop(ident))

    def holds(self, known: Known, level: str) -> None:
        """It was found out which level holds for a skill as it was then."""
        now = self._known.get(known.ident)
        if now and now.looked and known.looked and now.looked.content == known.looked.content and now.level != level:
            self._known[known.ident] = now._replace(level=level)
            self._change += 1

    async def stop(self) -> None:
        """Look no further."""
        tasks = [*([self._all] if self._all else []), *self._single.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def report(self, known: Known) -> Report:
        """The report on a skill that was looked at, by its manifest as it is now. It takes milliseconds, and belongs into a thread."""
        looked = known.looked
        assert looked is not None
        if not looked.effects:
            message, remedy = looked.row.failure or ("nothing is known of it", "look again")
            return failed(known.name, known.shown, Failure(message, remedy))
        found, findings = unpacked(known)
        return judge_by_own(found, known.folder, looked.noted, findings)[0]

    # ── behind the pages ──

    def _ended(self, task: asyncio.Task[None]) -> None:
        if task is self._all:
            self._all = None
        self._change += 1
        error = None if task.cancelled() else task.exception()
        if error is not None:
            known = error if isinstance(error, RemitError) else RemitError(f"the look failed ({type(error).__name__})")
            self.wrong = (*self.wrong, known)[-_MOST_WRONG:]

    async def _look_at_all(self) -> None:
        await self._find()
        await self._look(tuple(one.folder for one in self._known.values()))

    async def _look_at_one(self, folder: Path) -> None:
        async with self._room:
            await self._look((folder,))

    async def _look(self, folders: tuple[Path, ...]) -> None:
        missing = dict.fromkeys(folders)
        try:
            async for looked in self._work.look(folders):
                missing.pop(looked.folder, None)
                self._renew(looked)
        except Exception as error:
            message, remedy = f"the look failed ({type(error).__name__})", "look again"
            if isinstance(error, RemitError):
                message, remedy = error.message, error.remedy
            for folder in missing:
                known = self._known.get(ident_of(folder))
                if known and known.looked:  # what was found before does not hold for what it may be now
                    self._renew(
                        Looked(folder, Row(folder.name, "failed", "cannot be read", message, failure=(message, remedy)))
                    )
            raise

    def _renew(self, looked: Looked) -> None:
        ident = ident_of(looked.folder)
        if ident in self._known:
            self._known[ident] = _renewed(self._known[ident], looked)
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
            ident: one._replace(looked=before[ident].looked, level=before[ident].level) if ident in before else one
            for ident, one in found.items()
        }
        self._change += 1


def _renewed(known: Known, looked: Looked) -> Known:
    """What was found now; a level that held for other content does not hold any more."""
    same = known.looked is not None and known.looked.content == looked.content
    return known._replace(looked=looked, level=known.level if same else "")


def unpacked(known: Known) -> tuple[Effects, tuple[Finding, ...]]:
    """What a skill that was looked at can do, and what should worry a person."""
    assert known.looked is not None
    effects, findings = json.loads(zlib.decompress(known.looked.effects))
    return Effects.decode(effects, known.shown), decode(findings)


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
