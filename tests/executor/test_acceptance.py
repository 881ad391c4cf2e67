"""The acceptance predicate: a good presentation passes, and every single change of it is refused at its step, with its code."""

import pytest
from presenting import (
    CONFIRMED,
    GOOD,
    SKILL,
    contexts,
    field,
    other_request,
    proofs,
    raw,
    reconfirmed,
    shown,
    spoiled,
    swapped,
)

from authority_world import BINDING, NOW, STORE, case, key, known
from remit.authority.codes import codes
from remit.authority.question.answers import answer_digest
from remit.authority.values.action import LIFETIME, born, new_action
from remit.authority.values.opening import BindingKey, LookUp, open_for
from remit.authority.values.request import make_request
from remit.executor.accept import RefusalReason, accept
from remit.executor.accepted_request import Accepted

OTHER = case(inputs={"to": "anna@example.org", "text": "good morning"})
DENIED = case(inputs={"to": "eve@evil.example", "text": "good morning"})
presented = GOOD.presented()
first, second = presented.proofs
LONG_AGO = new_action(NOW - LIFETIME - 36)

CHANGES = {
    # (1)
    "the request has a blank": (presented._replace(request=presented.request + b" "), "REQUEST_FORM"),
    "the request is not JSON": (presented._replace(request=b"{"), "REQUEST_FORM"),
    "the request is empty": (presented._replace(request=b""), "REQUEST_FORM"),
    "the nonce is short": (presented._replace(nonce=presented.nonce[:-1]), "REQUEST_FORM"),
    "the nonce is empty": (presented._replace(nonce=b""), "REQUEST_FORM"),
    "the action has no name": (presented._replace(action_id=""), "REQUEST_FORM"),
    "the action has another form": (presented._replace(action_id="A" * 32), "REQUEST_FORM"),
    "the salt is short": (presented._replace(salt=b"s"), "REQUEST_FORM"),
    "no answers": (presented._replace(answers=()), "PROOF_FORM"),
    "one answer": (presented._replace(answers=presented.answers[:1]), "PROOF_FORM"),
    "no proof": (presented._replace(proofs=()), "PROOF_FORM"),
    "one proof": (presented._replace(proofs=(first,)), "PROOF_FORM"),
    "three proofs": (presented._replace(proofs=(first, second, second)), "PROOF_FORM"),
    "one proof twice": (presented._replace(proofs=(first, first)), "PROOF_FORM"),
    "the other proof twice": (presented._replace(proofs=(second, second)), "PROOF_FORM"),
    "the proofs in the other order": (presented._replace(proofs=(second, first)), "PROOF_FORM"),
    "a proof is null": (presented._replace(proofs=(first, None)), "PROOF_FORM"),
    "a proof is text": (presented._replace(proofs=(first, "yes")), "PROOF_FORM"),
    "a proof has a field more": (raw(GOOD, 0, lambda told: told | {"extra": 1}), "PROOF_FORM"),
    "a proof has no signature": (raw(GOOD, 0, lambda told: {"proof": told["proof"]}), "PROOF_FORM"),
    "a signature is empty": (raw(GOOD, 0, lambda told: told | {"signature": ""}), "PROOF_FORM"),
    "a signature is short": (raw(GOOD, 0, lambda told: told | {"signature": told["signature"][:-2]}), "PROOF_FORM"),
    "an answer is no digest": (raw(GOOD, 0, field("answer", "0000")), "PROOF_FORM"),
    "a time is a float": (raw(GOOD, 0, field("ts", float(NOW))), "PROOF_FORM"),
    "a server is true": (raw(GOOD, 1, field("server_id", True)), "PROOF_FORM"),
    "a server is 2": (raw(GOOD, 1, field("server_id", 2)), "PROOF_FORM"),
    "another version": (raw(GOOD, 0, field("v", 1)), "PROOF_FORM"),
    "another kind": (raw(GOOD, 0, field("kind", "preview")), "PROOF_FORM"),
    "a profile of before": (raw(GOOD, 0, field("profile", "ed25519")), "PROOF_FORM"),
    "a code in place of a signature": (raw(GOOD, 0, lambda told: told | {"signature": "0" * 64}), "PROOF_FORM"),
    # (2)
    "a key nobody has": (proofs(GOOD, which=(0,), kid="p9").presented(), "KEY_UNKNOWN"),
    "the other server's key": (proofs(GOOD, which=(0,), kid="p1").presented(), "KEY_UNKNOWN"),
    "servers swapped": (swapped()._replace(proofs=swapped().proofs[::-1]).presented(), "KEY_UNKNOWN"),
    # (3)
    "signed by somebody else": (GOOD._replace(signers=(key("x"), GOOD.signers[1])).presented(), "SIGNATURE_BAD"),
    "signed by the other server": (GOOD._replace(signers=GOOD.signers[::-1]).presented(), "SIGNATURE_BAD"),
    "both signed by one server": (GOOD._replace(signers=(GOOD.signers[0],) * 2).presented(), "SIGNATURE_BAD"),
    "the other proof's signature": (
        raw(GOOD, 0, lambda told: told | {"signature": second["signature"]}),
        "SIGNATURE_BAD",
    ),
    "a question changed": (raw(GOOD, 0, field("question", "a" * 64)), "SIGNATURE_BAD"),
    "a time changed": (raw(GOOD, 0, field("ts", NOW + 1)), "SIGNATURE_BAD"),
    "an answer changed": (raw(GOOD, 1, field("answer", "0" * 64)), "SIGNATURE_BAD"),
    "a ticket changed": (raw(GOOD, 1, field("ticket", "0" * 64)), "SIGNATURE_BAD"),
    "an epoch changed": (raw(GOOD, 1, field("epoch", 4)), "SIGNATURE_BAD"),
    # (4)
    "signed too long ago": (proofs(GOOD, ts=NOW - 31).presented(), "PROOF_STALE"),
    "one signed too long ago": (proofs(GOOD, which=(1,), ts=NOW - 31).presented(), "PROOF_STALE"),
    "signed in the future": (proofs(GOOD, ts=NOW + 6).presented(), "PROOF_STALE"),
    "signed at the beginning of time": (proofs(GOOD, ts=0).presented(), "PROOF_STALE"),
    "an old action, signed afresh": (GOOD._replace(action_id=LONG_AGO).presented(), "ACTION_STALE"),
    "an action of the future": (GOOD._replace(action_id=new_action(NOW + 6)).presented(), "ACTION_STALE"),
    # (5)
    "proofs of two look-ups": (
        GOOD._replace(proofs=(GOOD.proofs[0], case().proofs[1])).presented(),
        "CONTEXT_DIFFERS",
    ),
    "proofs of two requests": (
        GOOD._replace(proofs=(GOOD.proofs[0], OTHER.proofs[1])).presented(),
        "CONTEXT_DIFFERS",
    ),
    "programs that differ": (contexts(GOOD, which=(1,), program="sha256:" + "0" * 64).presented(), "CONTEXT_DIFFERS"),
    "epochs that differ": (contexts(GOOD, which=(0,), epoch=4).presented(), "CONTEXT_DIFFERS"),
    "another program": (contexts(GOOD, program="sha256:" + "0" * 64).presented(), "PROGRAM_UNKNOWN"),
    "another database": (contexts(GOOD, database="sha256:" + "0" * 64).presented(), "PROGRAM_UNKNOWN"),
    "an older epoch": (contexts(GOOD, epoch=2).presented(), "PROGRAM_UNKNOWN"),
    "a newer epoch": (contexts(GOOD, epoch=4).presented(), "PROGRAM_UNKNOWN"),
    "another recipient": (other_request(to="anna@example.org").presented(), "REQUEST_DIFFERS"),
    "another text": (other_request(text="good morning!").presented(), "REQUEST_DIFFERS"),
    "a subject": (other_request(subject="hm").presented(), "REQUEST_DIFFERS"),
    "another caller": (GOOD._replace(request=GOOD.request._replace(caller="x")).presented(), "REQUEST_DIFFERS"),
    "another session": (GOOD._replace(request=GOOD.request._replace(session="x")).presented(), "REQUEST_DIFFERS"),
    "another intent": (GOOD._replace(request=GOOD.request._replace(intent="PostWebhook")).presented(), "REQUEST_DIFFERS"),
    "another nonce": (GOOD._replace(nonce=bytes(32)).presented(), "REQUEST_DIFFERS"),
    "another action": (GOOD._replace(action_id=new_action(NOW)).presented(), "REQUEST_DIFFERS"),
    "another salt": (GOOD._replace(salt=bytes(32)).presented(), "REQUEST_DIFFERS"),
    "another replay store": (case(store="6" * 32).presented(), "REQUEST_DIFFERS"),
    "another ticket": (contexts(GOOD, ticket="0" * 64).presented(), "REQUEST_DIFFERS"),
    "a server was asked something else": (proofs(GOOD, which=(0,), question="0" * 64).presented(), "QUESTION_DIFFERS"),
    "the servers were asked each other's question": (
        GOOD._replace(
            proofs=(
                GOOD.proofs[0]._replace(question=GOOD.proofs[1].question),
                GOOD.proofs[1]._replace(question=GOOD.proofs[0].question),
            )
        ).presented(),
        "QUESTION_DIFFERS",
    ),
    "an answer that its server did not sign": (GOOD._replace(answers=(GOOD.answers[0] + b"x", GOOD.answers[1])).presented(), "ANSWER_DIFFERS"),
    "the answers in the other order": (GOOD._replace(answers=GOOD.answers[::-1]).presented(), "ANSWER_DIFFERS"),
    # (6)
    "no credential": (GOOD._replace(credential=None).presented(), "CALLER_BAD"),
    "a credential of somebody else": (shown(GOOD, "thief").presented(), "CALLER_BAD"),
    "a credential of another session": (shown(GOOD, session="session-2").presented(), "CALLER_BAD"),
    "a credential for another intent": (shown(GOOD, rights=("FetchResource", "*")).presented(), "CALLER_BAD"),
    "a credential that does not reach": (shown(GOOD, rights=("*", "example.com")).presented(), "CALLER_BAD"),
    "a credential that is over": (shown(GOOD, exp=NOW).presented(), "CALLER_BAD"),
    "a credential that the gateway signed": (shown(GOOD, signer="gateway").presented(), "CALLER_BAD"),
    # (7)
    "a bit of a fingerprint": (spoiled(GOOD, 0).presented(), "ROWS_FORGED"),
    "a bit of the executor's tag": (spoiled(GOOD, 1, word=2, row=1).presented(), "ROWS_FORGED"),
    "a bit of an empty row": (spoiled(GOOD, 1, row=3).presented(), "ROWS_FORGED"),
    "an answer that is too short": (
        proofs(GOOD._replace(answers=(b"", GOOD.answers[1])), which=(0,), answer=answer_digest(b"")).presented(),
        "ROWS_FORGED",
    ),
    "what the policy denies": (DENIED.presented(), "POLICY_DENY"),
    "what the policy denies, confirmed": (DENIED._replace(confirmation=CONFIRMED.confirmation).presented(), "POLICY_DENY"),
    "not confirmed": (CONFIRMED._replace(confirmation=None).presented(), "CONFIRM_MISSING"),
    "the confirmation is a boolean": (CONFIRMED._replace(confirmation=True).presented(), "CONFIRM_BAD"),
    "the confirmation is a word": (CONFIRMED._replace(confirmation="confirmed").presented(), "CONFIRM_BAD"),
    "the confirmation is empty": (CONFIRMED._replace(confirmation={}).presented(), "CONFIRM_BAD"),
    "of another action": (reconfirmed(CONFIRMED, action_id=new_action(NOW)).presented(), "CONFIRM_BAD"),
    "for another replay store": (CONFIRMED._replace(confirmation=case(*SKILL, store="6" * 32).confirmation).presented(), "CONFIRM_BAD"),
    "of another request": (reconfirmed(CONFIRMED, commitment="0" * 64).presented(), "CONFIRM_BAD"),
    "of another preview": (reconfirmed(CONFIRMED, preview="sha256:" + "0" * 64).presented(), "CONFIRM_BAD"),
    "by somebody else": (reconfirmed(CONFIRMED, kid="somebody").presented(), "CONFIRM_BAD"),
    "in another one's name": (
        CONFIRMED._replace(confirmation=reconfirmed(CONFIRMED, kid="somebody").confirmation | {"kid": "person"}).presented(),
        "CONFIRM_BAD",
    ),
    "by a policy server": (
        CONFIRMED._replace(
            confirmation=CONFIRMED.confirmation | {"signature": key("server 0").sign(b"x").hex()}
        ).presented(),
        "CONFIRM_BAD",
    ),
}  # fmt: skip


