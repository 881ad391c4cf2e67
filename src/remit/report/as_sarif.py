"""Reports as SARIF 2.1.0, for code scanning: a rule for each capability, and one for what is opaque.

Without a manifest every effect is a result. With one, what is contained is as it should be: escapes and opaque places are
results, and denied attempts are results that are no problems (`informational`).
"""

from __future__ import annotations

import hashlib
import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from remit.core.capability import Level, vocabulary
from remit.core.effect import Origin
from remit.report.screen import visible

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from remit.checker.report import Report
    from remit.core.capability import Capability
    from remit.core.effect import Effect, Opaque
    from remit.core.location import Location

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Level.SYSTEM: "error", Level.DANGEROUS: "warning", Level.REDACT: "warning", Level.NORMAL: "note"}
_SEVERITY = {Level.SYSTEM: "8.0", Level.DANGEROUS: "6.0", Level.REDACT: "6.5", Level.NORMAL: "3.0"}
_BY_LEVEL = ("error", "warning", "note", "none")
MOST_RESULTS = 25_000  # of one run; more are refused by code scanning
_MOST_CALLS = 100  # of one result are shown there
_OPAQUE = "opaque"
_FAILED = "failed"
_WHO = {
    Origin.SCRIPT: "",
    Origin.INSTRUCTED: ", as the text instructs the agent",
    Origin.HOOK: ", without being asked (hook)",
}
_EXIT = {
    0: "nothing escapes and nothing is opaque",
    1: "something escapes or is opaque",
    2: "something could not be read",
}


def as_sarif(reports: Sequence[Report], status: int, version: str) -> dict[str, Any]:
    """One log with one run."""
    names = sorted({effect.capability for report in reports for effect in report.found.effects})
    rules = [*(_rule(vocabulary()[name]) for name in names), _opaque_rule(), _failed_rule()]
    index = {rule["id"]: number for number, rule in enumerate(rules)}
    every = _fingerprinted([result for report in reports for result in _results(report)])
    results = _worst(every)
    for result in results:
        result["ruleIndex"] = index[result["ruleId"]]
    driver = {
        "name": "remit",
        "version": version,
        "semanticVersion": version,
        "rules": rules,
    }
    run = {
        "tool": {"driver": driver},
        "automationDetails": {"id": "remit/check/"},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(reports, status, len(every) - len(results))],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


# ── rules ──


def _rule(found: Capability) -> dict[str, Any]:
    level, name = _LEVELS[found.level], found.name
    help_text = (
        f"{name}: {found.meaning}. Level {found.level}, change {found.change}. If the skill should do this, declare it in "
        f"its remit.json; if not, remove it. `remit explain {name}` says more."
    )
    markdown = (
        f"**`{name}`** {found.meaning}.\n\n| level | change | scope |\n|---|---|---|\n"
        f"| {found.level} | {found.change} | {found.scope_kind} |\n\n"
        f"If the skill should do this, declare it in its `remit.json`; if not, remove it from the skill.\n"
    )
    return _described(name, found.meaning, level, _SEVERITY[found.level], text=help_text, markdown=markdown)


def _opaque_rule() -> dict[str, Any]:
    text = "A place that the analysis does not understand could do anything, so the skill is not contained. The message says what to do."
    return _described(_OPAQUE, "a place that is not understood", "error", "7.0", text=text, markdown=text)


def _failed_rule() -> dict[str, Any]:
    text = "The skill or its manifest could not be read to the end, so nothing is known about it. The message says what to do."
    return _described(_FAILED, "a skill that could not be read", "error", "7.0", text=text, markdown=text)


def _described(name: str, short: str, level: str, severity: str, *, text: str, markdown: str) -> dict[str, Any]:
    return {
        "id": name,
        "name": "".join(part.capitalize() for part in name.split(".")),
        "shortDescription": {"text": f"{name}: {short}"[:1024]},
        "fullDescription": {"text": text[:1024]},
        "help": {"text": text, "markdown": markdown},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": ["security", "capability"], "security-severity": severity, "precision": "high"},
    }


# ── results ──


def _results(report: Report) -> Iterator[dict[str, Any]]:
    base = report.found.path
    if report.failure:
        text = f"{report.failure.message}. {report.failure.remedy}".rstrip(". ") + "."
        yield _result(
            report, _FAILED, "error", text, where=_physical(base, "SKILL.md", 0), identity=report.failure.message
        )
    else:
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
            level = _LEVELS[vocabulary()[effects[0].capability].level]
            yield _effect(report, effects, level, f"{_said(effects)}.")


def _places(effects: Iterable[Effect]) -> list[list[Effect]]:
    """Effects of one capability on one line are one result with several scopes."""
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
    return _result(report, _OPAQUE, "error", text, where=where, identity=f"{item.where.file}\0{item.reason}")


def _result(
    report: Report, rule: str, level: str, text: str, *, where: dict[str, Any], identity: str
) -> dict[str, Any]:
    return {
        "ruleId": rule,
        "level": level,
        "message": {"text": _without_links(text)},
        "locations": [where],
        "partialFingerprints": {"remit/v1": f"{report.found.skill}\0{rule}\0{identity}"},
        "properties": {"skill": report.found.skill, "verdict": str(report.verdict)},
    }


def _without_links(text: str) -> str:
    """A message in which `[text](address)` is no link, as SARIF would have it: an alert must not lead where a skill wants it to."""
    return visible(text).replace("](", "]\\(")


def _fingerprinted(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Fingerprints from what a result says, not from its line, so that it stays the same when lines move.

    Results that say the same are numbered, as GitHub's own fingerprint of a line does.
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
    """As many as code scanning takes, in their order; a log with more is refused there as a whole."""
    if len(results) <= MOST_RESULTS:
        return results
    ranked = sorted(range(len(results)), key=lambda number: _BY_LEVEL.index(results[number]["level"]))
    return [results[number] for number in sorted(ranked[:MOST_RESULTS])]


def _physical(base: str, file: str, line: int) -> dict[str, Any]:
    """A place. What is said of a whole file stands at its first line: code scanning shows nothing without one."""
    return {"physicalLocation": {"artifactLocation": _artifact(base, file), "region": {"startLine": max(line, 1)}}}


def _artifact(base: str, file: str) -> dict[str, str]:
    """A URI relative to the current folder, which a checkout is in CI; absolute for what lies outside of it."""
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
