"""The forms of evidence: the published schemas are those that are read by, and both refuse the same."""

import json

import jsonschema
import pytest
from bundle_values import admitted, make, write_skill
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.bundle import label, statement, static
from remit.bundle.canonical import MAX_BYTES, read, written
from remit.bundle.dsse import read_envelope
from remit.cli.schemas import schema_text
from remit.core.errors import BundleError
from remit.core.shape import Items, Named, Record, Text, Whole, Word
from remit.report import admission, proof_text

FORMS = {
    "static": static.SHAPE,
    "label": label.SHAPE,
    "statement": statement.SHAPE,
    "verify": admission.SHAPE,
    "prove": proof_text.SHAPE,
}


def schema_of(name):
    return json.loads(schema_text(name))


@pytest.fixture(scope="module")
def values(tmp_path_factory):
    """A real value of each form."""
    folder = write_skill(tmp_path_factory.mktemp("forms") / "demo")
    shown = make(folder)
    return {
        "static": json.loads(shown.files["static.json"]),
        "label": json.loads(shown.files["label.json"]),
        "statement": json.loads(read_envelope(shown.files["manifest.attest.json"]).payload),
        "verify": admission.as_json(admitted(folder)),
        "prove": proof_text.as_json(shown, "evidence", ["0" * 64]),
    }


@each_row("name", FORMS)
def test_real_values_fit(values, name):
    jsonschema.Draft202012Validator(schema_of(name)).validate(values[name])
    assert FORMS[name].fault(values[name], "it") == ""


def places(value, at=()):
    """Every place of a value."""
    yield at
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(inner, (*at, key))


WRONG = st.sampled_from([None, True, 0, -1, 2**60, "", "x", "x" * 100_001, [], {}, [[]], {"x": 1}])


@pytest.mark.parametrize("name", FORMS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_schema_and_reader_refuse_the_same(values, name, data):
    """A value that is changed at any place: both take it, or neither does."""
    value = json.loads(json.dumps(values[name]))
    *way, last = data.draw(st.sampled_from([at for at in places(value) if at]))
    inner = value
    for key in way:
        inner = inner[key]
    if data.draw(st.booleans()):
        inner[last] = data.draw(WRONG)
    elif isinstance(inner, dict):
        del inner[last]
    else:
        inner.append(data.draw(WRONG))
    taken = jsonschema.Draft202012Validator(schema_of(name)).is_valid(value)
    assert taken is (FORMS[name].fault(value, "it") == "")


SMALL = Record({"a": Whole(0, 5), "b": Items(Text(3), 2), "c": Named(Text(2), Word(("x",)), 1)}, frozenset({"c"}))
FINE = {"a": 1, "b": ["x"]}


@each_row(
    "data",
    [
        b"", b"\n", b"null\n", b'{"a":1,"b":["x"]}', b'{"a":1,"b":["x"]}\n\n', b'{"b":["x"],"a":1}\n',
        b'{"a":1,"a":1,"b":["x"]}\n', b'{"a":1.0,"b":["x"]}\n', b'{"a":1e0,"b":["x"]}\n', b'{"a":01,"b":["x"]}\n',
        b'{"a":-0,"b":["x"]}\n', b'{"a": 1,"b":["x"]}\n', b'{"a":true,"b":["x"]}\n', b'{"a":NaN,"b":["x"]}\n',
        b'{"a":' + b"9" * 5000 + b',"b":["x"]}\n', b'{"a":1,"b":["\\u0078"]}\n', b'{"a":1,"b":["\\ud800"]}\n',
        b'{"a":1,"b":["\xff"]}\n', b'\xef\xbb\xbf{"a":1,"b":["x"]}\n', b"[" * 1_000_000, b'{"a":1,"b":["xxxx"]}\n',
        b'{"a":1,"b":["x","x","x"]}\n', b'{"a":6,"b":["x"]}\n', b'{"a":1,"b":["x"],"d":0}\n', b'{"a":1}\n',
        b'{"a":1,"b":["x"],"c":{"k":"y"}}\n', b'{"a":1,"b":["x"],"c":{"k":"x","l":"x"}}\n', b" " * (MAX_BYTES + 1),
    ],
)  # fmt: skip
def test_one_value_has_one_spelling(data):
    with pytest.raises(BundleError) as error:
        read(data, "it", SMALL)
    assert error.value.remedy


def test_the_canonical_spelling_is_read():
    assert read(written(FINE), "it", SMALL) == FINE
    assert read(b'{"a":1,"b":["x"]}\n', "it", SMALL) == FINE


@settings(max_examples=many(200), deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_a_value_or_an_error(data):
    try:
        value = read(data, "it", SMALL)
    except BundleError:
        return
    assert written(value) == data
