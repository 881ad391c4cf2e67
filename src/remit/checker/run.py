"""A run over folders: returns what each skill can do, cached and in parallel.

Callers that need more of a skill than its effects say so with `Also`: the worker, which has read the folder, computes
it there, and it is cached with the effects.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.analysis.result import Effects
from remit.checker.cache import Cache
from remit.checker.fingerprint import files_digest, fingerprint, installed_state, key
from remit.checker.report import Failure, Report, failed, judge, judge_by_own
from remit.checker.table_file import open_tables, save_tables
from remit.checker.task import Also, analyse_folder, preload
from remit.checker.workers import Crash, cores, run_jobs
from remit.core.errors import InputError
from remit.core.patterns import lazy_pattern
from remit.findings.codec import decode
from remit.skill.classify import PROGRAM_BYTES
from remit.skill.find import link_boundary
from remit.skill.model import Limits

if TYPE_CHECKING:
    from remit.findings.model import Finding
    from remit.manifest import Manifest

_OUR_FAULT = "report it with the skill, or leave the skill out; REMIT_DEBUG=1 shows the cause"
_LIMIT = lazy_pattern(r"the limit `(max_\w+)`")


_AHEAD = 4  # skills per worker that are started before the others
_ANALYSED = (".md", ".py", ".sh", ".bash", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".ipynb")
_LOOKED_AT = 1000  # files of a skill whose sizes are read


class Options(NamedTuple):
    """How folders are checked."""

    limits: Limits = Limits()
    summaries: tuple[Path, ...] = ()  # summary files that a person trusts, besides the built-in ones
    cache: bool = True
    jobs: int = 0  # skills in parallel; 0: one for each core
    memory: int = 0  # memory limit of a worker in bytes; 0: none
    timeout: int = 0  # time limit for one skill in seconds; 0: none
    sources: tuple[Path, ...] = ()  # folders that the user named: links of a skill may lead there
    shipped: bool = False  # only what is shipped of a skill: nothing called `.git`


class Answer(NamedTuple):
    """The result for one folder: its effects (and `more`, if requested), or why there are none."""

    folder: Path
    found: Effects | None = None
    findings: tuple[Finding, ...] = ()
    failure: Failure | None = None
    more: dict[str, Any] | None = None
    content: str = ""  # the fingerprint of what was analysed
    guarantees: list[Any] | None = None  # as the cache stores them

    @property
    def name(self) -> str:
        """The skill's name for messages."""
        return self.found.skill if self.found else Path(os.path.realpath(self.folder)).name

    @property
    def path(self) -> str:
        """The folder's path for reports."""
        return self.folder.as_posix()


def _work(
    folders: Sequence[str], options: Options, also: Also | None, known: Mapping[int, dict[str, Any]], number: int
) -> bytes:
    """In the worker: always return a result for the skill of a number. `known` are cached effects without `more`."""
    open_tables()
    try:
        return analyse_folder(folders[number], options, also, known.get(number))
    except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001  one skill must not stop the others
        if os.environ.get("REMIT_DEBUG"):
            import traceback  # noqa: PLC0415

            traceback.print_exc(limit=-30)
        return json.dumps({"crash": f"{type(error).__name__}: {error}"[:300]}).encode("ascii")
    finally:
        save_tables()


