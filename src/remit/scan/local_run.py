"""Scans with processes of this machine: independent workers open places and check skills.

If a worker dies, its skill is retried once, and a second failure becomes a row that says so. A place is opened when
skills run short, and what was unpacked is removed when its last skill is done, so that only a small part of a registry
is on the disk at a time.
"""

from __future__ import annotations

import json
import os
import shutil
from collections import Counter, deque
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any, NamedTuple

from remit.checker.workers import Crash, Job, Pool
from remit.core.counting import counted
from remit.core.errors import InputError, RemitError
from remit.scan.finding import Finding, LocatedResult, unknown
from remit.scan.look import ScanSettings, look
from remit.scan.places import Bad, Item, PlaceKind, SkillSource, Wanted, decode, encode, located, spelled
from remit.scan.store import open_store
from remit.skill.find import find_skills
from remit.skill.walk import shown
from remit.sources.repository import name_of, read_repository
from remit.sources.unpack import ARCHIVES, Bounds, unpack


def open_place(place: SkillSource, staging: str, bounds: Bounds) -> list[Wanted]:
    """Return the skills of a place, in a folder of its own below `staging`; InputError if it cannot be opened.

    The folder has the name of the place, because a skill without a name takes that of its folder.
    """
    shutil.rmtree(staging, ignore_errors=True)
    root = os.path.join(staging, "opened", _stem(place))
    os.makedirs(root, mode=0o700)
    lacking: dict[str, str] = {}
    if place.kind is PlaceKind.ARCHIVE:
        unpack(place.where, root, bounds)
    else:
        scratch = os.path.join(staging, "fetched")
        lacking = read_repository(place.where, place.revision, root, scratch, bounds).refused
    try:
        folders = [str(folder) for folder in find_skills(root, nested=True)]
    except InputError as error:  # the name of the folder is ours, and differs in the next scan
        if not lacking:
            raise InputError(error.message.replace(shown(root), shown(place.source)), error.remedy) from None
        folders = []
    paths = {os.path.relpath(folder, root): folder for folder in folders}
    found = [_item(place, path, paths.get(path, ""), lacking) for path in sorted({*paths, *lacking})]
    if place.digest and len(found) > 1:
        raise InputError(f"it holds {counted(len(found), 'skill')}, and one digest", "put each on its own line")
    return found


def _item(place: SkillSource, path: str, folder: str, lacking: dict[str, str]) -> Wanted:
    named = spelled(path)
    location = located(place.source, named)
    if path in lacking:
        return Bad(location, place.source, named, lacking[path], place.called)
    return Item(location, place.source, named, folder, place.called, place.digest)


def _stem(place: SkillSource) -> str:
    if place.kind is PlaceKind.REPOSITORY:
        stem = name_of(place.where)
    else:
        name = os.path.basename(place.where)
        ending = next((end for end in sorted(ARCHIVES, key=len, reverse=True) if name.lower().endswith(end)), "")
        stem = name[: len(name) - len(ending)]
    return stem if stem not in ("", ".", "..") else "skill"


_TRIES = 2
_OPENING = 10  # time limit for opening a place, in multiples of the limit for a skill


class ScanAnswer(NamedTuple):
    """One skill of a scan, and its result."""

    item: Item
    seen: LocatedResult


