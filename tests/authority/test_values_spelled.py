"""Requests, commitments, proofs, decisions and confirmations: each has one spelling, and everything else is refused."""

import json
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from authority_world import BINDING, NOW, STORE, case, key
from each_row import each_row
from remit.authority.values.action import born, new_action
from remit.authority.values.confirmation import confirm, read_confirmation
from remit.authority.values.opening import BindingKey, LookUp, open_for
from remit.authority.values.outputs import Outputs
from remit.authority.values.proof import read_proof, sign
from remit.authority.values.request import MOST_BYTES, make_request, read_request
from remit.core.digest import canonical
from remit.core.errors import AuthorityError

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
inputs = st.dictionaries(st.text(max_size=8), values, max_size=4)


def made(given):
    try:
        return make_request("SendMessage", "agent", "s", given)
    except AuthorityError:
        return None


@given(inputs)
def test_what_is_spelled_is_read(given):
    request = made(given)
    assume(request is not None)
    assert read_request(request.spelling()) == request
    assert request.spelling() == canonical(json.loads(request.spelling()))


@given(inputs, inputs)
def test_two_requests_have_one_spelling_exactly_if_they_are_the_same(one, other):
    first, second = made(one), made(other)
    assume(first is not None and second is not None)
    same = canonical(first.inputs) == canonical(second.inputs)
    assert (first.spelling() == second.spelling()) is same


def spelled(text):
    return f'{{"caller":"a","inputs":{text},"intent":"I","session":"s","v":1}}'.encode()


def test_the_usual_spelling_is_read():
    assert read_request(spelled('{"x":1}')).inputs == {"x": 1}


@each_row(
    "text",
    ['{"x":1,"x":1}', '{"x":1,"x":2}', '{"x":1.0}', '{"x":1e3}', '{"x":0.5}', '{"x":-0}', '{"x":01}', '{"x":NaN}', '{"x":Infinity}', '{"x":9007199254740992}',
     '{"x":-9007199254740992}', '{"x":1' + "0" * 5000 + "}", '{"x": 1}', '{"x":1} ', '{"y":1,"x":1}', '{"x":"\\u0061"}', '{"x":"e\u0301"}', '{"e\u0301":1}', '{"x":"\\ud800"}',
     '{"x":"\\/"}', "[]", "null", "1", '"x"', '{"x":' + "[" * 9 + "]" * 9 + "}", '{"x":' + "[" * 100_000 + "}", '{"x":tru}', "{'x':1}", '{"x":1,}', "\ufeff{}"],
)  # fmt: skip
def test_other_spellings_are_refused(text):
    with pytest.raises(AuthorityError):
        read_request(spelled(text))


@each_row(
    "data",
    [b"", b"{}", b"\xff", b"[]", b'{"caller":"a","inputs":{},"intent":"I","session":"s"}', b'{"caller":"a","inputs":{},"intent":"I","session":"s","v":2}',
     b'{"caller":"a","inputs":{},"intent":"I","session":"s","v":true}', b'{"caller":"a","extra":1,"inputs":{},"intent":"I","session":"s","v":1}',
     b'{"caller":"a","inputs":{},"intent":"I","session":"s","v":1,"v":1}', b'{"caller":1,"inputs":{},"intent":"I","session":"s","v":1}',
     b'{"caller":"a b","inputs":{},"intent":"I","session":"s","v":1}', b'{"caller":"","inputs":{},"intent":"I","session":"s","v":1}',
     b'{"caller":"a\\n","inputs":{},"intent":"I","session":"s","v":1}', spelled('{"confirmed":true}') + b"\n"],
)  # fmt: skip
def test_other_forms_are_refused(data):
    with pytest.raises(AuthorityError):
        read_request(data)


@given(st.binary(max_size=60))
def test_bytes_are_a_request_or_an_error(data):
    with pytest.raises(AuthorityError):
        read_request(data)


def test_too_much_is_refused():
    for use in (
        lambda: read_request(b" " * (MOST_BYTES + 1)),
        lambda: make_request("I", "a", "s", {"x": "y" * MOST_BYTES}),
    ):
        with pytest.raises(AuthorityError, match="more than"):
            use()


def test_text_is_composed_and_keys_that_become_the_same_are_refused():
    assert make_request("I", "a", "s", {"x": "e\u0301"}).inputs["x"] == "\u00e9"
    with pytest.raises(AuthorityError, match="composed"):
        make_request("I", "a", "s", {"e\u0301": 1, "\u00e9": 2})


@each_row("value", [1.0, float("nan"), b"x", (1,), {1: 2}, {"x"}, 2**53, "\ud800", object()])
def test_what_a_request_can_not_hold_is_refused(value):
    with pytest.raises(AuthorityError):
        make_request("I", "a", "s", {"x": value})


# commitments


