"""Flaw 9: the agent chose the channel through which a value was shown, and some channels had no limit."""

import asyncio

import pytest
from gatekeys import ALICE_KEY, ALL, BOB_KEY, NOW, credential_of, granted, named
from gateworld import World

from remit.executor.credentials.issuer import credential, delegate
from remit.executor.forms import Result
from remit.gateway.handles import Handle, Limits, Sensitivity


@pytest.fixture
def small(tmp_path):
    made = World(tmp_path, limits=Limits(items=3, size=40))
    yield made
    made.close()


def handle(world, value=b"0123456789", caller="alice", session="s1"):
    return world.handles.mint(value, Handle(session, caller, Sensitivity.LOW, frozenset({"runtime"}), NOW + 600), NOW)


@pytest.mark.parametrize("name", ["channel", "budget", "limit", "sink"])
def test_a_channel_is_no_input(name, small):
    for claim in ({name: "unlimited"}, {name: 10**6}):
        answer = small.act("Declassify", {"handle": handle(small), **claim})
        assert answer.reason_code == "INPUTS_FORM"


def test_what_is_shown_is_limited_by_items(small):
    for _ in range(3):
        assert small.done("Declassify", {"handle": handle(small)}).status == "OK"
    assert small.done("Declassify", {"handle": handle(small)}).reason_code == "BUDGET_SPENT"


def test_and_by_bytes(small):
    assert small.done("Declassify", {"handle": handle(small, b"x" * 39)}).status == "OK"
    assert small.done("Declassify", {"handle": handle(small, b"xx")}).reason_code == "BUDGET_SPENT"
    assert len(small.happened) == 1


def test_a_refused_confirmation_spends_nothing(small):
    for _ in range(5):
        assert small.act("Declassify", {"handle": handle(small)}).status == "CONFIRM"
    assert small.done("Declassify", {"handle": handle(small)}).status == "OK"


def test_delegates_share_the_budget_of_whom_they_speak_for(small):
    """Who delegates to a thousand names has one budget nevertheless."""
    first = granted("alice", key=ALICE_KEY.public.raw.hex())
    shown = 0
    for number in range(4):
        name = f"helper-{number}"
        chain = delegate((first,), ALICE_KEY, name, ALL, exp=NOW + 60, key=BOB_KEY.public.raw.hex())
        who = credential(named(name), chain)
        shown += small.done("Declassify", {"handle": handle(small, caller=name)}, who).status == "OK"
    assert shown == 3


def test_another_session_is_the_operators_to_give(small):
    for _ in range(3):
        small.done("Declassify", {"handle": handle(small)})
    other = credential_of("alice", session="s2")
    assert small.done("Declassify", {"handle": handle(small, session="s2")}, other).status == "OK"


def test_a_policy_that_asks_nobody_shows_nothing(small):
    """The gateway shows a value only where both servers want a person's word."""
    from remit.authority.values.outputs import Outputs
    from remit.gateway.parties.servers import LookUpResult

    class Careless:
        async def look_up(self, *_):
            return LookUpResult(
                Outputs(True, False, False, False, False), b"", ({}, {}), (b"", b""), small.servers.given
            )

    small.gateway._effects._policy = Careless()
    assert small.act("Declassify", {"handle": handle(small)}).reason_code == "HANDLE_SHOWN"


def test_what_is_handed_over_again_is_spent_once(small, monkeypatch):
    """After a change of the policy an action is handed to the executor twice, and one that found it away as often as the agent likes."""
    monkeypatch.setattr(small.servers, "renew", lambda _: asyncio.sleep(0, result=True))
    first = small.act("Declassify", {"handle": (name := handle(small, b"x" * 20))})
    small.approve(first.tx_id)
    really, times = small.execute, 0

    async def execute(presented, secrets):
        nonlocal times
        times += 1
        return await really(presented, secrets) if times > 5 else Result("refused", "PROGRAM_UNKNOWN")

    monkeypatch.setattr(small, "execute", execute)
    while (answer := small.act("Declassify", {"handle": name}, first.tx_id)).reason_code == "PROGRAM_UNKNOWN":
        pass
    assert (times, answer.status) == (6, "OK")
    assert small.done("Declassify", {"handle": handle(small, b"y" * 20)}).status == "OK"
