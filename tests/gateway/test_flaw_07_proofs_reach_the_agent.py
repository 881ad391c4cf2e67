"""Flaw 7: the preview handed both proofs to the agent, who could go to the executor alone."""

import json

import pytest
from gatekeys import credential_of
from gateworld import CARD

from remit.gateway.handles import Secret, Sensitivity

MAIL = {"to": "boss@example.org", "text": "good morning"}
WORDS = ("signature", "proof", "commitment", "nonce", "question", "server_id", "outputs")


def texts(value):
    """Every text in a value, keys too."""
    if isinstance(value, dict):
        return [text for pair in value.items() for one in pair for text in texts(one)]
    if isinstance(value, list | tuple):
        return [text for one in value for text in texts(one)]
    return [str(value)]


def everything_secret(world):
    """What proves, opens or ties: none of it may be seen."""
    out = {text for proof in world.servers.signed for text in texts(proof) if len(text) >= 32}
    for one in world.presented:
        out.add(one.nonce.hex())
    for number in (b"\1", b"\2", b"\3"):
        out.add((number * 16).hex())  # shares of the tag, and the tag
    return out


def everything_done(world):
    world.handles.keep_secret(
        "token", Secret(b"value-of-a-token", Sensitivity.LOW, frozenset({"api.example.org", "runtime"}))
    )
    handle = world.act("ReadSecret", {"name": "token"}).artifacts[0]
    world.done("SendMessage", MAIL)
    world.done("SendMessage", {**MAIL, "text": f"TLP:RED {CARD}"})
    world.done("FetchResource", {"url": "https://example.org/a"})
    world.done("PostWebhook", {"url": "https://example.org/a", "text": "x"})
    world.done("UseCredential", {"handle": handle, "url": "https://api.example.org/"})
    world.done("Declassify", {"handle": handle})
    world.done("MemoryWrite", {"key": "a", "text": "x"})
    world.done("SendInterAgentMessage", {"to": "bob", "text": "x"})
    world.done("FinalizeOutput", {"text": "x"})
    world.done("ReadFile", {"path": "/srv/notes.txt"})
    world.act("SendMessage", {**MAIL, "to": "eve@evil.example"})
    world.act("SendMessage", MAIL, "0" * 32)
    world.act("SendMessage", MAIL, who=credential_of("bob"))
    for intent in (
        "MemoryList",
        "ListWorkspaceFiles",
        "ListEnabledSkills",
        "ReceiveInterAgentMessage",
        "RevokeSession",
    ):
        world.act(intent)


def test_no_answer_holds_anything_that_proves(world):
    everything_done(world)
    assert len(world.servers.signed) >= 20
    hidden = everything_secret(world)
    for answer in world.answers:
        told = answer.to_json()
        seen = json.dumps(told)
        assert not [text for text in hidden if text in seen]
        assert not set(texts(list(told["data"]))) & set(WORDS)


@pytest.mark.parametrize("where", ["plain", "deep", "key", "tag", "nonce"])
def test_not_even_if_the_executor_sends_it_back(where, world):
    """A result that holds a proof is kept back; what happened stands in the log."""

    class Telling:
        def happen(self, accepted):
            from remit.executor.effects.adapter import EffectDone

            world.happened.append(accepted)
            proof, nonce = world.servers.signed[-1], world.presented[-1].nonce.hex()
            data = {
                "plain": proof, "deep": {"a": [["x" + proof["signature"] + "y"]]}, "key": {proof["signature"]: 1},
                "tag": {"tag": accepted.tag.hex()}, "nonce": {"n": nonce},
            }[where]  # fmt: skip
            return EffectDone("done", data)

    world.executor._effects = dict.fromkeys(world.executor._effects, Telling())
    answer = world.done("SendMessage", MAIL)
    assert (answer.status, answer.reason_code, answer.data) == ("DENY", "PROOF_HELD", {})
    assert len(world.happened) == 1


def test_a_preview_shows_no_proof_and_presents_none(world):
    told = json.dumps(world.act("SendMessage", MAIL).to_json())
    assert world.presented == []
    assert not [text for text in texts(world.servers.signed) if len(text) > 30 and text in told]
