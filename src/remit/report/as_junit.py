"""Reports as JUnit XML, which every CI shows: a skill is a test.

It fails when the check would exit with 1 for it, and is an error when it cannot be read.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from remit.report.screen import visible

if TYPE_CHECKING:
    from remit.checker.report import Report

_ERRS = 2


def as_junit(checked: Sequence[tuple[Report, int]]) -> str:
    """Return one suite; `checked` are reports, each with its exit status.

    Times are 0, because some readers require one and the same skills give the same bytes.
    """
    failures, errors = sum(0 < status < _ERRS for _, status in checked), sum(status >= _ERRS for _, status in checked)
    counts = {"tests": str(len(checked)), "failures": str(failures), "errors": str(errors), "skipped": "0", "time": "0"}
    suites = ET.Element("testsuites", {"name": "remit check", **counts})
    suite = ET.SubElement(suites, "testsuite", {"name": "remit check", **counts})
    for report, status in checked:
        _case(suite, report, status)
    ET.indent(suites, " ")
    return ET.tostring(suites, "unicode", xml_declaration=True)


def _case(suite: ET.Element, report: Report, status: int) -> None:
    found = report.found
    case = ET.SubElement(
        suite, "testcase", {"classname": visible(found.path), "name": visible(found.skill), "time": "0"}
    )
    if status >= _ERRS and report.failure:
        told = {"message": visible(report.failure.message), "type": "failed"}
        ET.SubElement(case, "error", told).text = visible(report.failure.remedy)
        return
    lines = [
        *(f"{one.where}: {one.severity}: {one.message} [{one.rule}]. {one.fix}".rstrip() for one in report.concerns),
        *(f"{one.effect.where}: {one.effect.capability} {one.effect.scope.render()}: {one.reason}. To do: {one.remedy}"
          for one in report.containment.escapes),
        *(f"{one.where}: not understood: {one.reason}. {one.remedy}".rstrip(". ") for one in report.not_understood),
        *(f"{one.where}: {one.capability} {one.scope.render()}: the manifest denies it" for one, _ in report.containment.denied),
    ]  # fmt: skip
    if lines:
        lines.append(f"more: remit check {shlex.quote(found.path)} -v")
    text = "\n".join(map(visible, lines))
    if status:
        kind = str(report.level) if report.concerns or not report.manifest else str(report.verdict)
        ET.SubElement(case, "failure", {"message": visible(report.summary), "type": kind}).text = text
    elif text:
        ET.SubElement(case, "system-out").text = text
