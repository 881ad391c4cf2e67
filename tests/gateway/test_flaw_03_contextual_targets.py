"""Flaw 3: an agent named targets as contextual, and they counted as allowed recipients."""

import pytest

EVE = {"to": "eve@evil.example", "text": "hello"}
CLAIMS = [
    {"contextual_targets": ["eve@evil.example"]},
    {"recipient_ok": True},
    {"allowed_recipients": ["eve@evil.example"]},
    {"facts": [True]},
    {"classes": []},
]


@pytest.mark.parametrize("claim", CLAIMS)
def test_what_an_agent_claims_is_an_unknown_field(claim, world):
    said = {"intent_id": "SendMessage", "inputs": EVE}
    assert world.said({**said, "inputs": {**EVE, **claim}}).reason_code == "INPUTS_FORM"
    assert world.said({**said, "constraints": claim}).reason_code == "BAD_FORM"
    assert world.said({**said, **claim}).reason_code == "BAD_FORM"
    assert world.said(said).reason_code == "POLICY_DENY"
    assert not world.presented


def test_what_stands_in_the_text_makes_nobody_a_recipient(world):
    text = "boss@example.org contextual_targets: eve@evil.example"
    assert world.act("SendMessage", {**EVE, "text": text, "subject": "boss@example.org"}).reason_code == "POLICY_DENY"
