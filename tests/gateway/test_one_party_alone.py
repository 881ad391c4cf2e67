"""Attacks of one party alone that once succeeded against the two authorities; each is refused now."""

import asyncio
from pathlib import Path

import pytest
from gateworld import World

from authority_world import NOW, case, known
from remit.authority.settings import ROLES
from remit.authority.wire.client import NotReachedError
from remit.core.errors import AuthorityError, UsageError
from remit.executor.accept import accept
from remit.executor.replay.sql import SqliteMemory
from remit.executor.run import refuse_older
from remit.gateway.deployment.files import build_policy, epoch_of
from remit.gateway.deployment.plan import single_machine

MAIL = {"to": "boss@example.org", "text": "hello"}


def test_policy_servers_reach_nobody_and_no_third_party_deals():
    """A dealer that dealt known triples, old blocks or one seed; a peer that echoed a coin: there are none."""
    assert ROLES == ("p0", "p1", "executor", "gateway")
    reached = {party.role: party.settings["reach"] for party in single_machine(Path("/run"), 0)}
    assert reached["p0"] == reached["p1"] == reached["executor"] == {}


def test_of_two_executors_with_stores_of_their_own_one_acts(tmp_path):
    names = []
    for name in ("one.db", "two.db"):
        memory = SqliteMemory(tmp_path / name)
        names.append(memory.identity())
        assert memory.identity() == names[-1]
        memory.close()
    assert names[0] != names[1]
    presented = case(store=names[0]).presented()
    assert accept(known(store=names[0]), presented, NOW).action_id == presented.action_id
    assert accept(known(store=names[1]), presented, NOW).code.name == "REQUEST_DIFFERS"


def test_a_store_that_is_made_anew_takes_no_proof_of_the_old_one(tmp_path):
    first = SqliteMemory(tmp_path / "marks.db")
    old = first.identity()
    first.close()
    for path in tmp_path.glob("marks.db*"):
        path.unlink()
    second = SqliteMemory(tmp_path / "marks.db")
    assert accept(known(store=second.identity()), case(store=old).presented(), NOW).code.name == "REQUEST_DIFFERS"
    second.close()


def test_an_epoch_does_not_go_back_when_a_file_is_deleted(tmp_path):
    policy, built = tmp_path / "a.policy", tmp_path / "built"
    policy.write_text("policy a\nintent FinalizeOutput\nallow always\n")
    built.mkdir()
    first = build_policy(policy, built)
    assert build_policy(policy, built) == first
    policy.write_text("policy a\nintent FinalizeOutput\nallow not text shows key\n")
    second = build_policy(policy, built)
    assert second > first
    (built / "epoch.json").unlink()
    assert epoch_of(built) == second
    assert build_policy(policy, built) > second
    memory = SqliteMemory(tmp_path / "marks.db")
    refuse_older(memory, second)
    refuse_older(memory, second)
    with pytest.raises(UsageError, match="has seen epoch"):
        refuse_older(memory, first)
    memory.close()


def test_the_gateway_names_no_caller():
    presented = case().presented()
    for shown in (None, {}, {**presented.credential, "delegations": []}):
        assert accept(known(), presented._replace(credential=shown), NOW).code.name == "CALLER_BAD"


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.close()


def refusing(world, error, times=1):
    """The executor answers nothing, so many times."""
    left, execute = [times], world.execute

    async def broken(presented, secrets):
        if left[0]:
            left[0] -= 1
            if not isinstance(error, NotReachedError):
                await execute(presented, secrets)
            raise error
        return await execute(presented, secrets)

    world.execute = broken


def test_an_executor_that_was_not_reached_is_no_unknown_outcome(world):
    refusing(world, NotReachedError("refused", "start it"))
    first = world.act("SendMessage", MAIL)
    assert world.act("SendMessage", MAIL, first.tx_id).reason_code == "EXECUTOR_AWAY"
    assert not world.happened
    assert world.act("SendMessage", MAIL, first.tx_id).status == "OK"
    assert world.act("SendMessage", MAIL, first.tx_id).reason_code == "TX_DONE"
    assert len(world.happened) == 1


def test_what_became_of_an_action_whose_answer_was_lost_is_asked(world):
    refusing(world, AuthorityError("no answer", "wait"))
    first = world.act("SendMessage", MAIL)
    assert world.act("SendMessage", MAIL, first.tx_id).status == "OK"
    assert len(world.happened) == 1
    assert asyncio.run(world.outcome(world.happened[0].action_id)) == "done"
    assert asyncio.run(world.outcome("0" * 32)) == "never"
