"""Flaw 15: caller and session were texts that a request said of itself."""

import pytest
from gatekeys import HOUR, NOW, OPERATOR_KEY, credential_of, granted, named

from remit.executor.credentials.issuer import credential, workload

CLAIMS = [{"caller": "boss"}, {"session": "s2"}, {"sub": "boss"}, {"user": "boss"}, {"uid": 0}, {"token": "x"}]


@pytest.mark.parametrize("claim", CLAIMS)
def test_who_asks_is_no_field_of_a_request(claim, world):
    said = {"intent_id": "MemoryList", "inputs": {}}
    assert world.said({**said, **claim}).reason_code == "BAD_FORM"
    assert world.said({**said, "constraints": claim}).reason_code == "BAD_FORM"
    assert world.said({**said, "inputs": claim}).reason_code == "INPUTS_FORM"


def test_requests_are_made_for_whom_the_token_names(world):
    world.done("SendMessage", {"to": "boss@example.org", "text": "x"}, credential_of("bob", session="s7"))
    assert [(one.request.caller, one.request.session) for one in world.happened] == [("bob", "s7")]
    entries = [record.entry for record in world.logs[0].records()]
    assert {(entry.principal, entry.session) for entry in entries} == {("bob", "s7")}


def test_a_token_of_one_process_does_not_serve_another(world):
    mine = credential(named("alice", uid=1000), (granted("alice"),))
    assert world.act("MemoryList", who=mine, peer=1000).status == "OK"
    assert world.act("MemoryList", who=mine, peer=0).reason_code == "PEER_DIFFERS"
    assert world.act("MemoryList", who=mine).reason_code == "PEER_DIFFERS"


def test_a_name_without_the_operators_signature_is_none(world):
    from gatekeys import BOB_KEY

    forged = workload("op-1", BOB_KEY, "boss", exp=NOW + HOUR)
    assert world.act("MemoryList", who=credential(forged, (granted("boss"),))).reason_code == "TOKEN_SIGNATURE"
    renamed = workload("op-1", OPERATOR_KEY, "alice", exp=NOW + HOUR)
    renamed = renamed._replace(token=renamed.token._replace(sub="boss"))
    assert world.act("MemoryList", who=credential(renamed, (granted("boss"),))).reason_code == "TOKEN_SIGNATURE"
