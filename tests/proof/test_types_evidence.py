"""`evidence/types.proof`: it reads back as it was written, and nothing else is read."""

import contextlib
import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed import CACHE, effect, manifest

from each_row import each_row
from remit.core import canonical
from remit.core.errors import BundleError
from remit.proof.evidence_form import MAX_BYTES
from remit.proof.types.evidence import read_types_proof, write_types_proof
from remit.proof.types.prove import prove_types
from remit.proof.verdict import Proved, Refuted, Unknown


@pytest.fixture(scope="module")
def proved():
    return prove_types(manifest("file.read ./a", "?pay ..3"), [effect("file.read ./a")], cache_dir=CACHE)


@pytest.fixture(scope="module")
def data(proved):
    return write_types_proof(proved)


@pytest.fixture(scope="module")
def whole(data):
    return json.loads(data)


def test_it_reads_back(proved, data):
    assert proved.outcome == Proved()
    assert read_types_proof(data) == proved
    assert data.endswith(b"}\n")


@each_row("outcome", [Refuted(("mypy accepts `undeclared pay`",)), Refuted(()), Unknown("it took too long")])
def test_so_does_a_proof_that_failed(outcome, proved):
    proof = proved._replace(outcome=outcome)
    assert read_types_proof(write_types_proof(proof)) == proof


def test_the_form(snapshot, whole):
    value = copy.deepcopy(whole)
    for checker in value["checkers"]:
        checker["version"] = checker["digest"] = "…"
    for module in value["dispatch"]:
        module["digest"] = "…"
    value["rejected"] = value["rejected"][:3]
    assert value == snapshot


def test_the_module(snapshot, proved):
    assert proved.module == snapshot


def places(value, path=()):
    """Every place in a document."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    if isinstance(value, list):
        for at in range(min(len(value), 2)):
            yield from places(value[at], (*path, at))


def changed(whole, path, change):
    value = copy.deepcopy(whole)
    if not path:
        return change(value)
    holder = value
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = change(holder[path[-1]])
    return value


def removed(whole, path):
    value = copy.deepcopy(whole)
    holder = value
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]
    return value


WRONG = [None, True, -1, 1.5, "", "x" * 10_000, [], {}, [[]], {"x": 1}, 2**53 - 1]


def test_what_is_of_another_form_is_refused_at_every_place(proved, whole):
    for path in places(whole):
        for wrong in WRONG:
            value = changed(whole, path, lambda _, wrong=wrong: wrong)
            if value == whole:
                continue
            try:
                proof = read_types_proof(canonical(value) + b"\n")
            except BundleError:
                continue
            else:  # a list may be empty, or a text another one: then it says something else, and whoever re-proves sees that
                assert isinstance(wrong, list | str), path
                assert proof != proved, path


def test_a_field_that_is_missing_or_added_is_refused_at_every_place(whole):
    read = []
    for path in places(whole):
        if path and isinstance(path[-1], str):
            for value in (removed(whole, path), changed(whole, path[:-1], lambda found: found | {"more": 1})):
                with contextlib.suppress(BundleError):
                    read += [(path, read_types_proof(canonical(value) + b"\n"))]
    assert read == []


def test_every_other_spelling_is_refused(data):
    for other in (
        b"",
        data[:-1],
        data + b"\n",
        b" " + data,
        data.replace(b'":', b'": ', 1),
        b"\xef\xbb\xbf" + data,
        data.replace(b"proved", b"\xff", 1),
        data.replace(b'{"bits"', b'{"bits":"9.999","bits"', 1),
        data.replace(b'"bits":"1.585"', b'"bits":"1.586"'),
        data.replace(b'"members":2', b'"members":3'),
        data.replace(b'"members":2', b'"members":2.0'),
        data.replace(b"class Pay", b"class Say", 1),
        b"[" * 100_000,
        b"x" * (MAX_BYTES + 1),
    ):
        assert other != data
        with pytest.raises(BundleError):
            read_types_proof(other)


@given(st.binary(max_size=200))
def test_noise_is_refused(noise):
    with pytest.raises(BundleError):
        read_types_proof(noise)


@given(at=st.integers(0, MAX_BYTES), mask=st.integers(1, 255))
def test_no_flipped_byte_goes_unseen(at, mask, proved, data):
    at %= len(data)
    flipped = data[:at] + bytes([data[at] ^ mask]) + data[at + 1 :]
    with contextlib.suppress(BundleError):
        assert read_types_proof(flipped) != proved