class Here:
    """One run over the requested skills."""

    def __init__(self, settings: ScanSettings, staging: str, workers: int) -> None:
        self.settings = settings
        self.staging = staging
        self.found = 0  # skills in places, so far
        self.opened = 0  # places opened, so far
        self._ready: deque[Item] = deque()
        self._tries: Counter[bytes] = Counter()
        self._again: deque[bytes] = deque()
        self._unpacked: Counter[str] = Counter()  # skills that are not done yet, by the folder of their place
        self.pool = Pool(_worker(settings), workers, memory=settings.memory)

    def run(self, wanted: Iterable[Wanted], done: Container[str] = ()) -> Iterator[ScanAnswer]:
        """Yield a result for every requested skill that is not done, as they come."""
        waiting = iter(wanted)
        refused: deque[Bad] = deque()

        def take() -> Job | None:
            while True:
                if self._ready:
                    return self._job(self._ready.popleft())
                following = next(waiting, None)
                if following is None:
                    return Job(self._again.popleft(), self.settings.timeout) if self._again else None
                if following.location in done and not isinstance(following, SkillSource):
                    continue
                if isinstance(following, Bad):
                    refused.append(following)
                else:
                    return self._job(following)

        for job, answer in self.pool.work_off(take):
            yield from self._answered(job, answer, done)
            yield from _refusals(refused)
        yield from _refusals(refused)

    def _job(self, wanted: Item | SkillSource) -> Job:
        if isinstance(wanted, Item):
            return Job(_dump({"look": encode(wanted)}), self.settings.timeout)
        self.opened += 1
        folder = os.path.join(self.staging, str(self.opened))
        return Job(_dump({"open": encode(wanted), "into": folder}), self.settings.timeout * _OPENING)

    def _answered(self, job: Job, answer: bytes | Crash, done: Container[str]) -> Iterator[ScanAnswer]:
        """Return the output of a worker as results; new skills, and retries, are queued."""
        asked = json.loads(job.data)
        if "open" in asked:
            yield from self._opened(asked, answer, done)
            return
        item = decode(asked["look"])
        assert isinstance(item, Item)
        if isinstance(answer, Crash):
            self._tries[job.data] += 1
            if not answer.late and self._tries[job.data] < _TRIES:
                self._again.append(job.data)
                return
            seen = unknown(f"the analysis did not finish: {answer.reason}")
        else:
            seen = _seen(json.loads(answer))
        yield ScanAnswer(item, seen)
        self._finished(item.folder)

    def _opened(self, asked: dict[str, Any], answer: bytes | Crash, done: Container[str]) -> Iterator[ScanAnswer]:
        place = decode(asked["open"])
        assert isinstance(place, SkillSource)
        said: dict[str, Any] = (
            {"error": f"it was not opened: {answer.reason}"} if isinstance(answer, Crash) else json.loads(answer)
        )
        if "error" in said:
            shutil.rmtree(asked["into"], ignore_errors=True)
            if place.location not in done:
                yield ScanAnswer(Item(place.location, place.source, ".", "", place.called), unknown(said["error"]))
            return
        found = [decode(item) for item in said["found"]]
        self.found += len(found) - 1
        for item in found:
            if item.location in done:
                continue
            if isinstance(item, Bad):
                yield ScanAnswer(item.item, unknown(item.error))
            elif isinstance(item, Item):
                self._unpacked[asked["into"]] += 1
                self._ready.append(item)
        if not self._unpacked[asked["into"]]:
            shutil.rmtree(asked["into"], ignore_errors=True)

    def _finished(self, folder: str) -> None:
        """Remove unpacked files that are no longer needed."""
        if not folder.startswith(self.staging + os.sep):
            return
        number = folder[len(self.staging) + 1 :].partition(os.sep)[0]
        place = os.path.join(self.staging, number)
        self._unpacked[place] -= 1
        if not self._unpacked[place]:
            del self._unpacked[place]
            shutil.rmtree(place, ignore_errors=True)


def _worker(settings: ScanSettings) -> Callable[[bytes], bytes]:
    """Run one job in a worker; the store is opened there, because connections do not survive a fork."""
    opened: dict[str, Any] = {}

    def work(data: bytes) -> bytes:
        asked = json.loads(data)
        if "open" in asked:
            return _dump(_open(asked, settings))
        item = decode(asked["look"])
        assert isinstance(item, Item)
        if "store" not in opened:
            opened["store"] = open_store(settings.cache, settings.cache_key)
        seen = look(item, settings, opened["store"])
        return _dump([seen.finding.encode(), *seen[1:]])

    return work


def _open(asked: dict[str, Any], settings: ScanSettings) -> dict[str, Any]:
    place = decode(asked["open"])
    assert isinstance(place, SkillSource)
    try:
        found = open_place(place, asked["into"], Bounds(bytes=settings.archive_bytes))
    except RemitError as error:
        return {"error": error.message}
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001  one place must not stop the others
        return {"error": f"it was not opened ({type(error).__name__}: {error})"[:400]}
    return {"found": [encode(item) for item in found]}


def _seen(data: list[Any]) -> LocatedResult:
    found, *others = data
    return LocatedResult(Finding.decode(found), *others)


def _refusals(refused: deque[Bad]) -> Iterator[ScanAnswer]:
    while refused:
        bad = refused.popleft()
        yield ScanAnswer(bad.item, unknown(bad.error))


def _dump(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")
