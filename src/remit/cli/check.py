"""`remit check`: from paths to reports and an exit status."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.analysis.result import Effects
from remit.cli.arguments import LIMITS
from remit.cli.cache import Cache
from remit.cli.discover import skills, summary_files
from remit.cli.fingerprint import files_digest, fingerprint, key
from remit.cli.pool import Crash, run_jobs
from remit.cli.progress import Progress
from remit.cli.sinks import sink_for
from remit.cli.work import Task, analyse_folder, preload
from remit.core.errors import InputError, ManifestError
from remit.manifest import find_manifest, read_manifest
from remit.proof import Verdict
from remit.report.model import Failure, Report, failed, judge, with_bad_manifest
from remit.skill.model import Limits

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator

    from remit.manifest import Manifest

OK, FOUND, WRONG = 0, 1, 2
_OUR_FAULT = "report it with the skill, or leave the skill out; REMIT_DEBUG=1 shows the cause"


class Check:
    """One run of the command."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        self.folders, self.wrong = skills(args.paths)
        summaries = summary_files(args.summaries, Path.cwd(), self.folders)
        limits = {name: getattr(args, name) for name in Limits.__dataclass_fields__}
        self.task = Task(Limits(**limits), summaries)
        self.manifest = read_manifest(Path(args.manifest)) if args.manifest else None
        self.cache = None if args.no_cache else Cache()
        self._summaries_digest = files_digest(summaries)
        self._limits = limits
        self._noted = ("project-summaries",) if summaries else ()

    def run(self) -> int:
        """Check every skill, show the reports, and return the exit status."""
        for error in self.wrong:
            say(error.message, error.remedy)
        if not self.folders:
            return WRONG
        sink = sink_for(self.args, len(self.folders))
        status = WRONG if self.wrong else OK
        waiting: dict[int, Report] = {}
        shown = 0
        with Progress(len(self.folders), quiet=self.args.quiet) as progress:
            for number, report in self.reports():
                progress.step(report.found.skill)
                status = max(status, self.status(report))
                waiting[number] = report
                while sink.in_order and shown in waiting:
                    with progress.hidden():
                        sink.show(waiting.pop(shown))
                    shown += 1
                if not sink.in_order:
                    sink.show(waiting.pop(number))
        sink.close(status)
        return status

    def status(self, report: Report) -> int:
        """What one report means for the exit status; 2 is for what could not be read, whatever `--fail-on` says."""
        if report.failure:
            if self.args.format != "text" or not sys.stdout.isatty():  # there it stands in the report
                say(f"{report.found.path}: {report.failure.message}", report.failure.remedy)
            return WRONG
        wanted = self.args.fail_on
        if wanted == "never":
            return OK
        if report.verdict is Verdict.ESCAPES or (wanted == "opaque" and report.found.opaque):
            return FOUND
        return OK

    def reports(self) -> Iterator[tuple[int, Report]]:
        """Every report with the number of its skill: cached ones first, the others as they come."""
        missing: list[int] = []
        for number, folder in enumerate(self.folders):
            found = self.cached(folder)
            if found is None:
                missing.append(number)
            else:
                yield number, self.judged(folder, found)
        if not missing:
            return
        preload(self.task.summaries)
        memory = self.args.max_memory * 1024 * 1024
        workers = min(self.args.jobs or _cores(), len(missing))
        for number, answer in run_jobs(self.work, missing, workers, memory=memory, timeout=self.args.timeout):
            yield number, self.answered(self.folders[number], answer)

    def work(self, number: int) -> bytes:
        """In the worker: the answer for one skill, whatever happens."""
        try:
            return analyse_folder(str(self.folders[number]), self.task)
        except (Exception, RecursionError, MemoryError) as error:  # noqa: BLE001  one skill must not stop the others
            if os.environ.get("REMIT_DEBUG"):
                import traceback  # noqa: PLC0415

                traceback.print_exc(limit=-30)
            return json.dumps({"crash": f"{type(error).__name__}: {error}"[:300]}).encode("ascii")

    def answered(self, folder: Path, answer: bytes | Crash) -> Report:
        """The report for what a worker answered."""
        name = Path(os.path.realpath(folder)).name
        if isinstance(answer, Crash):
            failure = Failure(f"the analysis did not finish: {answer.reason}", _OUR_FAULT, input=False)
            return failed(name, shown(folder), failure)
        data = json.loads(answer)
        if "error" in data:
            message, remedy = data["error"]
            return failed(name, shown(folder), Failure(message, _as_option(remedy)))
        if "crash" in data:
            failure = Failure(f"the analysis failed unexpectedly ({data['crash']})", _OUR_FAULT, input=False)
            return failed(name, shown(folder), failure)
        if self.cache:
            self.cache.put(self.key(folder, data["files"]), data["found"])
        return self.judged(folder, Effects.decode(data["found"], shown(folder)))

    def judged(self, folder: Path, found: Effects) -> Report:
        """Effects held against the manifest that was given, or the skill's own."""
        try:
            return judge(found, self.manifest or self.own_manifest(folder), self._noted)
        except ManifestError as error:
            return with_bad_manifest(found, error, self._noted)

    @staticmethod
    def own_manifest(folder: Path) -> Manifest | None:
        """The manifest beside SKILL.md."""
        path = find_manifest(folder)
        return read_manifest(path) if path else None

    def cached(self, folder: Path) -> Effects | None:
        """An earlier result for the same content. The content is read and hashed: times of files can be set."""
        if self.cache is None:
            return None
        from remit.skill.walk import Walker  # noqa: PLC0415

        try:
            tree = Walker(folder, self.task.limits).run()
        except InputError:
            return None  # the worker finds out again and says why
        data = self.cache.get(self.key(folder, fingerprint(tree.files, tree.links)))
        try:
            return Effects.decode(data, shown(folder)) if data is not None else None
        except (KeyError, TypeError, ValueError):
            return None

    def key(self, folder: Path, tree: str) -> str:
        """The key of a skill's result."""
        return key(str(folder), tree, self._limits, self._summaries_digest)


def run(args: argparse.Namespace) -> int:
    """The command."""
    return Check(args).run()


def _as_option(remedy: str) -> str:
    """A limit of the loader is an option here."""
    for option, field, _, _ in LIMITS:
        remedy = remedy.replace(f"the limit `{field}`", f"the limit with `{option}`")
    return remedy


def shown(folder: Path) -> str:
    """A folder as reports name it."""
    return folder.as_posix()


def say(message: str, remedy: str = "") -> None:
    """A problem, on standard error."""
    from remit.report.screen import visible  # noqa: PLC0415

    print(f"remit: {visible(message)}", file=sys.stderr)
    if remedy:
        print(f"       {visible(remedy)}", file=sys.stderr)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
