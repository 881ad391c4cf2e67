"""JSON has one reading, or none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.strictjson import strict_json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(VALUES)
def test_what_is_plain_is_read(value):
    assert strict_json(json.dumps(value).encode()) == value


@each_row(
    "data",
    [
        b"", b"{", b'{"a":1,"a":1}', b'{"x":{"a":1,"a":2}}', b"1.5", b"1e3", b"NaN", b"-Infinity", b"[" * 100_000, b"\xff", b"\xef\xbb\xbf{}",
        b"9" * 5000, b'"\n"', b"{} {}", b"01", '{"a":1}'.encode("utf-16"),
    ],
)  # fmt: skip
def test_what_has_two_readings_or_none_is_refused(data):
    with pytest.raises(ValueError):  # noqa: PT011  of any kind
        strict_json(data)
