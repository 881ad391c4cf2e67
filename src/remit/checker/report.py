"""The report on one skill: its effects, how they stand to its manifest, and what the answer rests on."""

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
    """Why a skill, or its manifest, could not be read to the end. `input` is false where the fault is ours."""

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
    findings: tuple[Finding, ...] = ()  # what should worry a person, the worst first; accepted ones too
    own: bool = False  # whether the manifest came with the skill
    kept: list[Any] | None = None  # the guarantees, as the cache has them

    @property
    def acceptances(self) -> Acceptances:
        """Which findings the manifest accepts, and which of its entries are void."""
        return accept(self.findings, self.manifest.accepted if self.manifest else ())

    @property
    def concerns(self) -> tuple[Finding, ...]:
        """The findings that are not accepted."""
        accepted = {item.finding for item in self.acceptances.accepted}
        return tuple(finding for finding in self.findings if finding not in accepted)

    @property
    def level(self) -> Level:
        """Whether to install it: what its findings add up to, without those that are accepted. Of what could not be analysed, nobody knows."""
        if self.failure and not self.found.effects:
            return Level.REVIEW
        accepted = {item.finding for item in self.acceptances.accepted}
        return level_with([(finding.severity, finding in accepted) for finding in self.findings], own=self.own)

    def places(self) -> Iterator[Location]:
        """Every location that it speaks of."""
        yield from self.found.places()
        for finding in self.findings:
            yield from (witness.where for witness in finding.witnesses)

    @property
    def not_understood(self) -> tuple[Opaque, ...]:
        """Opaque locations that are no samples; what could not be read stands last among them, and is none."""
        opaque = Certain(self.found).opaque
        return opaque[:-1] if self.failure else opaque

    @property
    def manifest_name(self) -> str:
        """The name of the manifest's file."""
        return self.manifest.file.rpartition("/")[2] if self.manifest else "remit.json"

    @property
    def unproven(self) -> bool:
        """Whether what is not understood alone keeps it from being inside of its manifest."""
        return self.manifest is not None and self.verdict is Verdict.OPAQUE

    @property
    def headline(self) -> str:
        """The level in words, and what to know beside it."""
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
        """One sentence: the level, and what decides it."""
        if self.level is Level.CLEAR or not self.concerns:
            return self.headline
        return f"{self.level.words}: {self.concerns[0].message} ({self.concerns[0].where})"

    @property
    def guarantees(self) -> tuple[Guarantee, ...]:
        """What it can certainly not do, and what stands in the way of saying so."""
        return guarantees(self.found) if self.kept is None else decode(self.kept, self.found)

    @property
    def verdict(self) -> Verdict:
        """How the skill stands to its manifest."""
        return self.containment.verdict

    @property
    def sessions(self) -> tuple[Counterexample, ...]:
        """For each capability and scope outside of the manifest a session that gets there, the shortest first."""
        if self.manifest is None or not self.containment.escapes:
            return ()
        from remit.proof import counterexamples  # noqa: PLC0415  most reports have none

        return counterexamples(evidence(self.found), self.containment.escapes, self.manifest)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON values (`schema/check.schema.json` describes the form)."""
        from remit.checker.values import report_value  # noqa: PLC0415  other formats need none of it

        return report_value(self)


def evidence(found: Effects) -> Evidence:
    """What sessions need of an analysis."""
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
    """The report on a skill that was analysed; `noted` are assumptions of this run, `own` says whose manifest it is.

    ManifestError if the manifest accepts what no rule finds.
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
    """The report on a skill by the manifest that it brings along, and what there is to say about that."""
    try:
        own = own_manifest(folder)
        report = judge(found, own.manifest if own else None, noted, findings, own=True)
    except ManifestError as error:
        path = find_manifest(folder)
        bad = with_bad_manifest(found, error, noted, path.name if path else "remit.json")
        return bad._replace(findings=findings), ()
    return report, own.notes if own else ()


def check_skill(skill: Skill, summaries: Iterable[Path] = ()) -> Report:
    """The report on a skill that was loaded, by the manifest among its files."""
    from remit.analysis.session import analyse  # noqa: PLC0415  reports that are kept need no parser
    from remit.findings.assess import find, with_context  # noqa: PLC0415

    found = with_context(skill, analyse(skill, summaries))
    findings = find(skill, found)
    try:
        return judge(found, _manifest(skill), findings=findings, own=True)
    except ManifestError as error:
        return with_bad_manifest(found, error)._replace(findings=findings)


def _manifest(skill: Skill) -> Manifest | None:
    """The manifest among the files of the skill, read as `remit check` reads it from the disk."""
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
    """The report on a skill that could not be analysed: nothing is known, so all of it is opaque."""
    place = Opaque(failure.message, Location("."), failure.remedy)
    found = Effects(name, path, (), (place,), (), 0, 0, 0)
    return Report(found, Containment(Verdict.OPAQUE), None, (), failure)


def with_bad_manifest(found: Effects, error: RemitError, noted: Iterable[str] = (), file: str = "remit.json") -> Report:
    """The report on a skill whose manifest cannot be read: its effects are known, but not what it may do."""
    report = judge(found, None, noted)
    place = Opaque(f"the manifest cannot be read: {error.message}", Location(file), error.remedy)
    return report._replace(
        found=replace(found, opaque=(*found.opaque, place)),
        containment=Containment(Verdict.OPAQUE),
        failure=Failure(error.message, error.remedy),
    )
