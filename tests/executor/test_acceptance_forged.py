"""Forged and foreign presentations: keys of another profile, questions of another request, and any change at all."""

import json

from hypothesis import given, settings
from hypothesis import strategies as st
from presenting import CONFIRMED, GOOD, contexts, other_request, proofs

from authority_world import BINDING, NOW, classes, database, key, known
from by_day import many
from remit.authority.question.asking import questions
from remit.authority.question.spoken import spoken
from remit.authority.values.confirmation import confirm
from remit.authority.values.opening import open_for
from remit.authority.values.proof import SharedKey, sign
from remit.authority.values.request import make_request
from remit.executor.accept import HeldKey, Refused, accept
from remit.executor.accepted import Accepted


def hmac_known():
    shared = [SharedKey(bytes((number,)) * 32) for number in (0, 1)]
    keys = {(number, f"p{number}"): HeldKey("hmac-sha256", shared[number]) for number in (0, 1)}
    return known(keys=keys), proofs(GOOD, profile="hmac-sha256")._replace(signers=tuple(shared))


def test_the_profile_of_shared_keys_is_accepted_where_it_was_agreed():
    executor, shared = hmac_known()
    assert isinstance(accept(executor, shared.presented(), NOW), Accepted)
    assert accept(known(), shared.presented(), NOW).code.name == "KEY_UNKNOWN"
    assert accept(executor, GOOD.presented(), NOW).code.name == "KEY_UNKNOWN"
    assert accept(executor, proofs(shared, profile="ed25519").presented(), NOW).code.name == "KEY_UNKNOWN"
    wrong = shared._replace(signers=(SharedKey(b"x" * 32), shared.signers[1]))
    assert accept(executor, wrong.presented(), NOW).code.name == "SIGNATURE_BAD"


def test_one_key_for_both_servers_is_one_servers_word():
    one = key("server 0")
    keys = {(number, f"p{number}"): HeldKey("ed25519", one.public) for number in (0, 1)}
    assert accept(known(keys=keys), GOOD._replace(signers=(one, one)).presented(), NOW).code.name == "KEY_UNKNOWN"
    shared = {(number, f"p{number}"): HeldKey("hmac-sha256", SharedKey(b"k" * 32)) for number in (0, 1)}
    both = proofs(GOOD, profile="hmac-sha256")._replace(signers=(SharedKey(b"k" * 32),) * 2)
    assert accept(known(keys=shared), both.presented(), NOW).code.name == "KEY_UNKNOWN"


def test_a_code_made_with_a_public_key_is_no_signature():
    """Whoever knows the public key of a server signs `hmac-sha256` with it, under the same key name."""
    public = [SharedKey(key(f"server {number}").public.raw) for number in (0, 1)]
    for profile, code in (("hmac-sha256", "KEY_UNKNOWN"), ("ed25519", "SIGNATURE_BAD")):
        forged = proofs(GOOD, profile=profile)._replace(signers=tuple(public))
        assert accept(known(), forged.presented(), NOW).code.name == code


def test_flaw_10_the_executor_can_not_forge_proofs():
    """Flaw 10: keys shared with the executor let it forge. What it holds by default can verify and not sign."""
    assert not any(hasattr(held.verifier, "sign") for held in known().keys.values())
    assert not any(hasattr(one, "sign") for one in known().approvers.values())


def flipped(data, at, bit):
    return data[:at] + bytes((data[at] ^ 1 << bit,)) + data[at + 1 :]


@given(data=st.data())
@settings(max_examples=many(300))
def test_any_bit_of_request_nonce_or_proofs_matters(data):
    presented = GOOD.presented()
    which = data.draw(st.sampled_from(("request", "nonce", "signature", "proof")))
    bit = data.draw(st.integers(0, 7))
    if which in ("request", "nonce"):
        old = getattr(presented, which)
        changed = presented._replace(**{which: flipped(old, data.draw(st.integers(0, len(old) - 1)), bit)})
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
    assert isinstance(accept(known(), changed, NOW), Refused)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)


@given(st.lists(json_values, max_size=3), json_values, st.binary(max_size=100), st.binary(max_size=40))
def test_anything_else_is_refused_without_an_error(proofs_, confirmation, request, nonce):
    presented = GOOD.presented()._replace(proofs=tuple(proofs_), confirmation=confirmation)
    assert isinstance(accept(known(), presented, NOW), Refused)
    presented = GOOD.presented()._replace(request=request, nonce=nonce)
    assert isinstance(accept(known(), presented, NOW), Refused)
    assert isinstance(accept(known(), CONFIRMED._replace(confirmation=confirmation).presented(), NOW), Refused)


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
    layout = database().layout
    harmless = make_request("SendMessage", "agent", "session-1", {"to": "boss@example.org", "text": "hello"})
    wanted = make_request("SendMessage", "agent", "session-1", {"to": "thief@evil.example", "text": "all secrets"})
    opening = open_for(wanted, GOOD.nonce)
    asked = questions(layout, spoken(layout.program, harmless, classes), BINDING.question_seed(opening))
    commitment = BINDING.commitment(opening).hex()
    lying = contexts(GOOD._replace(request=wanted), commitment=commitment)
    lying = lying._replace(
        proofs=tuple(proof._replace(question=one.digest()) for proof, one in zip(lying.proofs, asked, strict=True))
    )
    assert accept(known(), lying.presented(), NOW).code.name == "QUESTION_DIFFERS"


def test_signatures_of_proofs_are_no_signatures_of_confirmations():
    """Domains are apart: what a key signs in one form holds in no other."""
    proof = GOOD.proofs[0]
    signed = sign(proof, key("person"))
    made = confirm(proof.context.action_id, proof.context.commitment, "sha256:" + "0" * 64, "person", key("person"))
    assert not made._replace(signature=signed.signature).held_by(key("person").public)
