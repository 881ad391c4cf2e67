"""What CI systems take: SARIF as code scanning takes it, JUnit XML as readers of test results do; and the rules can refuse."""

import copy
from xml.etree import ElementTree as ET

from ci_rules import LIMITS, refused_as_junit, refused_by_code_scanning
from findings_samples import FOUND
from report_samples import MANIFEST, REPORTS, effects

from each_row import each_row
from remit.checker.report import judge
from remit.core import Location, Opaque
from remit.report.as_junit import as_junit
from remit.report.as_sarif import MOST_RESULTS, as_sarif

STATUS = {"undeclared": 1, "escapes": 1, "failed": 2, "bad_manifest": 2, "hostile": 1}


def sarif(*names):
    return as_sarif([REPORTS[name] for name in names], 1, "1.2.3")


def test_code_scanning_takes_every_report():
    assert refused_by_code_scanning(as_sarif(list(FOUND.values()), 1, "1")) == []
    assert refused_by_code_scanning(sarif(*REPORTS)) == []
    for name in REPORTS:
        assert refused_by_code_scanning(sarif(name)) == []


def test_more_results_than_it_takes_are_left_out_the_least_severe_first_and_this_is_said():
    many = effects(opaque=[Opaque(f"reason {n}", Location("a.py", n + 1)) for n in range(MOST_RESULTS)])
    log = as_sarif([REPORTS["undeclared"], judge(many, MANIFEST)], 1, "1")
    assert refused_by_code_scanning(log) == []
    run = log["runs"][0]
    assert len(run["results"]) == MOST_RESULTS
    assert {result["level"] for result in run["results"]} == {"error"}
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    everything = len(as_sarif([REPORTS["undeclared"]], 1, "1")["runs"][0]["results"]) + MOST_RESULTS
    assert note["message"]["text"].startswith(f"{everything - MOST_RESULTS} results are left out")


def test_what_is_said_of_a_whole_file_has_a_line():
    found = effects(opaque=[Opaque("a binary", Location("tool.bin"))])
    (result,) = as_sarif([judge(found, None)], 1, "1")["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": 1}


SPOILED = {
    "not SARIF 2.1.0": lambda log: log.update(version="2.0.0"),
    "runs": lambda log: log.update(runs=log["runs"] * 21),
    "tool without a name": lambda log: log["runs"][0]["tool"]["driver"].pop("name"),
    "results": lambda log: log["runs"][0].update(results=[first(log)] * (LIMITS["results"] + 1)),
    "category without an end": lambda log: log["runs"][0]["automationDetails"].update(id="remit"),
    "rule without help": lambda log: rule(log).pop("help"),
    "rule without a name": lambda log: rule(log).update(name="x" * 256),
    "tags": lambda log: rule(log)["properties"].update(tags=["security", *map(str, range(20))]),
    "security-severity": lambda log: rule(log)["properties"].update({"security-severity": "high"}),
    "a severity that nobody reads: the rule has no tag `security`": lambda log: rule(log)["properties"].update(tags=[]),
    "rule that is not there": lambda log: first(log).update(ruleId="nothing"),
    "level": lambda log: first(log).update(level="bad"),
    "result without a message": lambda log: first(log).update(message={"text": ""}),
    "result without a fingerprint": lambda log: first(log).pop("partialFingerprints"),
    "two results with one fingerprint": lambda log: log["runs"][0]["results"].append(copy.deepcopy(first(log))),
    "locations": lambda log: first(log).update(locations=[]),
    "uri": lambda log: artifact(log).update(uri="https://example.org/a.py"),
    "a relative uri that is not below the checkout": lambda log: artifact(log).update(uri="../a.py"),
    "a place without a line": lambda log: first(log)["locations"][0]["physicalLocation"].pop("region"),
}


def rule(log):
    return log["runs"][0]["tool"]["driver"]["rules"][0]


def first(log):
    return log["runs"][0]["results"][0]


def artifact(log):
    return first(log)["locations"][0]["physicalLocation"]["artifactLocation"]


@each_row("why", SPOILED)
def test_a_spoiled_log_is_refused(why):
    log = sarif("escapes", "undeclared")
    SPOILED[why](log)
    assert why in refused_by_code_scanning(log)


def junit():
    return ET.fromstring(as_junit([(report, STATUS.get(name, 0)) for name, report in REPORTS.items()]))


def test_readers_of_test_results_understand_every_report():
    assert refused_as_junit(junit()) == []


@each_row(
    ("spoil", "why"),
    [
        (lambda suites: suites.find("testsuite").set("tests", "99"), "tests of testsuite"),
        (lambda suites: suites.find(".//testcase").attrib.pop("classname"), "testcase without classname"),
        (lambda suites: suites.find(".//testcase").set("time", "soon"), "time of testcase"),
        (lambda suites: ET.SubElement(suites.find(".//testcase"), "verdict"), "children of testcase"),
        (lambda suites: suites.find(".//failure").attrib.pop("type"), "failure without type"),
    ],
)
def test_spoiled_results_are_refused(spoil, why):
    suites = junit()
    spoil(suites)
    assert why in refused_as_junit(suites)
