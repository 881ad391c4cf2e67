"""Reports as SARIF 2.1.0, for code scanning: findings, effects outside of a manifest, and opaque locations.

Rules are those with findings, the capabilities that occur, `opaque` and `failed`. Effects are facts and not problems:
without a manifest, and where a manifest denies them, they are results of kind `informational`.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from remit.core.capability import Capability, Level, vocabulary
from remit.core.effect import Effect, Opaque, Origin
from remit.findings.model import Finding, Rule, Severity
from remit.findings.registry import rules
from remit.report.screen import visible

if TYPE_CHECKING:
    from remit.checker.report import Report
    from remit.core.location import Location

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Level.SYSTEM: "error", Level.DANGEROUS: "warning", Level.REDACT: "warning", Level.NORMAL: "note"}
_SEVERITY = {Level.SYSTEM: "8.0", Level.DANGEROUS: "6.0", Level.REDACT: "6.5", Level.NORMAL: "3.0"}
_FINDING_LEVELS = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
_FINDING_SEVERITY = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "3.0",
    Severity.INFO: "1.0",
}
_BY_LEVEL = ("error", "warning", "note", "none")
MOST_RESULTS = 25_000  # results of one run; code scanning refuses more
_MOST_CALLS = 100  # locations of one result that are shown there
_OPAQUE = "opaque"
_FAILED = "failed"
_WHO = {
    Origin.SCRIPT: "",
    Origin.INSTRUCTED: ", as the text instructs the agent",
    Origin.HOOK: ", without being asked (hook)",
}
_EXIT = {
    0: "no finding fails the check",
    1: "a finding blocks, or something is outside of its manifest or not understood",
    2: "something could not be read",
}


def as_sarif(reports: Sequence[Report], status: int, version: str) -> dict[str, Any]:
    """Return one log with one run."""
    names = sorted({effect.capability for report in reports for effect in report.found.effects})
    used = {finding.rule for report in reports for finding in report.findings}
    described = [
        *(_finding_rule(rule) for name, rule in rules().items() if name in used),
        *(_rule(vocabulary()[name]) for name in names),
        _opaque_rule(),
        _failed_rule(),
    ]
    index = {rule["id"]: number for number, rule in enumerate(described)}
    every = _fingerprinted([result for report in reports for result in _results(report)])
    results = _worst(every)
    for result in results:
        result["ruleIndex"] = index[result["ruleId"]]
    driver = {"name": "remit", "version": version, "semanticVersion": version, "rules": described}
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "remit/check/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(reports, status, len(every) - len(results))],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


# ── rules ──


def _finding_rule(rule: Rule) -> dict[str, Any]:
    text = f"{rule.why} Not reported: {rule.quiet} To do: {rule.fix}"
    markdown = (
        f"{rule.why}\n\n**Not reported:** {rule.quiet}\n\n**To do:** {rule.fix}\n\n`remit explain {rule.ident}`\n"
    )
    level, severity = _FINDING_LEVELS[rule.severity], _FINDING_SEVERITY[rule.severity]
    return _described(
        rule.ident, rule.title, level, severity, text=text, markdown=markdown, tags=("finding", rule.family)
    )


def _rule(found: Capability) -> dict[str, Any]:
    level, name = _LEVELS[found.level], found.name
    help_text = (
        f"{name}: {found.meaning}. Level {found.level}, change {found.change}. If the skill should do this, declare it in "
        f"its remit.json; if not, remove it. See `remit explain {name}`."
    )
    markdown = (
        f"**`{name}`** {found.meaning}.\n\n| level | change | scope |\n|---|---|---|\n"
        f"| {found.level} | {found.change} | {found.scope_kind} |\n\n"
        f"If the skill should do this, declare it in its `remit.json`; if not, remove it from the skill.\n"
    )
    return _described(name, found.meaning, level, _SEVERITY[found.level], text=help_text, markdown=markdown)


def _opaque_rule() -> dict[str, Any]:
    text = "The analysis does not understand this location, so it could do anything there. The message says what to do."
    return _described(_OPAQUE, "a location that is not understood", "note", "3.0", text=text, markdown=text)


def _failed_rule() -> dict[str, Any]:
    text = "The skill or its manifest could not be read to the end, so there is no result for it. The message says what to do."
    return _described(_FAILED, "a skill that could not be read", "error", "7.0", text=text, markdown=text)


def _described(
    name: str, short: str, level: str, severity: str, *, text: str, markdown: str, tags: Sequence[str] = ("capability",)
) -> dict[str, Any]:
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in re.split(r"[.-]", name)),
        "shortDescription": {"text": f"{name}: {short}"[:1024]},
        "fullDescription": {"text": text[:1024]},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["security", *tags], "security-severity": severity, "precision": "high"},
    }


# ── results ──


def _results(report: Report) -> Iterator[dict[str, Any]]:
    base = report.found.path
    if report.failure:
        text = f"{report.failure.message}. {report.failure.remedy}".rstrip(". ") + "."
        yield _result(
            report, _FAILED, "error", text, where=_physical(base, "SKILL.md", 0), identity=report.failure.message
        )
    reasons = {finding: accepted.reason for finding, accepted in report.acceptances.accepted}
    for finding in report.findings:
        yield _finding(report, finding) | (_suppressed(reasons[finding]) if finding in reasons else {})
    if not report.failure:
        for item in report.found.opaque:
            yield _opaque(report, item)
    if report.manifest:
        for escape in report.containment.escapes:
            text = f"{_said([escape.effect])}, and {escape.reason}. To do: {escape.remedy}."
            yield _effect(report, [escape.effect], "error", text)
        for effect, entry in report.containment.denied:
            place = f"`{entry.capability} {entry.place}`"
            text = f"{_said([effect])}. The manifest denies {place}, so it is refused when it is tried."
            yield _effect(report, [effect], "none", text) | {"kind": "informational"}
    else:
        for effects in _places(report.found.effects):
            yield _effect(report, effects, "none", f"{_said(effects)}.") | {"kind": "informational"}


def _finding(report: Report, finding: Finding) -> dict[str, Any]:
    """Return a finding at its deciding location, with its data flow, or the words there."""
    base, message = report.found.path, finding.message[:1].upper() + finding.message[1:]
    text = f"{message}. {finding.fix}".rstrip()
    identity = f"{finding.where.file}\0{finding.message}"
    level = _FINDING_LEVELS[finding.severity]
    result = _result(report, finding.rule, level, text, where=_physical(base, *finding.where), identity=identity)
    result["properties"] |= {
        "severity": str(finding.severity),
        "security-severity": _FINDING_SEVERITY[finding.severity],
        "confidence": str(finding.confidence),
        "basis": str(finding.basis),
    }
    if len(finding.witnesses) > 1:
        steps = [
            {
                "location": {
                    "message": {"text": _without_links(item.text or str(item.role))},
                    **_physical(base, *item.where),
                }
            }
            for item in finding.witnesses
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    return result


def _suppressed(reason: str) -> dict[str, Any]:
    return {"suppressions": [{"kind": "external", "status": "accepted", "justification": _without_links(reason)}]}


def _places(effects: Iterable[Effect]) -> list[list[Effect]]:
    """Combine effects of one capability on one line into one result with several scopes."""
    out: dict[tuple[str, Location, Origin], list[Effect]] = {}
    for effect in effects:
        out.setdefault((effect.capability, effect.where, effect.origin), []).append(effect)
    return list(out.values())


def _said(effects: Sequence[Effect]) -> str:
    first = effects[0]
    scopes = ", ".join(dict.fromkeys(effect.scope.render() for effect in effects))
    return f"{first.capability} on {scopes}: {first.why}{_WHO[first.origin]}"


def _effect(report: Report, effects: Sequence[Effect], level: str, text: str) -> dict[str, Any]:
    first = effects[0]
    base = report.found.path
    identity = "\0".join([first.capability, first.origin, first.why, *(effect.scope.render() for effect in effects)])
    result = _result(
        report,
        first.capability,
        level,
        text,
        where=_physical(base, *first.where),
        identity=f"{first.where.file}\0{identity}",
    )
    result["properties"] |= {"scopes": [effect.scope.render() for effect in effects], "origin": str(first.origin)}
    if first.path:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": "called from here"}, **_physical(base, *where)}
            for number, where in enumerate(first.path[:_MOST_CALLS], 1)
        ]
    return result


def _opaque(report: Report, item: Opaque) -> dict[str, Any]:
    text = f"{item.reason}. To do: {item.remedy}." if item.remedy else f"{item.reason}."
    where = _physical(report.found.path, *item.where)
    level = "error" if report.manifest else "note"
    return _result(report, _OPAQUE, level, text, where=where, identity=f"{item.where.file}\0{item.reason}")


def _result(
    report: Report, rule: str, level: str, text: str, *, where: dict[str, Any], identity: str
) -> dict[str, Any]:
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": _without_links(text)},
        "locations": [where],
        "partialFingerprints": {"remit/v1": f"{report.found.skill}\0{rule}\0{identity}"},
        "properties": {"skill": report.found.skill, "level": str(report.level), "verdict": str(report.verdict)},
    }


def _without_links(text: str) -> str:
    """Return a message in which `[text](address)` is not a link, unlike in SARIF: an alert must not lead to an address
    that a skill chooses.
    """
    return visible(text).replace("](", "]\\(")


def _fingerprinted(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Add fingerprints of the content of results, not their lines, so that they stay the same when lines move.

    Equal results are numbered, as GitHub's own fingerprint of a line does.
    """
    seen: dict[str, int] = {}
    for result in results:
        text = result["partialFingerprints"]["remit/v1"]
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        seen[digest] = seen.get(digest, 0) + 1
        mark = f"{digest}:{seen[digest]}"
        result["partialFingerprints"] = {"remit/v1": mark, "primaryLocationLineHash": mark}
    return results


