"""Markdown for summaries and comments, JUnit for CI."""

from xml.etree import ElementTree as ET

import pytest
from findings_samples import FOUND
from markdown_it import MarkdownIt
from report_samples import REPORTS

from each_row import each_row
from remit.report.as_junit import as_junit
from remit.report.as_md import as_md

STATUS = {"escapes": 1, "failed": 2, "bad_manifest": 2, "block": 1, "void": 1, "outside": 1}
EVERY = REPORTS | {name: FOUND[name] for name in ("block", "review", "accepted", "void")}


def md(*names):
    return "\n".join(as_md([EVERY[name] for name in names], max(STATUS.get(name, 0) for name in names)))


@pytest.mark.parametrize("name", EVERY)
def test_markdown(name, snapshot):
    assert md(name) == snapshot


def test_the_worst_skill_comes_first_in_markdown():
    text = md("nothing", "review", "escapes", "block", "failed")
    order = [
        text.index(f"`: {words}") for words in ("cannot be read", "DO NOT INSTALL", "look at this first", "4 effects")
    ]
    assert order == sorted(order)


def test_junit(snapshot):
    assert as_junit([(report, STATUS.get(name, 0)) for name, report in EVERY.items()]) == snapshot


def test_what_a_skill_says_of_itself_is_text_and_nothing_else():
    page = MarkdownIt("commonmark").enable("table").parse(md("hostile"))
    kinds = {inner.type for token in page for inner in token.children or ()}
    assert kinds <= {"text", "code_inline"}
    assert "\x1b" not in md(*EVERY)


@each_row(("status", "child"), [(0, "system-out"), (1, "failure"), (2, "error")])
def test_a_case_ends_as_the_check_does(status, child):
    name = "failed" if status == 2 else "escapes"
    suites = ET.fromstring(as_junit([(REPORTS[name], status), (REPORTS["nothing"], 0)]))
    first, second = suites.iter("testcase")
    assert [one.tag for one in first] == [child]
    assert not list(second)
    counts = {key: int(suites.attrib[key]) for key in ("tests", "failures", "errors")}
    assert counts == {"tests": 2, "failures": int(status == 1), "errors": int(status == 2)}
