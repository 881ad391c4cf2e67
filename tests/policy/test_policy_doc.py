"""docs/policy.md: its tables are those of the data."""

import re
from pathlib import Path

from remit.manifest.model import Verification
from remit.models.ruling_laws import LAWS
from remit.policy.decide import __doc__ as order_of_calls
from remit.policy.gate import Standing, gate_table
from remit.policy.judge import __doc__ as order
from remit.policy.refusal import grounds

PAGE = (Path(__file__).parents[2] / "docs" / "policy.md").read_text("utf-8")


def rows(heading):
    """The rows of the first table after a text."""
    table = PAGE.split(heading, 1)[1].split("|---", 1)[1].split("\n\n", 1)[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[1:]]


def test_the_gate_table():
    shown = {re.search(r"\(`(\w+)`\)$", row[0])[1]: row[1:] for row in rows("8. **The gate**")}
    assert shown == {line: [gate_table()[line, level] for level in Verification] for line in Standing}


def test_the_refusals():
    shown = [tuple(row) for row in rows("## Refusals")]
    assert shown == [(f"`{one.code}`", one.step, one.meaning, one.remedy) for one in grounds().values()]


def test_the_order_has_as_many_steps():
    steps = re.findall(r"^(\d)\. \*\*", PAGE, re.MULTILINE)
    assert steps == re.findall(r"^\((\d)\)", order, re.MULTILINE) == [str(number) for number in range(1, 9)]


def test_the_order_of_a_call_has_as_many_steps():
    section = PAGE.split("### The order of a call", 1)[1].split("###", 1)[0]
    steps = re.findall(r"^\((\d)\) \*\*", section, re.MULTILINE)
    assert steps == re.findall(r"^\((\d)\)", order_of_calls, re.MULTILINE) == [str(number) for number in range(1, 6)]


def test_the_laws_are_those_that_are_proved():
    assert [row[0] for row in rows("### The laws")] == list(LAWS)
