"""Forged and foreign presentations: keys of another profile, questions of another request, and any change at all."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from presenting import CONFIRMED, GOOD, other_request

from authority_world import NOW, case, key, known
from by_day import many
from remit.authority.values.confirmation import confirm
from remit.authority.values.proof import sign
from remit.authority.values.request import make_request
from remit.executor.accept import RefusalReason, accept


def test_one_key_for_both_servers_is_one_servers_word():
    one = key("server 0")
    keys = {(number, f"p{number}"): one.public for number in (0, 1)}
    assert accept(known(keys=keys), GOOD._replace(signers=(one, one)).presented(), NOW).code.name == "KEY_UNKNOWN"


def test_flaw_10_the_executor_can_not_forge_proofs():
    """Flaw 10: keys shared with the executor let it forge. What it holds by default can verify and not sign."""
    assert not any(hasattr(held, "sign") for held in known().keys.values())
    assert not any(hasattr(one, "sign") for one in known().approvers.values())


def flipped(data, at, bit):
    return data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :]


@given(data=st.data())
@settings(max_examples=many(300))
def test_any_bit_of_request_nonce_or_proofs_matters(data):
    presented = GOOD.presented()
    which = data.draw(st.sampled_from(("request", "nonce", "salt", "answer", "signature", "proof")))
    bit = data.draw(st.integers(0, 7))
    if which in ("request", "nonce", "salt"):
        old = getattr(presented, which)
        changed = presented._replace(**{which: flipped(old, data.draw(st.integers(0, len(old) - 1)), bit)})
    elif which == "answer":
        told = list(presented.answers)
        number = data.draw(st.sampled_from((0, 1)))
        told[number] = flipped(told[number], data.draw(st.integers(0, len(told[number]) - 1)), bit)
        changed = presented._replace(answers=tuple(told))
    else:
        number = data.draw(st.sampled_from((0, 1)))
        told = json.loads(json.dumps(presented.proofs[number]))
        if which == "signature":
            old = bytes.fromhex(told["signature"])
            told["signature"] = flipped(old, data.draw(st.integers(0, len(old) - 1)), bit).hex()
        else:
            name = data.draw(st.sampled_from(sorted(told["proof"])))
            told["proof"][name] = data.draw(
                st.none() | st.booleans() | st.integers() | st.text(max_size=70) | st.lists(st.integers(), max_size=2)
            )
            if told["proof"][name] == presented.proofs[number]["proof"][name] and type(told["proof"][name]) is not bool:
                return
        proofs_ = list(presented.proofs)
        proofs_[number] = told
        changed = presented._replace(proofs=tuple(proofs_))
    assert isinstance(accept(known(), changed, NOW), RefusalReason)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(json_values, max_size=3), json_values, st.binary(max_size=100), st.binary(max_size=40))
def test_anything_else_is_refused_without_an_error(proofs_, confirmation, request, nonce):
    presented = GOOD.presented()._replace(proofs=tuple(proofs_), confirmation=confirmation)
    assert isinstance(accept(known(), presented, NOW), RefusalReason)
    presented = GOOD.presented()._replace(request=request, nonce=nonce)
    assert isinstance(accept(known(), presented, NOW), RefusalReason)
    assert isinstance(accept(known(), CONFIRMED._replace(confirmation=confirmation).presented(), NOW), RefusalReason)


def test_flaw_08_proofs_are_bound_to_everything():
    """Flaw 8: a path on which proofs were not bound to the recipient. Every input and field of the request is bound."""
    for name in ("to", "text", "subject"):
        value = {"to": "anna@example.org"}.get(name, "other")
        assert accept(known(), other_request(**{name: value}).presented(), NOW).code.name == "REQUEST_DIFFERS"
    for name in ("intent", "caller", "session"):
        changed = GOOD._replace(request=GOOD.request._replace(**{name: "FetchResource"}))
        assert accept(known(), changed.presented(), NOW).code.name == "REQUEST_DIFFERS"


def test_flaw_02_a_gateway_that_asks_for_another_request_is_found():
    """Flaw 2: inputs of the decision were asserted by the gateway. Here the executor asks itself again and compares."""
    harmless = make_request("SendMessage", "agent", "session-1", {"to": "boss@example.org", "text": "hello"})
    lying = case(inputs={"to": "thief@evil.example", "text": "all secrets"}, about=harmless)
    assert accept(known(), lying.presented(), NOW).code.name == "QUESTION_DIFFERS"


def test_signatures_of_proofs_are_no_signatures_of_confirmations():
    """Domains are apart: what a key signs in one form holds in no other."""
    proof = GOOD.proofs[0]
    signed = sign(proof, key("person"))
    made = confirm(GOOD.action_id, proof.context.ticket, "sha256:" + "0" * 64, "person", key("person"))
    assert not made._replace(signature=signed.signature).held_by(key("person").public)