class Run:
    """One run over several folders."""

    def __init__(self, folders: Sequence[Path], options: Options, also: Also | None = None) -> None:
        open_tables()
        self.folders = folders
        self.options = options
        self.also = also
        self.cache = Cache() if options.cache else None
        self._summaries_digest = files_digest(options.summaries)
        self._known: dict[int, dict[str, Any]] = {}  # cached effects, if `more` was not cached
        self.noted = ("project-summaries",) if options.summaries else ()  # assumptions of this run

    def report(self, answer: Answer, manifest: Manifest | None = None) -> tuple[Report, tuple[str, ...]]:
        """Return the report of effects against a manifest, or against the skill's own, with notes about that."""
        if answer.found is None:
            assert answer.failure is not None
            return failed(answer.name, answer.path, answer.failure), ()
        notes: tuple[str, ...] = ()
        if manifest is not None:
            report = judge(answer.found, manifest, self.noted, answer.findings)
        else:
            report, notes = judge_by_own(answer.found, answer.folder, self.noted, answer.findings)
        return (report._replace(kept=answer.guarantees) if report.found is answer.found else report), notes

    def answers(self) -> Iterator[tuple[int, Answer]]:
        """Yield a result for each folder with its number: cached ones first, the others as they finish."""
        missing: list[int] = []
        for number, folder in enumerate(self.folders):
            found = self._cached(number, folder)
            if found is None:
                missing.append(number)
            else:
                yield number, found
        if not missing:
            return
        options = self.options
        preload(options.summaries)
        workers = min(options.jobs or cores(), len(missing))
        if workers > 1:
            weights = {number: _weight(self.folders[number]) for number in missing}
            missing = longest_first(weights, _AHEAD * workers)
        work = partial(_work, tuple(map(str, self.folders)), options, self.also, self._known)
        for number, answer in run_jobs(work, missing, workers, memory=options.memory, timeout=options.timeout):
            yield number, self._answered(self.folders[number], answer)

    def kept(self, number: int) -> Answer | None:
        """Return the cached result of a folder; None if it would have to be analysed."""
        return self._cached(number, self.folders[number])

    def _answered(self, folder: Path, answer: bytes | Crash) -> Answer:
        """Return the result of a worker."""
        if isinstance(answer, Crash):
            failure = Failure(f"the analysis did not finish: {answer.reason}", _OUR_FAULT, input=False)
            return Answer(folder, failure=failure)
        data = json.loads(answer)
        if "error" in data:
            message, remedy = data["error"]
            return Answer(folder, failure=Failure(message, _as_option(remedy)))
        if "crash" in data:
            failure = Failure(f"the analysis failed unexpectedly ({data['crash']})", _OUR_FAULT, input=False)
            return Answer(folder, failure=failure)
        more = data.get("more")
        if self.cache:
            self.cache.put(self._key(folder, data["files"]), data["found"])
            if self.also:
                self.cache.put(self._key(folder, data["files"], self.also.name), more)
        return _answer(folder, data["found"], data["files"], more)

    def _cached(self, number: int, folder: Path) -> Answer | None:
        """Return an earlier result for the same content, which is read and hashed: file times can be forged."""
        if self.cache is None:
            return None
        from remit.skill.walk import Walker  # noqa: PLC0415

        try:
            within = link_boundary(folder, self.options.sources)
            tree = Walker(folder, self.options.limits, within, shipped=self.options.shipped).run()
        except InputError:
            return None  # the worker repeats this and reports why
        content = fingerprint(tree.files, tree.links)
        data = self.cache.get(self._key(folder, content))
        if data is None:
            return None
        more = self.cache.get(self._key(folder, content, self.also.name)) if self.also else None
        try:
            found = _answer(folder, data, content, more)
        except (KeyError, TypeError, ValueError):
            return None
        if self.also and more is None:
            self._known[number] = data
            return None
        return found

    def _key(self, folder: Path, tree: str, what: str = "") -> str:
        return key(str(folder), tree, asdict(self.options.limits), self._summaries_digest, what, installed_state())


def longest_first(weights: Mapping[int, int], most: int) -> list[int]:
    """Move the heaviest few numbers to the front, because one that starts last keeps a single worker busy."""
    heavy = sorted(weights, key=lambda number: -weights[number])[:most]
    return heavy + [number for number in weights if number not in heavy]


def _weight(folder: Path) -> int:
    """Return an estimate of a skill's cost: the bytes of its texts and scripts, from a quick look."""
    files = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names)
    sizes = (os.lstat(path).st_size for path in islice(files, _LOOKED_AT) if path.endswith(_ANALYSED))
    try:
        return sum(size for size in sizes if size <= PROGRAM_BYTES)
    except OSError:
        return 0


def _answer(folder: Path, data: dict[str, Any], content: str, more: dict[str, Any] | None) -> Answer:
    """Parse a result from JSON values; KeyError, TypeError or ValueError if they are invalid."""
    found, findings = Effects.decode(data, folder.as_posix()), decode(data["findings"])
    return Answer(folder, found, findings, more=more, content=content, guarantees=data["guarantees"])


def _as_option(remedy: str) -> str:
    """Name a limit of the loader as an option of the commands."""
    return _LIMIT.sub(lambda found: f"the limit with `--{found[1].replace('_', '-')}`", remedy)