@given(inputs, inputs, st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_a_commitment_binds_request_and_nonce(one, other, first, second):
    left, right = made(one), made(other)
    assume(left is not None and right is not None)
    same = (left.spelling(), first) == (right.spelling(), second)
    openings = open_for(left, STORE, first), open_for(right, STORE, second)
    assert (BINDING.commitment(openings[0]) == BINDING.commitment(openings[1])) is same
    looks = [LookUp(opening, "0" * 32, bytes(32)) for opening in openings]
    assert (BINDING.ticket(looks[0]) == BINDING.ticket(looks[1])) is same
    assert len({BINDING.commitment(openings[0]), BINDING.question_seed(looks[0]), BINDING.ticket(looks[0])}) == 3


def test_a_ticket_is_of_action_salt_and_store():
    request = make_request("I", "a", "s", {})
    one = LookUp(open_for(request, STORE, bytes(32)), "0" * 32, bytes(32))
    others = [
        one._replace(action_id="1" * 32), one._replace(salt=b"1" * 32), one._replace(opening=open_for(request, "6" * 32, bytes(32))),
    ]  # fmt: skip
    assert len({BINDING.ticket(look) for look in (one, *others)}) == 4
    assert len({BINDING.question_seed(look) for look in (one, *others)}) == 4
    assert BINDING.commitment(one.opening) != BINDING.commitment(others[2].opening)
    for wrong in (
        one._replace(salt=b""),
        one._replace(salt=bytes(31), action_id="0" * 34),
        one._replace(action_id="0" * 30),
    ):
        with pytest.raises(AuthorityError):
            BINDING.ticket(wrong)


def test_a_nonce_is_drawn_for_each_action():
    request = make_request("I", "a", "s", {})
    assert len({BINDING.commitment(open_for(request, STORE)) for _ in range(100)}) == 100


@each_row("size", [0, 16, 31, 33, 64])
def test_keys_and_nonces_have_their_size(size):
    with pytest.raises(AuthorityError):
        BindingKey(bytes(size))
    with pytest.raises(AuthorityError):
        open_for(make_request("I", "a", "s", {}), STORE, bytes(size))
    with pytest.raises(AuthorityError):
        open_for(make_request("I", "a", "s", {}), "0" * size)


def test_actions_are_named_by_their_time():
    assert born(new_action(NOW)) == NOW
    assert len({new_action(NOW) for _ in range(100)}) == 100


# proofs

SIGNED = sign(case().proofs[0], key("server 0"))
WRONG = [
    None,
    True,
    0,
    -1,
    2**53,
    1.0,
    "",
    "x",
    "sha256:" + "0" * 63,
    "A" * 64,
    "0" * 31,
    "0" * 33,
    "0" * 65,
    [],
    {},
    "ed25519 ",
    "commit ",
]


def test_a_proof_is_what_was_signed():
    read = read_proof(json.loads(canonical(SIGNED.to_json())))
    assert read == SIGNED
    assert read.held_by(key("server 0").public)
    assert not read.held_by(key("server 1").public)


@each_row("name", sorted(SIGNED.to_json()["proof"]))
def test_each_field_of_a_proof_is_there_and_of_its_type(name):
    told = SIGNED.to_json()
    missing = {**told, "proof": {field: value for field, value in told["proof"].items() if field != name}}
    with pytest.raises(AuthorityError):
        read_proof(missing)
    for value in WRONG:
        try:
            read = read_proof({**told, "proof": told["proof"] | {name: value}})
        except AuthorityError:
            continue
        assert not read.held_by(key("server 0").public) or value == told["proof"][name]


@each_row("change", [lambda told: told | {"x": 1}, lambda told: {**told, "proof": told["proof"] | {"x": 1}}, lambda told: {"proof": told["proof"]},
                                    lambda told: {"signature": told["signature"]}, lambda told: told | {"signature": told["signature"].upper()}, lambda _: [], lambda _: None])  # fmt: skip
def test_a_proof_has_its_fields_and_no_others(change):
    with pytest.raises(AuthorityError):
        read_proof(change(SIGNED.to_json()))


# decisions


@given(st.integers(0, 255))
def test_a_byte_is_a_decision_or_an_error(byte):
    if byte & 7:
        with pytest.raises(AuthorityError):
            Outputs.of(byte)
    else:
        assert bytes(Outputs.of(byte)) == bytes((byte,))
        assert Outputs.of(byte).allow is bool(byte & 128)


# confirmations

CONFIRMED = confirm(new_action(NOW), "0" * 64, "sha256:" + "0" * 64, "person", key("person"))


def test_a_confirmation_is_of_all_that_it_says():
    assert read_confirmation(CONFIRMED.to_json()) == CONFIRMED
    assert CONFIRMED.held_by(key("person").public)
    for name, value in (
        ("action_id", new_action(NOW)),
        ("commitment", "1" * 64),
        ("preview", "sha256:" + "1" * 64),
        ("kid", "other"),
    ):
        assert not CONFIRMED._replace(**{name: value}).held_by(key("person").public)


@each_row("name", sorted(CONFIRMED.to_json()))
def test_each_field_of_a_confirmation_is_there_and_of_its_type(name):
    told = CONFIRMED.to_json()
    with pytest.raises(AuthorityError):
        read_confirmation({field: value for field, value in told.items() if field != name})
    for value in (None, True, 0, "", [], {}, "x y"):
        with pytest.raises(AuthorityError):
            read_confirmation(told | {name: value})
    with pytest.raises(AuthorityError):
        read_confirmation(told | {"extra": 1})


def test_composed_form_is_that_of_unicode():
    assert unicodedata.is_normalized("NFC", make_request("I", "a", "s", {"x": "A\u030a"}).inputs["x"])
