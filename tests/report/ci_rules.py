"""What CI systems refuse: the documented limits and fields of GitHub's code scanning, and the common form of JUnit XML."""

import gzip
import json
import re
from urllib.parse import urlsplit

LIMITS = {"runs": 20, "results": 25_000, "rules": 25_000, "locations": 1_000, "tags": 20, "bytes": 10_000_000}
TEXTS = 1024  # characters of a description
NAME = 255


def refused_by_code_scanning(log):
    """Why an upload would be refused, or shown without what it says; empty if it would not."""
    return [*_log(log), *(reason for run in log.get("runs", []) for reason in _run(run))]


def _log(log):
    if log.get("version") != "2.1.0" or "sarif" not in log.get("$schema", ""):
        yield "not SARIF 2.1.0"
    if not 0 < len(log.get("runs", [])) <= LIMITS["runs"]:
        yield "runs"
    if len(gzip.compress(json.dumps(log).encode(), 1)) > LIMITS["bytes"]:
        yield "size"


def _run(run):
    driver = run.get("tool", {}).get("driver", {})
    rules, results = driver.get("rules", []), run.get("results")
    if not driver.get("name"):
        yield "tool without a name"
    if not isinstance(results, list) or len(results) > LIMITS["results"]:
        yield "results"
    if len(rules) > LIMITS["rules"]:
        yield "rules"
    for rule in rules:
        yield from _rule(rule)
    category = run.get("automationDetails", {}).get("id", "")
    if not category.endswith("/"):
        yield "category without an end"
    known = {rule.get("id"): number for number, rule in enumerate(rules)}
    seen = set()
    for result in results or ():
        yield from _result(result, known)
        mark = json.dumps([result.get("ruleId"), result.get("partialFingerprints")], sort_keys=True)
        if mark in seen:
            yield "two results with one fingerprint"
        seen.add(mark)


def _rule(rule):
    if not rule.get("id") or len(rule.get("name", "")) > NAME:
        yield "rule without a name"
    for field in ("shortDescription", "fullDescription"):
        if not 0 < len(rule.get(field, {}).get("text", "")) <= TEXTS:
            yield f"{field} of {rule.get('id')}"
    if not rule.get("help", {}).get("text"):
        yield "rule without help"
    properties = rule.get("properties", {})
    if len(properties.get("tags", ())) > LIMITS["tags"]:
        yield "tags"
    severity = properties.get("security-severity", "")
    if not re.fullmatch(r"\d+\.\d+", severity) or not 0 < float(severity) <= 10:
        yield "security-severity"
    if "security" not in properties.get("tags", ()):
        yield "a severity that nobody reads: the rule has no tag `security`"


def _result(result, known):
    if result.get("ruleIndex") != known.get(result.get("ruleId"), -1):
        yield "rule that is not there"
    if result.get("level") not in ("error", "warning", "note", "none"):
        yield "level"
    if not result.get("message", {}).get("text"):
        yield "result without a message"
    if not result.get("partialFingerprints", {}).get("primaryLocationLineHash"):
        yield "result without a fingerprint"
    places = [*result.get("locations", ()), *result.get("relatedLocations", ())]
    if not result.get("locations") or len(places) > LIMITS["locations"]:
        yield "locations"
    for place in places:
        yield from _place(place.get("physicalLocation", {}))


def _place(place):
    artifact = place.get("artifactLocation", {})
    uri = urlsplit(artifact.get("uri", ""))
    if not uri.path or uri.scheme not in ("", "file"):
        yield "uri"
    if not uri.scheme and (artifact.get("uriBaseId") != "%SRCROOT%" or uri.path.startswith(("/", ".."))):
        yield "a relative uri that is not below the checkout"
    if place.get("region", {}).get("startLine", 0) < 1:
        yield "a place without a line"


# element: attributes that must be there, attributes that may, children in their order
JUNIT = {
    "testsuites": ({"name", "tests", "failures", "errors", "time"}, {"skipped"}, ("testsuite",)),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, set(), ("testcase",)),
    "testcase": ({"name", "classname", "time"}, set(), ("error", "failure", "system-out")),
    "error": ({"message", "type"}, set(), ()),
    "failure": ({"message", "type"}, set(), ()),
    "system-out": (set(), set(), ()),
}
_NUMBERS = re.compile(r"\d+(\.\d+)?")


def refused_as_junit(element, parent=None):
    """Why a reader of test results would not understand an element."""
    if element.tag not in JUNIT:
        return [f"element {element.tag}"]
    needed, more, children = JUNIT[element.tag]
    out = [f"{element.tag} without {name}" for name in needed - set(element.keys())]
    out += [f"{element.tag} with {name}" for name in set(element.keys()) - needed - more]
    out += [
        f"{name} of {element.tag}"
        for name in {"tests", "failures", "errors", "skipped", "time"} & set(element.keys())
        if not _NUMBERS.fullmatch(element.get(name))
    ]
    order = [children.index(child.tag) if child.tag in children else -1 for child in element]
    if -1 in order or order != sorted(order):
        out.append(f"children of {element.tag}")
    if element.tag in ("testsuites", "testsuite"):
        cases = list(element.iter("testcase"))
        counts = {"tests": len(cases)}
        counts |= {f"{kind}s": sum(case.find(kind) is not None for case in cases) for kind in ("failure", "error")}
        out += [f"{name} of {element.tag}" for name, number in counts.items() if element.get(name) != str(number)]
    return out + [reason for child in element for reason in refused_as_junit(child, element)]
