"""Method B as a whole: universe, module, probes, checkers, verdict, evidence."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Self

from remit.core.digest import bytes_digest
from remit.manifest.identity import manifest_digest
from remit.proof.types import stubs
from remit.proof.types.checkers import MODULE, Checker, begin, mypy, opinions, read
from remit.proof.types.dispatch import Dispatch, running
from remit.proof.types.evidence import CheckerRecord, TypesProof
from remit.proof.types.module import NAME, write_module
from remit.proof.types.probes import ACCEPTED, FILE, Probe, attempts, plan, write_probes
from remit.proof.types.universe import TooLarge, members, survey
from remit.proof.types.verdicts import CheckerInput, Opinion, conclude
from remit.proof.verdict import Outcome, Proved, Unknown

if TYPE_CHECKING:
    from remit.core.effect import Effect
    from remit.manifest.model import Manifest


def pose(manifest: Manifest, effects: Iterable[Effect], dispatch: Dispatch | None = None) -> CheckerInput | TooLarge:
    """Return the module and probes of a manifest and a skill's effects, with the running dispatch or another one."""
    universe = survey(manifest, effects)
    if isinstance(universe, TooLarge):
        return universe
    return CheckerInput(
        universe, write_module(manifest_digest(manifest), universe), plan(universe), dispatch or running()
    )


class CheckerRun:
    """The checkers working on a question, in a folder of their own. The first is mypy."""

    def __init__(
        self, question: CheckerInput, checkers: tuple[Checker, ...], memory: Path | None, *, fresh: bool
    ) -> None:
        self.question, self._checkers, self._memory = question, checkers, memory
        self._folder = tempfile.TemporaryDirectory(prefix="remit-types-")
        folder = Path(self._folder.name)
        files = {**question.dispatch.files, MODULE: question.module}
        for name, text in {**files, FILE: write_probes(question.probes)}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
        self.warm = not fresh and memory is not None and stubs.borrow(memory, folder)
        self._running = {checker.identity.name: begin(checker, folder, files) for checker in checkers}

    def finish(self) -> Outcome:
        """Wait for all, and conclude."""
        try:
            names = [checker.identity.name for checker in self._checkers]
            said = [Opinion(name, read(name, self._running.pop(name).finish())) for name in names]
            outcome = conclude(self.question, said)
            if self._memory is not None and not self.warm and isinstance(outcome, Proved):
                stubs.keep(self._memory, Path(self._folder.name), (NAME.partition(".")[0], Path(FILE).stem))
            return outcome
        finally:
            self.stop()

    def again(self) -> CheckerRun:
        """Run the same without the cached stubs."""
        return CheckerRun(self.question, self._checkers, self._memory, fresh=True)

    def stop(self) -> None:
        """Stop running checkers, and clean up."""
        for checker in self._running.values():
            checker.stop()
        self._running.clear()
        self._folder.cleanup()


class Attempt:
    """A proof in progress: the checkers run in the background until `finish`.

    Use it with `with`, so that no checker outlives the caller.
    """

    def __init__(self, manifest: Manifest, effects: Iterable[Effect], cache_dir: Path | None) -> None:
        first = mypy()
        others, self._missing = opinions()
        self._checkers = (first, *others)
        self._manifest, self._members = manifest_digest(manifest), members(manifest)
        memory = stubs.place_of(cache_dir, first.identity, first.options) if cache_dir else None
        posed = pose(manifest, effects)
        self._dispatch = running().digests
        self._run = posed if isinstance(posed, TooLarge) else CheckerRun(posed, self._checkers, memory, fresh=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if isinstance(self._run, CheckerRun):
            self._run.stop()

    def finish(self) -> TypesProof:
        """Wait for the verdict."""
        if isinstance(self._run, TooLarge):
            return self._proof("", (), Unknown(self._run.reason))
        outcome = self._run.finish()
        if self._run.warm and not isinstance(outcome, Proved):
            # what is remembered of the stubs may be damaged: no proof fails but on what is seen with fresh eyes
            outcome = self._run.again().finish()
        return self._proof(self._run.question.module, self._run.question.probes, outcome)

    def _proof(self, module: str, probes: tuple[Probe, ...], outcome: Outcome) -> TypesProof:
        """Return the proof; it lists the accepted and rejected probes if all had the required answer."""
        shown = probes if isinstance(outcome, Proved) else ()
        return TypesProof(
            self._manifest,
            self._dispatch,
            module,
            bytes_digest(write_probes(probes).encode()),
            tuple(CheckerRecord(*found.identity, found.options) for found in self._checkers),
            self._missing,
            tuple(probe.ident for probe in shown if probe.sort in ACCEPTED),
            tuple((probe.ident, attempts()[probe.sort].codes["mypy"]) for probe in shown if probe.sort not in ACCEPTED),
            self._members,
            outcome,
        )


def prove_types(manifest: Manifest, effects: Iterable[Effect], *, cache_dir: Path | None) -> TypesProof:
    """Prove by types that the dispatch accepts what a manifest grants and all that the skill does, and nothing else."""
    with Attempt(manifest, effects, cache_dir) as attempt:
        return attempt.finish()