def test_what_is_good_is_accepted():
    found = accept(known(), GOOD.presented(), NOW)
    assert isinstance(found, Accepted)
    assert found.request == GOOD.request
    assert found.inputs == GOOD.request.inputs
    assert found.tag == bytes.fromhex(GOOD.proofs[0].context.ticket)[:16]
    assert not found.confirmed_by


def test_what_is_confirmed_is_accepted():
    assert accept(known(), CONFIRMED.presented(), NOW).confirmed_by == "person"


@pytest.mark.parametrize("name", CHANGES)
def test_a_single_change_is_refused_with_its_code(name):
    changed, code = CHANGES[name]
    found = accept(known(), changed, NOW)
    assert isinstance(found, RefusalReason)
    assert found.code == codes("executor")[code]


def test_the_changes_cover_every_code_but_those_of_memory_and_values():
    """`test_memory_of_actions.py` and `test_values_of_handles.py` have the others; those of the transport come before."""
    steps = [code.name for code in codes("executor").values() if code.step not in (0, 8, 9)]
    assert list(dict.fromkeys(code for _, code in CHANGES.values())) == steps


def test_codes_are_those_of_the_step(snapshot):
    assert [
        f"{code.step} {code.name}: {code.meaning}; {code.remedy}" for code in codes("executor").values()
    ] == snapshot


