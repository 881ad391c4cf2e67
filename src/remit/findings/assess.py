"""Runs all rules over a skill: findings in order, one for each cause."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from remit.core.digest import digest
from remit.core.scope import HostScope
from remit.findings.causes import without_repeats
from remit.findings.clauses import names_file_of_others
from remit.findings.evidence import by_orders
from remit.findings.hosts import URL, is_reserved, is_users_own, kind_of
from remit.findings.model import Basis, Finding, Level, Role, Rule, Severity, level_of
from remit.findings.purpose import is_about
from remit.findings.registry import rules
from remit.findings.subject import Subject

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.core.location import Location
    from remit.skill.model import Skill

# What rests on a sample, or holds only if a value turns out to be an option, is one severity lower, and never a reason to refuse.
_WEAK = frozenset({Basis.SAMPLE, Basis.CONDITION})


def find(skill: Skill, found: Effects) -> tuple[Finding, ...]:
    """All findings, the worst first."""
    subject = Subject(skill, found)
    every = (finding for rule in rules().values() for finding in find_by(rule, subject))
    findings = _confirmed(without_repeats(_merged(every)))
    return tuple(_signed(finding, subject) for finding in sorted(findings, key=_order))


def _confirmed(findings: list[Finding]) -> list[Finding]:
    """An order to hide something is grave where there is something to hide; alone it is often only about the form of the output."""
    if level_of(findings) is not Level.BLOCK:
        return findings
    return [item._replace(severity=Severity.HIGH) if _hides(item) else item for item in findings]


def _hides(finding: Finding) -> bool:
    return finding.rule == "hides-from-user" and finding.basis not in _WEAK


def find_by(rule: Rule, subject: Subject) -> Iterator[Finding]:
    """What one rule finds, weighed by what it rests on. In a text about attacks they are shown, not ordered."""
    for finding in rule.find(subject) if rule.find else by_orders(rule, subject):
        shown = (
            finding.basis is Basis.INSTRUCTED
            and is_about(subject, "teaches attacks")
            and _reaches_nobody(finding, subject)
        )
        yield _weighed(finding._replace(basis=Basis.SAMPLE) if shown else finding)


def _reaches_nobody(finding: Finding, subject: Subject) -> bool:
    """Whether its lines name no host of others but such as are reserved for examples, and its sentences no file of others.

    A word in a description is easily written.
    """
    if any(witness.role is Role.TEXT and names_file_of_others(witness.text) for witness in finding.witnesses):
        return False
    lines = (subject.line(witness.where) for witness in finding.witnesses)
    hosts = [found[1].lower() for line in lines for found in URL.finditer(line)]
    return all(is_reserved(host) or is_users_own(host) or kind_of(host) == "local" for host in hosts)


def with_context(skill: Skill, found: Effects) -> Effects:
    """The effects with what reports need of the documents: what is only shown, and which hosts are described."""
    subject = Subject(skill, found)
    places = {effect.where for effect in found.effects} | {item.where for item in found.opaque}
    hosts = {effect.scope for effect in found.effects if isinstance(effect.scope, HostScope)}
    return replace(
        found,
        samples=tuple(sorted(where for where in places if subject.basis(where) is Basis.SAMPLE)),
        described=tuple(sorted({scope.host for scope in hosts if subject.names_host(scope)})),
    )


def _signed(finding: Finding, subject: Subject) -> Finding:
    """With the digest that names it in `accepted` of a manifest: another message, or other text on a line, is another one."""
    lines = [[witness.where.file, subject.line(witness.where)] for witness in finding.witnesses]
    name = digest([finding.rule, finding.message, lines]).removeprefix("sha256:")
    return finding._replace(digest=name[:16])


def _weighed(finding: Finding) -> Finding:
    if finding.basis not in _WEAK:
        return finding
    return finding._replace(severity=max(finding.severity.lower(), Severity.MEDIUM, key=lambda one: one.rank))


def _merged(findings: Iterable[Finding]) -> Iterable[Finding]:
    """One finding for each rule and message: of several the worst, with the first location."""
    best: dict[tuple[str, str], Finding] = {}
    for finding in findings:
        key = (finding.rule, finding.message)
        known = best.get(key)
        if known is None or _order(finding) < _order(known):
            best[key] = finding
    return best.values()


def _order(finding: Finding) -> tuple[int, int, str, str, Location]:
    basis = tuple(Basis).index(finding.basis)
    return finding.severity.rank, basis, finding.rule, finding.message, finding.where
