"""JSON form of a report; every list has a fixed order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from remit.core.capability import vocabulary
from remit.manifest.render import entry_value, scope_value

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.assumption import Assumption
    from remit.core.effect import Effect, Opaque
    from remit.core.flow import Endpoint, Flow
    from remit.core.location import Location
    from remit.core.via import Via
    from remit.findings.guarantees import Condition, Guarantee
    from remit.findings.model import Finding
    from remit.manifest import Permission
    from remit.proof import Denied, Escape, Residual


def report_value(report: Report) -> dict[str, Any]:
    """Return one report."""
    found, containment = report.found, report.containment
    out: dict[str, Any] = {
        "skill": {"name": found.skill, "path": found.path},
        "verdict": str(report.verdict),
        "assessment": _assessment(report),
        "effects": [_effect(effect) for effect in found.effects],
        "flows": [_flow(flow) for flow in found.flows],
        "opaque": [_opaque(item) for item in found.opaque],
        "unread": [
            {"sentence": item.text, "where": _where(item.where), "likely": list(item.likely)} for item in found.unread
        ],
        "declared": [_permission(entry) for entry in report.manifest.permissions] if report.manifest else [],
        "undeclared": [_escape(item) for item in containment.escapes],
        "denied": [_denied(item) for item in containment.denied],
        "unused": [_permission(entry) for entry in containment.unused],
        "residuals": [_residual(item) for item in containment.residuals],
        "assumptions": [_assumption(item) for item in report.assumed],
        "files": {"analysed": found.analysed, "inert": found.inert, "opaque": found.opaque_files},
    }
    if report.manifest:
        out["manifest"] = report.manifest.file
    if report.containment.escapes:
        from remit.proof.session_form import session_value  # noqa: PLC0415  most reports have none

        out["counterexample"] = [session_value(item) for item in report.sessions]
    if report.failure:
        out["error"] = {"message": report.failure.message, "remedy": report.failure.remedy}
    return out


def _assessment(report: Report) -> dict[str, Any]:
    """Return the level, the findings, and the guarantees."""
    return {
        "level": str(report.level),
        "summary": report.summary,
        "findings": [finding_value(finding) for finding in report.concerns],
        "guarantees": [_guarantee(item) for item in report.guarantees],
        "understood": {"complete": not report.found.opaque, "opaque": len(report.found.opaque)},
        "accepted": [
            finding_value(finding) | {"reason": entry.reason} | ({"until": entry.until} if entry.until else {})
            for finding, entry in report.acceptances.accepted
        ],
    }


def finding_value(finding: Finding) -> dict[str, Any]:
    """Return one finding."""
    return {
        "id": finding.rule,
        "severity": str(finding.severity),
        "message": finding.message,
        "where": [
            {"role": str(item.role), **_where(item.where)} | ({"text": item.text} if item.text else {})
            for item in finding.witnesses
        ],
        "basis": str(finding.basis),
        "confidence": str(finding.confidence),
        "fix": finding.fix,
        "digest": finding.digest,
    }


def _guarantee(item: Guarantee) -> dict[str, Any]:
    return {
        "id": item.ident,
        "text": item.text,
        "about": str(item.about) if item.about else None,
        "conditions": [
            condition_value(condition) | {"about": str(standing.about)}
            for standing in (() if item.broken_by else item.conditions)
            for condition in standing.conditions
        ],
        "broken_by": [_where(where) for where in dict.fromkeys(effect.where for effect in item.broken_by)],
    }


def condition_value(condition: Condition) -> dict[str, Any]:
    """Return a condition of a guarantee."""
    return {"kind": str(condition.kind), "where": [_where(at) for at in condition.where]}


def _flow(flow: Flow) -> dict[str, Any]:
    out: dict[str, Any] = {
        "from": _end(flow.source),
        "to": _end(flow.sink),
        "via": [_where(where) for where in flow.steps],
        "origin": str(flow.origin),
    }
    return out | {"model": True} if flow.model else out


def _end(end: Endpoint) -> dict[str, Any]:
    return {"capability": end.capability, "scope": end.scope.render(), "where": _where(end.where)}


def _where(where: Location) -> dict[str, Any]:
    return {"file": where.file, "line": where.line}


def _effect(effect: Effect) -> dict[str, Any]:
    out: dict[str, Any] = {
        "capability": effect.capability,
        "scope": effect.scope.render(),
        "where": _where(effect.where),
        "why": effect.why,
        "via": _via(effect.via),
        "origin": str(effect.origin),
        "level": str(vocabulary()[effect.capability].level),
    }
    if effect.path:
        out["path"] = [_where(where) for where in effect.path]
    return out


def _via(via: Via) -> dict[str, Any]:
    fields = {"cause": str(via.cause), "name": via.name, "option": via.option}
    return {name: value for name, value in fields.items() if value}


def _opaque(item: Opaque) -> dict[str, Any]:
    out = {"reason": item.reason, "where": _where(item.where), "origin": str(item.origin)}
    return out | {"remedy": item.remedy} if item.remedy else out


def _permission(entry: Permission) -> dict[str, Any]:
    """Return an entry as in the manifest, but with its scope always written and without its evidence."""
    said = entry_value(entry._replace(evidence=()))
    return {"capability": entry.capability, "scope": scope_value(entry.scopes), **said, "line": entry.line}


def _escape(item: Escape) -> dict[str, Any]:
    return _effect(item.effect) | {"reason": item.reason, "remedy": item.remedy}


def _denied(item: Denied) -> dict[str, Any]:
    return _effect(item.effect) | {"entry": _permission(item.entry)}


def _residual(item: Residual) -> dict[str, Any]:
    out = {"kind": item.kind, "subject": item.subject, "meaning": item.meaning, "layer": item.layer}
    return out | {"where": _where(item.where)} if item.where else out


def _assumption(item: Assumption) -> dict[str, Any]:
    return {"id": item.ident, "layer": item.layer, "meaning": item.meaning}
