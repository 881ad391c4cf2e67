"""The report on one skill: its effects, how they compare with its manifest, and what the result depends on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.analysis.result import Effects
from remit.core.counting import counted
from remit.core.effect import Opaque
from remit.core.errors import ManifestError, RemitError
from remit.core.location import Location
from remit.findings.acceptance import Acceptances, accept, require_known_rules
from remit.findings.guarantees import Certain, Guarantee, decode, guarantees
from remit.findings.model import Finding, Level, level_with
from remit.manifest import Manifest, find_manifest, own_manifest
from remit.manifest.find import manifest_among
from remit.proof import Containment, Counterexample, Evidence, Verdict, rests_on

if TYPE_CHECKING:
    from pathlib import Path

    from remit.core.assumption import Assumption
    from remit.skill.model import Skill


class Failure(NamedTuple):
    """Why a skill, or its manifest, could not be read completely. `input` is false if the error is ours."""

    message: str
    remedy: str
    input: bool = True


class Report(NamedTuple):
    """One skill, its effects and its verdict."""

    found: Effects
    containment: Containment
    manifest: Manifest | None
    assumed: tuple[Assumption, ...]
    failure: Failure | None = None
    findings: tuple[Finding, ...] = ()  # findings, the worst first; accepted ones too
    own: bool = False  # whether the manifest came with the skill
    kept: list[Any] | None = None  # the guarantees, as the cache stores them

    @property
    def acceptances(self) -> Acceptances:
        """Return which findings the manifest accepts, and which of its acceptances are void."""
        return accept(self.findings, self.manifest.accepted if self.manifest else ())

    @property
    def concerns(self) -> tuple[Finding, ...]:
        """Return the findings that are not accepted."""
        accepted = {item.finding for item in self.acceptances.accepted}
        return tuple(finding for finding in self.findings if finding not in accepted)

    @property
    def level(self) -> Level:
        """The level: the result of its findings, without accepted ones. A skill that could not be analysed needs review."""
        if self.failure and not self.found.effects:
            return Level.REVIEW
        accepted = {item.finding for item in self.acceptances.accepted}
        return level_with([(finding.severity, finding in accepted) for finding in self.findings], own=self.own)

    def places(self) -> Iterator[Location]:
        """Return every location in the report."""
        yield from self.found.places()
        for finding in self.findings:
            yield from (witness.where for witness in finding.witnesses)

    @property
    def not_understood(self) -> tuple[Opaque, ...]:
        """Return opaque locations that are no samples, and unreadable ones last."""
        opaque = Certain(self.found).opaque
        return opaque[:-1] if self.failure else opaque

    @property
    def manifest_name(self) -> str:
        """The name of the manifest's file."""
        return self.manifest.file.rpartition("/")[2] if self.manifest else "remit.json"

    @property
    def unproven(self) -> bool:
        """Whether opaque locations are the only reason why it is not contained in its manifest."""
        return self.manifest is not None and self.verdict is Verdict.OPAQUE

    @property
    def headline(self) -> str:
        """Return the level in words, with what to know besides."""
        if self.failure and not self.found.effects:
            return f"cannot be read: {self.failure.message}"
        outside = len(self.containment.escapes)
        parts = [self.level.words] if self.level is not Level.CLEAR or not (outside or self.unproven) else []
        if self.failure:
            parts.append("its manifest cannot be read")
        if outside:
            parts.append(f"{counted(outside, 'effect')} outside of {self.manifest_name}")
        if self.unproven and self.level is not Level.BLOCK:
            parts.append(f"not known to stay inside {self.manifest_name}")
        if self.manifest and self.verdict is Verdict.CONTAINED and self.level is not Level.BLOCK:
            parts.append(f"inside {self.manifest_name}")
        if self.level is not Level.BLOCK and (opaque := len(self.not_understood)):
            parts.append(f"{counted(opaque, 'location')} not understood")
        return ", ".join(parts)

    @property
    def summary(self) -> str:
        """Return one sentence: the level, and what decides it."""
        if self.level is Level.CLEAR or not self.concerns:
            return self.headline
        return f"{self.level.words}: {self.concerns[0].message} ({self.concerns[0].where})"

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """Return what the skill certainly cannot do, and what prevents further guarantees."""
        return guarantees(self.found) if self.kept is None else decode(self.kept, self.found)

    @property
    def verdict(self) -> Verdict:
        """The verdict of comparing the skill with its manifest."""
        return self.containment.verdict

    @property
    def sessions(self) -> tuple[Counterexample, ...]:
        """Return, for each capability and scope outside of the manifest, the shortest session that reaches it."""
        if self.manifest is None or not self.containment.escapes:
            return ()
        from remit.proof import counterexamples  # noqa: PLC0415  most reports have none

        return counterexamples(evidence(self.found), self.containment.escapes, self.manifest)

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON values (`remit schema check` describes the form)."""
        from remit.checker.values import report_value  # noqa: PLC0415  other formats need none of it

        return report_value(self)


def evidence(found: Effects) -> Evidence:
    """Return what sessions need of an analysis."""
    from remit.proof import Evidence  # noqa: PLC0415

    return Evidence(found.effects, found.commands, dict(found.digests))


def judge(
    found: Effects,
    manifest: Manifest | None,
    noted: Iterable[str] = (),
    findings: tuple[Finding, ...] = (),
    *,
    own: bool = False,
) -> Report:
    """Return the report on an analysed skill; `noted` are assumptions of this run, `own` says whose manifest it is.

    ManifestError if the manifest accepts a finding that no rule makes.
    """
    assumed = rests_on((*found.assumptions, *noted), found.effects, code=found.analysed > 0)
    containment = Containment(Verdict.UNDECLARED)
    if manifest is not None:
        from remit.proof import contain  # noqa: PLC0415  most skills bring no manifest

        require_known_rules(manifest)
        containment = contain(found.effects, found.opaque, assumed, manifest)
    return Report(found, containment, manifest, assumed, findings=findings, own=own)


def judge_by_own(
    found: Effects, folder: Path, noted: Iterable[str] = (), findings: tuple[Finding, ...] = ()
) -> tuple[Report, tuple[str, ...]]:
    """Return the report on a skill by its own manifest, with notes about that."""
    try:
        own = own_manifest(folder)
        report = judge(found, own.manifest if own else None, noted, findings, own=True)
    except ManifestError as error:
        path = find_manifest(folder)
        bad = with_bad_manifest(found, error, noted, path.name if path else "remit.json")
        return bad._replace(findings=findings), ()
    return report, own.notes if own else ()


def check_skill(skill: Skill, summaries: Iterable[Path] = ()) -> Report:
    """Return the report on a loaded skill, by the manifest among its files."""
    from remit.analysis.session import analyse  # noqa: PLC0415  reports that are kept need no parser
    from remit.findings.assess import find, with_context  # noqa: PLC0415

    found = with_context(skill, analyse(skill, summaries))
    findings = find(skill, found)
    try:
        return judge(found, _manifest(skill), findings=findings, own=True)
    except ManifestError as error:
        return with_bad_manifest(found, error)._replace(findings=findings)


def _manifest(skill: Skill) -> Manifest | None:
    """Return the manifest among the files of the skill, parsed as `remit check` does from the disk."""
    known = manifest_among([file.path for file in skill.files if "/" not in file.path], lambda name: _data(skill, name))
    if known is None:
        return None
    name, form = known
    return form.read(_data(skill, name), name).manifest


def _data(skill: Skill, name: str) -> bytes:
    data = skill.read(name)
    if data is None:
        raise ManifestError(f"`{name}` cannot be read", "make it a plain file")
    return data


def failed(name: str, path: str, failure: Failure) -> Report:
    """Return the report on a skill that could not be analysed: nothing is known, so all of it is opaque."""
    place = Opaque(failure.message, Location("."), failure.remedy)
    found = Effects(name, path, (), (place,), (), 0, 0, 0)
    return Report(found, Containment(Verdict.OPAQUE), None, (), failure)


def with_bad_manifest(found: Effects, error: RemitError, noted: Iterable[str] = (), file: str = "remit.json") -> Report:
    """Return the report on a skill with an invalid manifest: its effects are known, but not what it may do."""
    report = judge(found, None, noted)
    place = Opaque(f"the manifest cannot be read: {error.message}", Location(file), error.remedy)
    return report._replace(
        found=replace(found, opaque=(*found.opaque, place)),
        containment=Containment(Verdict.OPAQUE),
        failure=Failure(error.message, error.remedy),
    )
