"""SARIF: the parts of the standard that code scanning reads, checked structurally."""

import json
import os
from pathlib import Path

import jsonschema
import pytest
from findings_samples import FOUND
from report_samples import REPORTS, TIDY

from each_row import each_row
from remit.checker.report import Failure, failed, judge
from remit.core import Location
from remit.report.as_sarif import as_sarif

EVERY = REPORTS | FOUND
TEXT = {
    "type": "object",
    "properties": {"text": {"type": "string", "minLength": 1}, "markdown": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
LOCATION = {
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "message": TEXT,
        "physicalLocation": {
            "type": "object",
            "properties": {
                "artifactLocation": {
                    "type": "object",
                    "properties": {"uri": {"type": "string", "pattern": '^[^ \\\\<>"{}|^`\\u0000-\\u001f\\u007f-\\uffff]+$'}, "uriBaseId": {"const": "%SRCROOT%"}},
                    "required": ["uri"],
                    "additionalProperties": False,
                },
                "region": {"type": "object", "properties": {"startLine": {"type": "integer", "minimum": 1}}, "required": ["startLine"]},
            },
            "required": ["artifactLocation"],
            "additionalProperties": False,
        },
    },
    "required": ["physicalLocation"],
    "additionalProperties": False,
}  # fmt: skip
RULE = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "name": {"type": "string", "pattern": "^[A-Z][A-Za-z]+$"},
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "defaultConfiguration": {"type": "object", "properties": {"level": LEVEL}, "additionalProperties": False},
        "properties": {
            "type": "object",
            "properties": {"tags": {"type": "array", "uniqueItems": True}, "security-severity": {"type": "string", "pattern": "^[0-9]+\\.[0-9]$"}},
        },
    },
    "required": ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"],
    "additionalProperties": False,
}  # fmt: skip
RESULT = {
    "type": "object",
    "properties": {
        "ruleId": {"type": "string"},
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "kind": {"enum": ["informational"]},
        "message": TEXT,
        "locations": {"type": "array", "minItems": 1, "maxItems": 1, "items": LOCATION},
        "relatedLocations": {"type": "array", "items": LOCATION},
        "codeFlows": {"type": "array", "minItems": 1, "items": {"type": "object", "properties": {"threadFlows": {"type": "array", "minItems": 1, "items": {
            "type": "object", "properties": {"locations": {"type": "array", "minItems": 2, "items": {"type": "object", "properties": {"location": LOCATION}, "required": ["location"]}}},
            "required": ["locations"]}}}, "required": ["threadFlows"]}},
        "suppressions": {"type": "array", "items": {"type": "object", "properties": {"kind": {"const": "external"}}, "required": ["kind"]}},
        "partialFingerprints": {"type": "object", "additionalProperties": {"type": "string", "pattern": "^[0-9a-f]{32}:[0-9]+$"}, "minProperties": 1},
        "properties": {"type": "object"},
    },
    "required": ["ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints"],
    # the standard: what is no failure has no level
    "if": {"required": ["kind"]}, "then": {"properties": {"level": {"const": "none"}}}, "else": {"properties": {"level": {"not": {"const": "none"}}}},
    "additionalProperties": False,
}  # fmt: skip
LOG = {
    "type": "object",
    "properties": {
        "$schema": {"type": "string", "format": "uri"},
        "version": {"const": "2.1.0"},
        "runs": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "properties": {
                    "tool": {
                        "type": "object",
                        "properties": {"driver": {"type": "object", "properties": {"rules": {"type": "array", "items": RULE}}, "required": ["name", "version", "rules"]}},
                        "required": ["driver"],
                        "additionalProperties": False,
                    },
                    "automationDetails": {"type": "object", "properties": {"id": {"type": "string", "pattern": "/$"}}, "required": ["id"]},
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "invocations": {"type": "array", "items": {"type": "object", "required": ["executionSuccessful"]}},
                    "results": {"type": "array", "items": RESULT},
                },
                "required": ["tool", "results"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["version", "runs"],
    "additionalProperties": False,
}  # fmt: skip


def run_of(*names, status=1):
    log = as_sarif([EVERY[name] for name in names], status, "1.2.3")
    jsonschema.Draft202012Validator(LOG).validate(log)
    return log["runs"][0]


@each_row("name", EVERY)
def test_a_log_has_the_form(name):
    run_of(name)


def test_the_schema_of_the_standard_accepts_every_log_nightly_needs_the_schema():
    """`REMIT_SARIF_SCHEMA` names a copy of sarif-schema-2.1.0.json, as the standard has it."""
    place = os.environ.get("REMIT_SARIF_SCHEMA")
    if not place:
        pytest.skip("REMIT_SARIF_SCHEMA names no schema")
    schema = json.loads(Path(place).read_text("utf-8"))
    checker = jsonschema.validators.validator_for(schema)(schema)
    checker.validate(as_sarif(list(REPORTS.values()), 1, "1.2.3"))
    for name in REPORTS:
        checker.validate(as_sarif([REPORTS[name]], 1, "1.2.3"))
    spoiled = as_sarif([REPORTS["escapes"]], 1, "1.2.3")
    spoiled["runs"][0]["results"][0]["level"] = "bad"
    assert not checker.is_valid(spoiled)


def test_rules_are_the_capabilities_that_occur_and_opaque():
    run = run_of(*REPORTS)
    rules = run["tool"]["driver"]["rules"]
    names = [rule["id"] for rule in rules]
    assert len(set(names)) == len(names)
    assert {"file.delete", "opaque", "failed"} <= set(names)
    for result in run["results"]:
        assert names[result["ruleIndex"]] == result["ruleId"]


def test_effects_without_a_manifest_are_facts_and_escapes_are_errors():
    results = run_of("undeclared")["results"]
    assert {result["level"] for result in results if result["ruleId"] != "opaque"} == {"none"}
    assert {result["level"] for result in results if result["ruleId"] == "opaque"} == {"note"}
    assert {result["level"] for result in run_of("escapes")["results"]} == {"error", "none"}


def test_findings_have_levels_rules_and_the_way_that_data_takes():
    run = run_of("block")
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules["secret-to-network"]["properties"]["security-severity"] == "9.5"
    assert "A skill needs a credential only for" in rules["secret-to-network"]["help"]["text"]
    assert "helpUri" not in rules["secret-to-network"]
    found = [result for result in run["results"] if result["ruleId"] in ("secret-to-network", "hides-from-user")]
    assert [result["level"] for result in found] == ["error", "error", "warning", "note"]
    (flow,) = found[0]["codeFlows"][0]["threadFlows"]
    steps = [step["location"] for step in flow["locations"]]
    assert [step["physicalLocation"]["region"]["startLine"] for step in steps] == [2, 3, 4]
    assert steps[0]["message"]["text"] == "reads ~/.ssh/id_rsa"
    assert "codeFlows" not in found[1]


def test_accepted_findings_are_suppressed_with_their_reason():
    found = [result for result in run_of("accepted")["results"] if "suppressions" in result]
    assert [result["ruleId"] for result in found] == ["hides-from-user"]
    assert found[0]["suppressions"][0]["justification"] == "a surprise party"


def test_denied_attempts_are_results_but_no_problems():
    (result,) = run_of("denied", status=0)["results"]
    assert result["ruleId"] == "web.post"
    assert result["kind"] == "informational"
    assert "refused" in result["message"]["text"]


def test_with_a_manifest_what_is_inside_is_no_result():
    found = {result["ruleId"] for result in run_of("escapes")["results"]}
    assert "env.read" not in found
    assert "commit.push" in found
    assert run_of("contained")["results"] == []


def test_scopes_on_one_line_are_one_result():
    results = [result for result in run_of("undeclared")["results"] if result["ruleId"] == "file.read"]
    assert len(results) == len(
        {result["locations"][0]["physicalLocation"]["region"]["startLine"] for result in results}
    )


def test_fingerprints_stay_when_lines_move():
    def marks(found):
        run = as_sarif([judge(found, None)], 0, "1")["runs"][0]
        return [result["partialFingerprints"]["remit/v1"] for result in run["results"]]

    moved = [item._replace(where=Location(item.where.file, item.where.line + 7)) for item in TIDY.effects]
    later = type(TIDY)(TIDY.skill, TIDY.path, tuple(moved), TIDY.opaque, TIDY.assumptions, 3, 1, 0)
    assert marks(TIDY) == marks(later)
    assert len(set(marks(TIDY))) == len(marks(TIDY))


def test_calls_are_related_locations():
    run = run_of("undeclared")
    (related,) = [result["relatedLocations"] for result in run["results"] if "relatedLocations" in result]
    assert related[0]["physicalLocation"]["region"]["startLine"] == 13


def test_failures_are_notified():
    run = run_of("failed", "contained", status=2)
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 2
    assert "SKILL.md" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    assert [result["ruleId"] for result in run["results"]] == ["failed"]


def test_paths_are_uris_below_the_checkout(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inside = run_of("undeclared")["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert inside["uri"].startswith("skills/tidy/")
    assert inside["uriBaseId"] == "%SRCROOT%"
    outer = type(TIDY)("a", "/else where/x", TIDY.effects, (), (), 1, 0, 0)
    run = as_sarif([judge(outer, None)], 0, "1")["runs"][0]
    outside = run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert outside == {"uri": "file:///else%20where/x/SKILL.md"}


def test_no_alert_leads_where_a_skill_wants_it_to():
    report = failed(
        "x", "x", Failure("cannot read `[mend it](https://evil.example)\x1b[31m`", "[mend it](https://evil.example)")
    )
    (run,) = as_sarif([report], 2, "1")["runs"]
    told = [
        run["results"][0]["message"]["text"],
        run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
    ]
    for text in told:
        assert "](" not in text
        assert "\x1b" not in text
        assert "evil.example" in text
