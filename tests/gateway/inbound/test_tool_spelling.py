"""One spelling for each tool: spelled twice it is the same, and no spelling of a group or of all is taken for the name of a tool."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import DataError
from remit.gateway.inbound.tool_policy import Caller, Layer, Policy, allowed, names, plain, read_names

MARKS = [chr(code) for code in range(0x300, 0x370)]
GREEK = [chr(code) for code in (*range(0x370, 0x400), *range(0x1F00, 0x2000)) if unicodedata.name(chr(code), "")]


def test_every_character_has_one_spelling():
    assert [hex(code) for code in range(0x110000) if plain(plain(chr(code))) != plain(chr(code))] == []


@given(st.text() | st.text(st.sampled_from([*MARKS, *GREEK, "İ", "-", " "]), max_size=5))
def test_spelled_twice_is_spelled_once(text):
    """What folding leaves apart was put together by the second spelling alone: `ᾛ` with a breve, for one."""
    assert plain(plain(text)) == plain(text)
    assert names().tool(names().tool(text)) == names().tool(text)


def test_what_folding_leaves_apart():
    assert plain(plain("\u1f9b\u0306")) == plain("\u1f9b\u0306")


@each_row("entry", ["group:memory", "Group:Memory", " GROUP:MEMORY ", "\uff47roup:memory", "*", "\uff0a", " * "])
def test_a_denial_is_heard_in_every_spelling(entry):
    policy = Policy(names().all, {"global": Layer(deny=(entry,))})
    assert not allowed(names(), policy, Caller()) & names().groups["memory"]


@pytest.mark.parametrize("entry", ["group:nothing", "Group:Nothing"])
def test_a_group_that_is_not_there_is_refused_in_every_spelling(entry):
    with pytest.raises(DataError, match="no group of tools"):
        names().tools((entry,), frozenset())


@each_row("line", ["[alias]\nSh | exec", "[alias]\nsh | Exec", "[alias]\nrun-it | exec", "[group]\nrun | exec Process"])
def test_a_table_in_another_spelling_is_refused(line, tmp_path):
    path = tmp_path / "tools.table"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=r"tools\.table:2: .* is compared as"):
        read_names(path)
