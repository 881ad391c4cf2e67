"""The table of what can be told: read strictly, used, and documented."""

import ast
import os
import re
from pathlib import Path

import pytest

from each_row import each_row
from remit.authority.codes import codes
from remit.core.errors import DataError
from remit.core.table import DATA
from remit.core.telemetry_table import read_told, told
from remit.gateway.inbound import laws as inbound_laws
from remit.gateway.inbound.laws import Law
from remit.guard.event import Kind, Outcome
from remit.guard.hosts.registry import HOSTS
from remit.telemetry.scrubbing import OTHER, fitting

ROOT = Path(__file__).resolve().parents[2]
SOURCE = sorted((ROOT / "src" / "remit").rglob("*.py"))
PAGE = ROOT / "docs" / "telemetry.md"
TABLE = "[attributes]\ncode | code | - | x\nwords | text | - | x\n"


def calls():
    """Every call `telemetry.NAME("literal", …)` in our source: the function, the literal, the keywords, the place."""
    for path in (path for path in SOURCE if "telemetry." in path.read_text("utf-8")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            function = getattr(node, "func", None)
            if isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "telemetry" and node.args:
                literal = getattr(node.args[0], "value", None)
                yield function.attr, literal, node, f"{path.name}:{node.lineno}"


def test_what_is_told_stands_in_the_table():
    known = {"count": told().figures, "span": told().spans, "event": told().events}
    seen = 0
    for function, literal, node, where in calls():
        if function in known:
            assert literal in known[function], where
            row = known[function][literal]
            if function == "count":
                assert len(node.args) - 1 == len(row.fields), where
            if function == "event":
                assert {one.arg for one in node.keywords} <= set(row.fields), where
            seen += 1
    assert seen > 20


def test_what_stands_in_the_table_is_told():
    text = "\n".join(path.read_text("utf-8") for path in SOURCE)
    table = told()
    for name in (*table.figures, *table.spans, *table.events):
        assert f'"{name}"' in text, f"nobody tells `{name}`"
    used = {
        field for rows in (table.figures, table.spans, table.events) for row in rows.values() for field in row.fields
    }
    assert used == set(table.attributes)


@each_row(
    "row",
    [
        "[spans]\na | server | code | x\na | server | code | x\n",
        "[spans]\na | nobody | code | x\n",
        "[spans]\na | server | colour | x\n",
        "[spans]\na | server | words | x\n",
        "[figures]\na | counter | words | x\n",
        "[figures]\na | sum | code | x\n",
        "[events]\na | loud | code | x\n",
        "[events]\na | info | code | -\n",
        "[processes]\na | b | - | x\n",
        "[others]\na | b | - | x\n",
    ],
)
def test_a_row_that_is_none_is_refused(tmp_path, row):
    (tmp_path / "a.table").write_text(TABLE + row)
    with pytest.raises(DataError, match=r"a\.table:\d+"):
        read_told(tmp_path / "a.table")


def test_each_process_has_a_port_of_its_own():
    places = told().processes.values()
    assert len(set(places)) == len(places)


def test_our_own_words_have_their_forms():
    laws = {one.id for one in vars(inbound_laws).values() if isinstance(one, Law)}
    words = {"law": laws, "kind": set(Kind), "outcome": set(Outcome), "host": {one.name for one in HOSTS}}
    words |= {"code": {*codes("policy-server"), *codes("executor"), *codes("gateway")}, "party": set(told().processes)}
    for attribute, values in words.items():
        assert values
        assert {str(fitting(attribute, value)) for value in values} == {str(value) for value in values}


@each_row(
    ("attribute", "value"),
    [
        ("tool", "rm -rf /"), ("tool", "a" * 65), ("tool", "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dE4fG6"), ("tool", "\x1b[31m"), ("tool", 7),
        ("tool", "AKIAIOSFODNN7EXAMPLE"), ("code", "lower"), ("code", "A B"), ("call", "xyz"), ("call", "a" * 65), ("capability", "file.destroy"),
        ("host", "a\nb"), ("intent", "SendMessage?to=x"), ("path", "/act?token=x"),
    ],
)  # fmt: skip
def test_another_form_is_told_as_other(attribute, value):
    assert fitting(attribute, value) == OTHER


def test_numbers_are_numbers():
    assert fitting("bucket", 256) == 256
    assert fitting("bucket", "256") == fitting("bucket", 2**80) == 0
    assert fitting("capability", "file.delete") == "file.delete"
    assert fitting("code", "") == ""


def lines(section):
    yield "| name | kind | with | what it says |"
    yield "|---|---|---|---|"
    for row in getattr(told(), section).values():
        fields = ", ".join(f"`{field}`" for field in row.fields)
        yield f"| `{row.name}` | {row.kind} | {fields} | {row.about} |"


@each_row("section", ["figures", "spans", "events", "attributes"])
def test_the_table_is_documented(section):
    text = PAGE.read_text("utf-8")
    pattern = re.compile(rf"(<!-- {section}: begin -->\n)(.*?)(<!-- {section}: end -->)", re.DOTALL)
    wanted = "\n".join((*lines(section), ""))
    if os.environ.get("REMIT_UPDATE_DOCS"):
        text = pattern.sub(lambda found: found[1] + wanted + found[3], text)
        PAGE.write_text(text, "utf-8")
    assert pattern.search(text)[2] == wanted, "REMIT_UPDATE_DOCS=1 pytest tests/telemetry writes it anew"


def test_the_ports_are_documented():
    text = PAGE.read_text("utf-8")
    for name, place in told().processes.items():
        assert re.search(rf"\| `{name}` \| {9464 + place} \|", text), name


def test_the_table_that_is_shipped_is_this_one():
    assert read_told(DATA / "telemetry.table") == told()
