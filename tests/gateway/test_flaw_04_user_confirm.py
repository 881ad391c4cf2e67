"""Flaw 4: `user_confirm` was a boolean that the agent set."""

import pytest
from gatekeys import ALICE_KEY

from remit.authority.values.confirmation import confirm

SECRET_MAIL = {"to": "boss@example.org", "text": "TLP:RED for you"}


@pytest.mark.parametrize("name", ["user_confirm", "confirmed", "confirmation", "approved", "need_confirm"])
@pytest.mark.parametrize("value", [True, "yes", {}])
def test_an_agent_can_not_say_that_a_person_agreed(name, value, world):
    said = {"intent_id": "SendMessage", "inputs": SECRET_MAIL}
    first = world.said(said)
    assert first.status == "CONFIRM"
    for claim in (
        {**said, "inputs": {**SECRET_MAIL, name: value}},
        {**said, "constraints": {"tx_id": first.tx_id, name: value}},
        {**said, name: value},
    ):
        assert world.said(claim).status == "DENY"
    assert world.said({**said, "constraints": {"tx_id": first.tx_id}}).status == "CONFIRM"
    assert not world.happened


def test_a_signature_of_the_agents_own_key_is_no_confirmation(world):
    """Neither the gateway nor the executor takes it, even if it is put into the gateway's store."""
    from remit.gateway.transactions import Confirm, deliver

    first = world.act("SendMessage", SECRET_MAIL)
    known = world.transactions.get(first.tx_id)
    own = confirm(known.action_id, known.commitment, known.preview, "anna", ALICE_KEY).to_json()
    assert deliver(world.transactions, first.tx_id, own, world.rules.approvers, world.now) == "CONFIRM_BAD"
    forged = Confirm(known.action_id, known.commitment, known.preview, own)
    assert world.transactions.apply(first.tx_id, forged, world.now) == ""
    assert world.act("SendMessage", SECRET_MAIL, first.tx_id).reason_code == "CONFIRM_BAD"
    assert not world.happened


def test_a_confirmation_is_of_one_preview(world):
    """An approver who agreed to one message has not agreed to another, nor to the same one again."""
    first, second = (world.act("SendMessage", SECRET_MAIL) for _ in range(2))
    world.approve(first.tx_id)
    assert world.act("SendMessage", SECRET_MAIL, second.tx_id).status == "CONFIRM"
    assert (
        world.act("SendMessage", {**SECRET_MAIL, "text": "TLP:RED, another"}, first.tx_id).reason_code == "TX_REQUEST"
    )
    assert world.act("SendMessage", SECRET_MAIL, first.tx_id).status == "OK"
    assert world.act("SendMessage", SECRET_MAIL, first.tx_id).reason_code == "TX_DONE"