def _worst(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return as many results as code scanning accepts, in order; a larger log is refused there as a whole."""
    if len(results) <= MOST_RESULTS:
        return results
    ranked = sorted(range(len(results)), key=lambda number: _BY_LEVEL.index(results[number]["level"]))
    return [results[number] for number in sorted(ranked[:MOST_RESULTS])]


def _physical(base: str, file: str, line: int) -> dict[str, Any]:
    """Return a location. A result about a whole file is put on its first line: code scanning shows nothing without one."""
    return {"physicalLocation": {"artifactLocation": _artifact(base, file), "region": {"startLine": max(line, 1)}}}


def _artifact(base: str, file: str) -> dict[str, str]:
    """Return a URI relative to the current folder, which is a checkout in CI; absolute for files outside of it."""
    path = os.path.normpath(os.path.join(base, "SKILL.md" if file == "." else file))  # noqa: PTH118
    relative = os.path.relpath(path)
    if relative == os.pardir or relative.startswith(os.pardir + os.sep):
        return {"uri": "file://" + quote(os.path.abspath(path).replace(os.sep, "/"), errors="surrogateescape")}  # noqa: PTH100
    return {"uri": quote(relative.replace(os.sep, "/"), errors="surrogateescape"), "uriBaseId": "%SRCROOT%"}


def _invocation(reports: Sequence[Report], status: int, left_out: int) -> dict[str, Any]:
    notes: list[dict[str, Any]] = [
        {
            "level": "error",
            "message": {"text": _without_links(f"{report.found.path}: {report.failure.message}")},
            "descriptor": {"id": _FAILED},
        }
        for report in reports
        if report.failure
    ]
    if left_out:
        text = f"{left_out} results are left out, the least severe: code scanning takes {MOST_RESULTS} of one run"
        notes.append({"level": "warning", "message": {"text": text}})
    out: dict[str, Any] = {
        "executionSuccessful": status < 2,
        "exitCode": status,
        "exitCodeDescription": _EXIT.get(status, "failed"),
    }
    return out | {"toolExecutionNotifications": notes} if notes else out
