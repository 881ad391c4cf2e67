"""JSON: the published schema describes what is printed, and refuses what would be a lie."""

import copy
import json

import jsonschema
from findings_samples import FOUND
from report_samples import REPORTS

from each_row import each_row
from remit.cli.schemas import schema_text
from remit.report.as_json import dump, pretty

SCHEMA = json.loads(schema_text("check"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@each_row("name", REPORTS)
def test_every_report_fits_the_schema(name):
    VALIDATOR.validate(REPORTS[name].to_dict())


def test_many_are_a_list():
    VALIDATOR.validate([report.to_dict() for report in REPORTS.values()])


@each_row("name", REPORTS)
def test_both_layouts_are_the_same_json_and_plain_ascii(name):
    value = REPORTS[name].to_dict()
    assert json.loads(dump(value)) == json.loads(pretty(value)) == json.loads(pretty(value, 4)) == value
    assert pretty(value).isascii()
    assert "\n" not in dump(value)


def test_fields_and_their_order():
    found = REPORTS["escapes"].to_dict()
    assert list(found)[:14] == [
        "skill", "verdict", "assessment", "effects", "flows", "opaque", "unread", "declared", "undeclared", "denied", "unused", "residuals", "assumptions", "files",
    ]  # fmt: skip
    first = found["effects"][0]
    assert first == {
        "capability": "commit.push",
        "scope": "origin",
        "where": {"file": "SKILL.md", "line": 12},
        "why": "`git push`",
        "via": {"cause": "record"},
        "origin": "instructed",
        "level": "system",
    }
    assert found["verdict"] == "escapes"
    assert found["files"] == {"analysed": 3, "inert": 1, "opaque": 0}


def test_denied_attempts_and_entries():
    found = REPORTS["denied"].to_dict()
    assert found["verdict"] == "contained"
    (denied,) = found["denied"]
    assert (denied["capability"], denied["scope"]) == ("web.post", "collect.example.net:443")
    assert denied["entry"] == {"capability": "web.post", "scope": "*.example.net", "effect": "deny", "line": 5}
    assert found["declared"][0] == {
        "capability": "process.create",
        "scope": ["git", "make"],
        "constraints": {"denied_command_patterns": ["git push"], "rate_limit": {"calls": 5, "seconds": 60}},
        "fallback_msg": "only git and make",
        "line": 2,
    }
    assert {item["kind"] for item in found["residuals"]} >= {"deny", "constraint"}


def change(**fields):
    def apply(report):
        report.update(fields)

    return apply


WRONG = [
    ("contained", lambda report: report["effects"][0].update(capability="file.*")),
    ("contained", lambda report: report["effects"][0].pop("where")),
    ("contained", lambda report: report["effects"][0]["where"].update(line=-1)),
    ("contained", lambda report: report["effects"][0].update(origin="model")),
    ("contained", change(verdict="fine")),
    ("contained", change(verdict="escapes")),
    ("contained", change(opaque=[{"reason": "x", "where": {"file": "a", "line": 1}, "origin": "script"}])),
    ("escapes", change(verdict="contained")),
    ("escapes", change(verdict="opaque")),
    ("undeclared", change(verdict="contained")),
    ("denied", lambda report: report["denied"][0].pop("entry")),
    ("denied", lambda report: report.pop("denied")),
    ("failed", change(opaque=[])),
    ("contained", change(more=1)),
]


@each_row(("name", "wrong"), WRONG)
def test_the_schema_refuses(name, wrong):
    value = copy.deepcopy(REPORTS[name].to_dict())
    wrong(value)
    assert not VALIDATOR.is_valid(value)


def test_a_list_of_one_is_refused():
    assert not VALIDATOR.is_valid([REPORTS["contained"].to_dict()])


@each_row("name", FOUND)
def test_the_assessment_fits_the_schema(name):
    VALIDATOR.validate(FOUND[name].to_dict())


def test_the_assessment():
    found = FOUND["block"].to_dict()
    assessment = found["assessment"]
    assert list(assessment) == ["level", "summary", "findings", "guarantees", "understood", "accepted"]
    assert assessment["level"] == "block"
    assert assessment["summary"].startswith("DO NOT INSTALL: sends your SSH key")
    assert assessment["understood"] == {"complete": False, "opaque": 2}
    first = assessment["findings"][0]
    assert (first["id"], first["severity"], first["basis"]) == ("secret-to-network", "critical", "script")
    assert [item["role"] for item in first["where"]] == ["source", "step", "sink"]
    assert first["where"][1] == {"role": "step", "file": "scripts/b.py", "line": 3}
    deletes = next(item for item in assessment["guarantees"] if item["id"] == "deletes-no-files")
    assert (deletes["about"], deletes["broken_by"]) == (None, [])
    assert [(item["about"], item["kind"]) for item in deletes["conditions"]] == [
        ("scripts", "not-understood"),
        ("scripts", "left-for-later"),
        ("code", "not-understood"),
        ("code", "package"),
    ]
    assert deletes["conditions"][2]["where"] == [{"file": "reference.md", "line": 11}]
    assert found["flows"][0] == {
        "from": {"capability": "secret.read", "scope": "~/.ssh/id_rsa", "where": {"file": "scripts/b.py", "line": 2}},
        "to": {
            "capability": "web.post",
            "scope": "collector.evil.example:443",
            "where": {"file": "scripts/b.py", "line": 4},
        },
        "via": [{"file": "scripts/b.py", "line": 3}],
        "origin": "script",
    }
    assert found["flows"][1]["model"] is True


def test_accepted_findings_stand_apart_and_do_not_count():
    assessment = FOUND["accepted"].to_dict()["assessment"]
    assert (assessment["level"], assessment["findings"]) == ("clear", [])
    (accepted,) = assessment["accepted"]
    assert (accepted["id"], accepted["reason"]) == ("hides-from-user", "a surprise party")


def test_a_guarantee_that_is_broken_speaks_of_nothing():
    value = FOUND["block"].to_dict()
    broken = next(item for item in value["assessment"]["guarantees"] if item["broken_by"])
    broken["about"] = "code"
    assert not VALIDATOR.is_valid(value)


def test_what_could_not_be_analysed_is_not_clear():
    assert REPORTS["failed"].to_dict()["assessment"]["level"] == "review"
