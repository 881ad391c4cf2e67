"""`evidence/types.proof`: it reads back as it was written, and nothing else is read."""

import contextlib
import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typed import CACHE, effect, manifest

from remit.core import canonical
from remit.core.errors import BundleError
from remit.proof.evidence_form import MAX_BYTES
from remit.proof.types import prove_types, read_types_proof, write_types_proof
from remit.proof.verdict import Proved, Refuted, Unknown

PROOF = prove_types(manifest("file.read ./a", "?pay ..3"), [effect("file.read ./a")], cache_dir=CACHE)
DATA = write_types_proof(PROOF)
VALUE = json.loads(DATA)


def test_it_reads_back():
    assert PROOF.outcome == Proved()
    assert read_types_proof(DATA) == PROOF
    assert DATA.endswith(b"}\n")


@pytest.mark.parametrize(
    "outcome", [Refuted(("mypy accepts `undeclared pay`",)), Refuted(()), Unknown("it took too long")]
)
def test_so_does_a_proof_that_failed(outcome):
    proof = PROOF._replace(outcome=outcome)
    assert read_types_proof(write_types_proof(proof)) == proof


def test_the_form(snapshot):
    value = copy.deepcopy(VALUE)
    for checker in value["checkers"]:
        checker["version"] = checker["digest"] = "…"
    value["rejected"] = value["rejected"][:3]
    assert value == snapshot


def test_the_module(snapshot):
    assert PROOF.module == snapshot


def places(value, path=()):
    """Every place in a document."""
    yield path
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    if isinstance(value, list):
        for at in range(min(len(value), 2)):
            yield from places(value[at], (*path, at))


def changed(path, change):
    value = copy.deepcopy(VALUE)
    if not path:
        return change(value)
    holder = value
    for step in path[:-1]:
        holder = holder[step]
    holder[path[-1]] = change(holder[path[-1]])
    return value


def removed(path):
    value = copy.deepcopy(VALUE)
    holder = value
    for step in path[:-1]:
        holder = holder[step]
    del holder[path[-1]]
    return value


PLACES = list(places(VALUE))
WRONG = [None, True, -1, 1.5, "", "x" * 10_000, [], {}, [[]], {"x": 1}, 2**53 - 1]


@pytest.mark.parametrize("path", PLACES, ids=str)
def test_what_is_of_another_form_is_refused(path):
    for wrong in WRONG:
        value = changed(path, lambda _, wrong=wrong: wrong)
        if value == VALUE:
            continue
        try:
            proof = read_types_proof(canonical(value) + b"\n")
        except BundleError:
            continue
        else:  # a list may be empty, or a text another one: then it says something else, and whoever re-proves sees that
            assert isinstance(wrong, list | str)
            assert proof != PROOF


@pytest.mark.parametrize("path", [path for path in PLACES if path and isinstance(path[-1], str)], ids=str)
def test_a_field_that_is_missing_or_added_is_refused(path):
    for value in (removed(path), changed(path[:-1], lambda found: found | {"more": 1})):
        with pytest.raises(BundleError):
            read_types_proof(canonical(value) + b"\n")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        DATA[:-1],
        DATA + b"\n",
        b" " + DATA,
        DATA.replace(b'":', b'": ', 1),
        b"\xef\xbb\xbf" + DATA,
        DATA.replace(b"proved", b"\xff", 1),
        DATA.replace(b'{"bits"', b'{"bits":"9.999","bits"', 1),
        DATA.replace(b'"bits":"1.585"', b'"bits":"1.586"'),
        DATA.replace(b'"members":2', b'"members":3'),
        DATA.replace(b'"members":2', b'"members":2.0'),
        DATA.replace(b"class Pay", b"class Say", 1),
        b"[" * 100_000,
        b"x" * (MAX_BYTES + 1),
    ],
    ids=lambda data: repr(data[:20]),
)
def test_every_other_spelling_is_refused(data):
    with pytest.raises(BundleError):
        read_types_proof(data)


@given(st.binary(max_size=200))
def test_noise_is_refused(data):
    with pytest.raises(BundleError):
        read_types_proof(data)


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_no_flipped_byte_goes_unseen(at, mask):
    flipped = DATA[:at] + bytes([DATA[at] ^ mask]) + DATA[at + 1 :]
    with contextlib.suppress(BundleError):
        assert read_types_proof(flipped) != PROOF
