"""Further results of a worker besides effects: the draft of a manifest, and the summary for comparing updates."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from remit.checker.task import Also
from remit.findings.model import Basis, Finding, Role, Severity, Witness
from remit.manifest.read import NAME, parse_manifest

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.findings.subject import Subject
    from remit.manifest.draft.draft import Objection
    from remit.skill.model import Skill


def objections(skill: Skill, found: Effects, findings: Iterable[Finding]) -> tuple[Objection, ...]:
    """Return what a draft must not grant: locations of findings to refuse a skill for, and of worrying sentences."""
    from remit.findings.assess import find_by  # noqa: PLC0415
    from remit.findings.registry import rules  # noqa: PLC0415
    from remit.findings.subject import Subject  # noqa: PLC0415
    from remit.manifest.draft.draft import Objection  # noqa: PLC0415

    named = dict.fromkeys(finding.rule for finding in findings if _objects(finding))
    subject = Subject(skill, found)
    # a finding has one location of several similar ones, and a draft needs all
    every = (finding for name in named for finding in find_by(rules()[name], subject) if _objects(finding))
    found_at = {
        (witness.where, _last_line(subject, witness)): Objection(
            witness.where.file, witness.where.line, _last_line(subject, witness), finding.message, witness.text
        )
        for finding in every
        for witness in finding.witnesses
    }
    return tuple(found_at[key] for key in sorted(found_at))


def _objects(finding: Finding) -> bool:
    """Whether a finding is a reason to refuse the skill, or a sentence of its text that a person should review first."""
    if finding.basis in (Basis.SAMPLE, Basis.CONDITION):
        return False
    sentence = any(witness.role is Role.TEXT for witness in finding.witnesses)
    return finding.severity.rank <= (Severity.MEDIUM if sentence else Severity.HIGH).rank


def _last_line(subject: Subject, witness: Witness) -> int:
    """Return the last line of the words that a witness quotes: what else they ask for is as bad, on whichever line."""
    words = sum(map(_is_word, witness.text.split()))
    lines = subject.lines(witness.where.file)
    at = witness.where.line
    begin = lines[at - 1].find(witness.text.partition(" ")[0]) if 0 < at <= len(lines) else 0
    seen = sum(map(_is_word, lines[at - 1][max(0, begin) :].split())) if 0 < at <= len(lines) else words
    while seen < words and at < len(lines):
        seen += sum(map(_is_word, lines[at].split()))
        at += 1
    return at


def _is_word(text: str) -> bool:
    return any(map(str.isalnum, text))


def _draft(skill: Skill, found: Effects, findings: tuple[Finding, ...]) -> dict[str, Any]:
    from remit.manifest.draft.draft import draft  # noqa: PLC0415  the cached path never gets here
    from remit.manifest.render import render  # noqa: PLC0415

    made = draft(skill, found.effects, found.commands, found.uses, objections(skill, found, findings))
    text = render(made.manifest)
    parse_manifest(text.encode(), NAME)  # a draft that cannot be parsed back is an error, and is not cached
    return {"text": text, "warnings": [[w.file, w.line, w.reason, w.text] for w in made.objections]}


def _summary(skill: Skill, found: Effects, _findings: tuple[Finding, ...]) -> dict[str, Any]:
    from remit.manifest.drift.codec import encode  # noqa: PLC0415  the cached path needs neither YAML nor Markdown
    from remit.manifest.drift.summarise import summarise  # noqa: PLC0415

    return encode(summarise(skill, found.effects, found.opaque))


DRAFT = Also("draft", _draft)
SUMMARY = Also("drift", _summary)
