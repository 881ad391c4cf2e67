"""Canonical JSON against an independent implementation, and digests that tell everything apart."""

import enum
import json

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core import InputError
from remit.core.digest import MAX_DEPTH, bytes_digest, canonical, digest, tree_digest

text = st.text(st.characters(exclude_categories=["Cs"]))
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53) + 1, 2**53 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    text,
)
values = st.recursive(scalars, lambda inner: st.one_of(st.lists(inner), st.dictionaries(text, inner)), max_leaves=8)


@given(values)
def test_the_form_is_that_of_another_implementation(value):
    assert canonical(value) == rfc8785.dumps(value)


@given(values)
def test_the_form_reads_back(value):
    assert json.loads(canonical(value), parse_int=float) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_number_is_written_as_ecmascript_does(number):
    assert canonical(number) == rfc8785.dumps(number)


@each_row(
    ("value", "form"),
    [
        (1e21, b"1e+21"),
        (1e20, b"100000000000000000000"),
        (1e-6, b"0.000001"),
        (1e-7, b"1e-7"),
        (-0.0, b"0"),
        (4.5, b"4.5"),
        (123456789.125, b"123456789.125"),
        (5e-324, b"5e-324"),
        (1.7976931348623157e308, b"1.7976931348623157e+308"),
        (333333333.33333329, b"333333333.3333333"),
        ({"\U0001f600": 1, "\ufb33": 2}, '{"\U0001f600":1,"\ufb33":2}'.encode()),
        ('\u20ac$\x0f\nA\'B"\\\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'.encode()),
        ((1, "a"), b'[1,"a"]'),
        ({"b": 1, "a": {}}, b'{"a":{},"b":1}'),
    ],
)
def test_known_forms(value, form):
    assert canonical(value) == form


class Number(enum.IntEnum):
    TWO = 2


def test_a_subclass_is_written_as_its_value():
    assert canonical(Number.TWO) == b"2"


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


UNFIT = {
    "nan": float("nan"),
    "infinity": float("inf"),
    "too large": 2**53,
    "too small": -(2**53),
    "huge": 10**5000,
    "number as key": {1: 2},
    "null as key": {None: 2},
    "set": {"a"},
    "bytes": b"bytes",
    "object": object(),
    "half a pair": "\ud800",
    "half a pair as key": {"\udfff": 1},
    "too deep": nested(MAX_DEPTH + 1),
}


@each_row("name", UNFIT)
def test_what_has_no_canonical_form_is_refused(name):
    with pytest.raises(InputError) as caught:
        canonical(UNFIT[name])
    assert caught.value.remedy


def test_the_deepest_value_is_accepted():
    assert canonical(nested(MAX_DEPTH)).startswith(b"[[[")


def test_digests_of_values_and_bytes():
    assert bytes_digest(b"") == "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    assert digest({"b": 1.0, "a": 2}) == digest({"a": 2, "b": 1}) == bytes_digest(b'{"a":2,"b":1}')


def test_a_tree_changes_with_each_name_and_each_content():
    one = {"SKILL.md": bytes_digest(b"a"), "scripts/x.py": bytes_digest(b"b")}
    swapped = {"SKILL.md": bytes_digest(b"b"), "scripts/x.py": bytes_digest(b"a")}
    renamed = {"SKILL.md": bytes_digest(b"a"), "scripts/y.py": bytes_digest(b"b")}
    assert tree_digest(one) == tree_digest(dict(reversed(one.items())))
    assert len({tree_digest(one), tree_digest(swapped), tree_digest(renamed), tree_digest({})}) == 4


@each_row("path", ["", "/x", "a//b", "./a", "a/../b", "a/", ".."])
def test_a_tree_lists_normal_relative_paths(path):
    with pytest.raises(InputError):
        tree_digest({path: bytes_digest(b"")})