@pytest.mark.parametrize(("later", "accepted"), [(-6, False), (-5, True), (0, True), (30, True), (31, False)])
def test_proofs_hold_for_their_time(later, accepted):
    assert isinstance(accept(known(), GOOD.presented(), NOW + later), Accepted) is accepted


def test_no_later_signature_brings_an_action_back_once_its_mark_may_be_forgotten():
    """A gateway commits again and again: the last time at which that is accepted lies before the mark's end."""
    expires = accept(known(), GOOD.presented(), NOW).expires
    times = [NOW + later for later in (*range(0, 400, 3), *range(LIFETIME - 60, LIFETIME + 200))]
    accepted = [now for now in times if isinstance(accept(known(), proofs(GOOD, ts=now).presented(), now), Accepted)]
    assert max(accepted) >= born(GOOD.action_id) + LIFETIME
    assert max(accepted) + known().skew < expires


def test_a_confirmation_is_not_used_again_after_the_mark_was_forgotten():
    expires = accept(known(), CONFIRMED.presented(), NOW).expires
    again = proofs(CONFIRMED, ts=expires).presented()
    assert accept(known(), again, expires).code.name == "ACTION_STALE"


def test_a_confirmation_that_is_not_wanted_changes_nothing():
    assert isinstance(accept(known(), GOOD._replace(confirmation=CONFIRMED.confirmation).presented(), NOW), Accepted)
    assert not accept(known(), GOOD._replace(confirmation=CONFIRMED.confirmation).presented(), NOW).confirmed_by


