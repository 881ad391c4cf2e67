"""The skills below the console's folders. They are analysed in the background: no page waits for an analysis."""

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
from remit.web.console.work import AnalysedSkill, SkillRow, Work

if TYPE_CHECKING:
    from pathlib import Path

    from remit.findings.model import Finding

_MOST_WRONG = 10
_SINGLE = 2  # skills analysed separately at a time, each in a process of its own


class KnownSkill(NamedTuple):
    """A skill: its location, and the result of the last analysis, if any."""

    ident: str  # in URLs
    folder: Path
    shown: str  # path below the given folder
    looked: AnalysedSkill | None = None
    level: str = ""  # verified evidence level of the analysed content, since the console was started

    @property
    def name(self) -> str:
        """The name in its metadata, else of its folder."""
        return self.looked.row.name if self.looked else self.folder.name


class Progress(NamedTuple):
    """Progress of the analysis. `change` counts all changes: a page with an older number reloads."""

    done: int
    total: int
    busy: bool
    change: int


class Library:
    """All skills, ordered by path."""

    def __init__(self, folders: tuple[Path, ...], work: Work) -> None:
        self.folders = folders
        self.wrong: tuple[RemitError, ...] = ()  # errors of folders and of analyses
        self._work = work
        self._known: dict[str, KnownSkill] = {}
        self._change = 0
        self._all: asyncio.Task[None] | None = None
        self._single: dict[str, asyncio.Task[None]] = {}
        self._room = asyncio.Semaphore(_SINGLE)

    def skills(self) -> Iterable[KnownSkill]:
        """Return all skills."""
        return self._known.values()

    def get(self, ident: str) -> KnownSkill | None:
        """Return the skill with this id, or None."""
        return self._known.get(ident)

    @property
    def progress(self) -> Progress:
        """The progress of the analysis."""
        done = sum(one.looked is not None for one in self._known.values())
        return Progress(done, len(self._known), self._all is not None, self._change)

    def look(self) -> None:
        """Start an analysis of everything."""
        if self._all is None:
            self._all = asyncio.create_task(self._look_at_all())
            self._all.add_done_callback(self._ended)

    def look_at(self, known: KnownSkill) -> None:
        """Start an analysis of one skill, before all others."""
        ident = known.ident
        if ident not in self._single:
            self._single[ident] = task = asyncio.create_task(self._look_at_one(known.folder))
            task.add_done_callback(self._ended)
            task.add_done_callback(lambda _: self._single.pop(ident))

    def holds(self, known: KnownSkill, level: str) -> None:
        """Store the verified level of a skill, if its content is still the same."""
        now = self._known.get(known.ident)
        if now and now.looked and known.looked and now.looked.content == known.looked.content and now.level != level:
            self._known[known.ident] = now._replace(level=level)
            self._change += 1

    async def stop(self) -> None:
        """Cancel all analyses."""
        tasks = [*([self._all] if self._all else []), *self._single.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def report(self, known: KnownSkill) -> Report:
        """Return the report on an analysed skill, by its manifest as it is now.

        Takes milliseconds; call it in a thread.
        """
        looked = known.looked
        assert looked is not None
        if not looked.effects:
            message, remedy = looked.row.failure or ("there is no result for it", "look again")
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
                if known and known.looked:  # the earlier result may not hold any more
                    self._renew(
                        AnalysedSkill(
                            folder,
                            SkillRow(folder.name, "failed", "cannot be read", message, failure=(message, remedy)),
                        )
                    )
            raise

    def _renew(self, looked: AnalysedSkill) -> None:
        ident = ident_of(looked.folder)
        if ident in self._known:
            self._known[ident] = _renewed(self._known[ident], looked)
            self._change += 1

    async def _find(self) -> None:
        """Find the skills. Earlier results are kept until they are renewed."""
        listed = [(folder, *await asyncio.to_thread(_below, folder)) for folder in self.folders]
        found = {
            ident_of(skill): KnownSkill(ident_of(skill), skill, shown_below(skill, folder))
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


def _renewed(known: KnownSkill, looked: AnalysedSkill) -> KnownSkill:
    """Return the skill with a new result; a level verified for other content is dropped."""
    same = known.looked is not None and known.looked.content == looked.content
    return known._replace(looked=looked, level=known.level if same else "")


def unpacked(known: KnownSkill) -> tuple[Effects, tuple[Finding, ...]]:
    """Return the effects and findings of an analysed skill."""
    assert known.looked is not None
    effects, findings = json.loads(zlib.decompress(known.looked.effects))
    return Effects.decode(effects, known.shown), decode(findings)


def ident_of(folder: Path) -> str:
    """Return the id of a folder in URLs."""
    return sha256(str(folder).encode("utf-8", "surrogateescape")).hexdigest()[:16]


def shown_below(skill: Path, folder: Path) -> str:
    """Return the path of a skill below the given folder; for that folder itself, its name."""
    inside = skill.relative_to(folder).as_posix()
    return folder.name if inside == "." else inside


def _below(folder: Path) -> tuple[list[Path], RemitError | None]:
    try:
        return find_skills(folder), None
    except InputError as error:
        return [], error
