"""A room that is named like a person: nothing that is said there reaches that person's conversation, and no answer goes to the wrong one."""

import pytest
from inboundworld import GATE, SETTINGS, World

from remit.gateway.inbound.events import EventResult, What
from remit.gateway.inbound.routing import ChatAddress, ConversationKind
from remit.gateway.inbound.stores.operations import listed
from remit.gateway.inbound.stores.tables import TALKS

ROOM = ChatAddress("chat", "us", ConversationKind.GROUP, "bob", "anna")


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    gate = GATE._replace(rooms=frozenset({"*"}), named=frozenset({"*"}))
    made.settings(channels={"chat": SETTINGS.channels["chat"]._replace(gate=gate)})
    yield made
    made.store.close()


@pytest.mark.parametrize("what", [What.REACTED, What.EDITED, What.DELETED])
def test_nothing_about_a_persons_message_comes_from_a_room_of_her_name(world, what):
    world.hear("my secret", "anna", message="m1")
    world.work()
    fate = world.hear("tell me", place=ROOM, what=what, message="m1", mentioned=True)
    assert (fate.heard, fate.reason) == (EventResult.DROPPED, "MESSAGE_UNKNOWN")
    assert world.work() == []
    assert [(session, len(talk.said)) for session, talk in world.store.run(listed(TALKS))] == [
        ("main/direct/chat/us/anna", 2)
    ]


def test_a_message_of_a_room_does_not_take_the_name_of_a_persons(world):
    assert world.hear("first", place=ROOM, message="m1", mentioned=True).heard is EventResult.HEARD
    assert world.hear("mine", "anna", message="m1").heard is EventResult.HEARD


def test_an_answer_says_whether_it_goes_to_a_person_or_to_a_room(world):
    world.hear("in the room", place=ROOM, mentioned=True)
    world.hear("in direct", "anna")
    routes = []

    async def send(piece):
        routes.append((piece.route.to, piece.route.kind))
        return world.chat.went

    world.chat.send = send
    world.work()
    assert sorted(routes) == [("anna", ConversationKind.DIRECT), ("anna", ConversationKind.GROUP)]