def test_a_confirmation_that_is_not_wanted_has_its_form_all_the_same():
    for thing in (True, {}, "yes", {**CONFIRMED.confirmation, "more": 1}):
        assert accept(known(), GOOD._replace(confirmation=thing).presented(), NOW).code.name == "CONFIRM_BAD"


def test_an_executor_without_keys_accepts_nothing():
    assert accept(known(keys={}), GOOD.presented(), NOW).code.name == "KEY_UNKNOWN"


def test_an_executor_with_another_binding_key_accepts_nothing():
    assert accept(known(binding=BindingKey(bytes(32))), GOOD.presented(), NOW).code.name == "REQUEST_DIFFERS"


def test_what_is_not_an_intent_or_not_of_its_form_is_refused():
    for intent, inputs in (
        ("Nothing", {}),
        ("SendMessage", {"to": "boss@example.org"}),
        ("FetchResource", {"url": "https://a@b/"}),
    ):
        request = make_request(intent, "agent", "session-1", inputs)
        look = LookUp(open_for(request, STORE, GOOD.nonce), GOOD.action_id, GOOD.salt)
        changed = contexts(GOOD._replace(request=request), ticket=BINDING.ticket(look).hex())
        assert accept(known(), changed.presented(), NOW).code.name == "REQUEST_FORM"


def test_the_gateways_own_tag_is_not_the_executors_matter():
    """Each checks its own: what the gateway would have refused is named there."""
    assert isinstance(accept(known(), spoiled(GOOD, 0, word=3).presented(), NOW), Accepted)


@pytest.mark.parametrize(
    "every_word", [pytest.param(False, id="a word of each row"), pytest.param(True, id="every word_nightly")]
)
def test_no_error_in_an_answer_is_a_decision(every_word):
    """One server adds whatever it likes to any row: the look-up fails, whatever was asked and whatever the right answer is."""
    for one in (GOOD, DENIED, CONFIRMED):
        rows = len(one.answers[0]) // 32
        for server in (0, 1):
            for row in range(rows):
                words = (0, 1, 2)
                for word in words if every_word else (words[(row + server) % 3],):
                    found = accept(known(), spoiled(one, server, row, word).presented(), NOW)
                    assert isinstance(found, RefusalReason)
                    assert found.code.name == "ROWS_FORGED"
