"""Floods: who says too much holds up itself alone. Operators always come through, and the log grows little."""

import asyncio

import pytest
from inboundworld import NOW, World

from remit.gateway.inbound import limits
from remit.gateway.inbound.channels.interface import Incoming, Received, Reply
from remit.gateway.inbound.events import Event, EventResult, What
from remit.gateway.inbound.limits import TOO_OFTEN, Limit, Senders
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Identity
from remit.gateway.inbound.settings.values import Limits


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    made.settings(limits=Limits(burst=5, seconds=10))
    yield made
    made.store.close()


def test_who_floods_is_stopped_and_nobody_else_is(world):
    fates = [world.hear("spam", "eve") for _ in range(50)]
    assert [one.heard for one in fates[:5]] == [EventResult.HEARD] * 5
    assert {(one.heard, one.reason) for one in fates[5:]} == {(EventResult.DROPPED, TOO_OFTEN)}
    assert world.hear("hello", "ann").heard is EventResult.HEARD
    world.time += 10
    assert world.hear("later", "eve").heard is EventResult.HEARD
    assert world.hear("too soon", "eve").reason == TOO_OFTEN


def test_a_flood_costs_the_log_one_line_a_minute(world):
    for _ in range(100):
        world.hear("spam", "eve")
    assert len(world.log) == 6
    assert world.log[-1].reason == TOO_OFTEN


def test_operators_come_through(world):
    assert {world.hear("/devices", "root").heard for _ in range(50)} == {EventResult.COMMAND}


def test_another_name_in_the_text_or_another_room_is_the_same_speaker(world):
    for number in range(5):
        world.hear("x", place=ChatAddress("chat", "us", ConversationKind.DIRECT, "eve", thread=str(number)))
    assert (
        world.hear("x", place=ChatAddress("chat", "us", ConversationKind.GROUP, "eve", "r"), mentioned=True).reason
        == TOO_OFTEN
    )


def test_a_platform_is_told_to_come_again(world):
    for number, status in enumerate((200, 200, 200, 200, 200, 429)):
        event = Event(
            ChatAddress("chat", "us", ConversationKind.DIRECT, "eve"), What.SAID, "x", f"m{number}", f"e{number}"
        )
        world.chat.received = Received((event,), Reply(200))
        assert asyncio.run(world.inbound.receive("chat", Incoming((), b"", NOW))).status == status
    world.time += 10
    assert asyncio.run(world.inbound.receive("chat", Incoming((), b"", NOW))).status == 200
    assert len(world.work()) == 6


def test_speakers_without_end_are_not_remembered_without_end(monkeypatch):
    monkeypatch.setattr(limits, "MOST", 100)
    known = Senders()
    for number in range(1000):
        assert known.may(Identity("chat", str(number)), Limit(1, 10), NOW)
    assert len(known._known) == 100
