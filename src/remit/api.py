"""The public API: what `import remit` offers. Everything else in this package may change without notice."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.bundle.admission import Admission
from remit.checker.extras import DRAFT, SUMMARY
from remit.checker.report import Report
from remit.checker.run import Answer, Options, Run
from remit.core.counting import counted
from remit.core.effect import Effect, Opaque, Unread
from remit.core.errors import InputError, RemitError, UsageError
from remit.manifest.drift.codec import decode
from remit.manifest.drift.compare import compare
from remit.manifest.find import read_manifest
from remit.manifest.read import parse_manifest
from remit.report.drift_json import drift_json
from remit.report.drift_words import Compared
from remit.skill.find import find_skills

if TYPE_CHECKING:
    from remit.checker.task import Also
    from remit.manifest.model import Manifest


class Warned(NamedTuple):
    """A sentence that a draft denies because it looks suspicious."""

    file: str
    line: int
    reason: str
    text: str


class Draft(NamedTuple):
    """A manifest that was drafted from a skill."""

    manifest: Manifest
    text: str  # as it belongs into remit.json
    warnings: tuple[Warned, ...]


class Diff(NamedTuple):
    """What an update changes."""

    compared: Compared

    @property
    def verdict(self) -> str:
        """`same`, `changed` (but it can do no more) or `gains`."""
        return self.compared.verdict

    def to_dict(self) -> dict[str, Any]:
        """The difference as JSON values, as `remit diff --format json` prints them for one skill."""
        return drift_json([self.compared])


def check(
    path: str | os.PathLike[str],
    *,
    manifest: str | os.PathLike[str] | None = None,
    summaries: Iterable[str | os.PathLike[str]] = (),
    cache: bool = True,
) -> Report:
    """Check the skill in a folder against its own manifest, or the one in a file.

    The analysis runs in a process of its own. `summaries` are summary files of libraries and commands that you trust.
    """
    run = Run([_folder(path)], _options(summaries, cache=cache))
    answer = _answer(run)
    report, _ = run.report(answer, read_manifest(Path(manifest)) if manifest is not None else None)
    if report.failure is not None:
        raise InputError(report.failure.message, report.failure.remedy)
    return report


def draft(path: str | os.PathLike[str], *, cache: bool = True) -> Draft:
    """Draft a manifest from what a skill does and asks for."""
    more = _more(path, DRAFT, cache=cache)
    warnings = tuple(Warned(str(file), int(line), str(why), str(text)) for file, line, why, text in more["warnings"])
    return Draft(parse_manifest(str(more["text"]).encode(), "remit.json"), str(more["text"]), warnings)


def diff(old: str | os.PathLike[str], new: str | os.PathLike[str], *, cache: bool = True) -> Diff:
    """Compare two versions of a skill."""
    before, after = (decode(_more(path, SUMMARY, cache=cache)) for path in (old, new))
    return Diff(Compared(compare(before, after), os.fspath(old), os.fspath(new)))


def verify(
    path: str | os.PathLike[str],
    trust_root: str | os.PathLike[str],
    *,
    at: datetime | None = None,
    checkout: bool = False,
    cache: bool = True,
) -> Admission:
    """Verify the signed bundle of a skill. With `at`, as of that time, and nothing is remembered of the answer.

    `checkout`: the folder is a checkout of Git; judge what is shipped of it, without `.git`.
    """
    from remit.bundle.store import state_folder  # noqa: PLC0415  the core is installed without cryptography
    from remit.bundle.verify import verify as verified  # noqa: PLC0415

    now = at or datetime.fromtimestamp(time.time(), UTC)
    options, root = _options((), cache=cache), Path(trust_root)
    return verified(os.fspath(path), root, now, state_folder(), options, remember=at is None, checkout=checkout)


def _folder(path: str | os.PathLike[str]) -> Path:
    """The folder of one skill."""
    found = find_skills(Path(path))
    if len(found) != 1:
        raise UsageError(f"`{os.fspath(path)}` holds {counted(len(found), 'skill')}", "give the folder of one skill")
    return found[0]


def _options(summaries: Iterable[str | os.PathLike[str]], *, cache: bool) -> Options:
    return Options(summaries=tuple(Path(file).resolve() for file in summaries), cache=cache, jobs=1)


def _answer(run: Run) -> Answer:
    ((_, answer),) = run.answers()
    if answer.failure is not None:
        raise InputError(answer.failure.message, answer.failure.remedy)
    return answer


def _more(path: str | os.PathLike[str], also: Also, *, cache: bool) -> dict[str, Any]:
    answer = _answer(Run([_folder(path)], _options((), cache=cache), also))
    assert answer.more is not None
    return answer.more


PUBLIC: Mapping[str, object] = {
    "Admission": Admission,
    "Diff": Diff,
    "Draft": Draft,
    "Effect": Effect,
    "Opaque": Opaque,
    "RemitError": RemitError,
    "Report": Report,
    "Unread": Unread,
    "check": check,
    "diff": diff,
    "draft": draft,
    "verify": verify,
}
