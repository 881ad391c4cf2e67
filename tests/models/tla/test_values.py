"""One text for what Python and TLC have."""

from enum import StrEnum
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import DataError
from remit.models.tla.values import identifier, same, told


class Kind(StrEnum):
    LOW = "low-er"


class Record(NamedTuple):
    b: bool
    a: Kind | None


class Frozen(dict):
    def __hash__(self):
        return hash(tuple(sorted((key, told(item)) for key, item in self.items())))


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text('ab"\\-', max_size=3),
    lambda inner: (
        st.frozensets(inner, max_size=3)
        | st.lists(inner, max_size=3).map(tuple)
        | st.dictionaries(st.sampled_from(["x", "y-z", "w"]), inner, max_size=3).map(Frozen)
    ),
    max_leaves=8,
)


@given(VALUES)
def test_a_text_is_its_own(value):
    assert same(told(value)) == told(value)


@each_row(
    ("value", "text"),
    [
        (None, "Nothing"),
        (True, "TRUE"),
        (1, "1"),
        (Kind.LOW, '"low-er"'),
        (Record(True, None), "[a |-> Nothing, b |-> TRUE]"),
        (frozenset({2, 1}), "{1, 2}"),
        ((), "<<>>"),
        ({1: "a", 2: "b"}, '<<"a", "b">>'),
        ({Kind.LOW: 1}, '("low-er" :> 1)'),
        ({2: 1}, "(2 :> 1)"),
        ('a "b" \\', '"a \\"b\\" \\\\"'),
    ],
)
def test_texts(value, text):
    assert told(value) == text


@each_row(
    ("printed", "text"),
    [
        ("[b |-> 1,\n  a |-> {3, 2}]", "[a |-> {2, 3}, b |-> 1]"),
        ("[approved-once |-> 1]", '("approved-once" :> 1)'),
        ("(2 :> 1 @@ 1 :> 0)", "<<0, 1>>"),
        ("1..3", "{1, 2, 3}"),
        ("<< >>", "<<>>"),
        ("{<<1, TRUE>>, <<1, FALSE>>}", "{<<1, FALSE>>, <<1, TRUE>>}"),
    ],
)
def test_the_order_of_tlc_does_not_count(printed, text):
    assert same(printed) == text


@each_row("text", ["", "{1", "[a 1]", "1 2", "<<1 2>>", "{1} x", "?"])
def test_what_is_no_value_is_refused(text):
    with pytest.raises(DataError):
        same(text)


def test_what_has_no_counterpart_is_refused():
    with pytest.raises(DataError, match="no counterpart"):
        told(1.5)


def test_names():
    assert identifier("a no is final") == identifier("a-no-is-final") == "ANoIsFinal"
