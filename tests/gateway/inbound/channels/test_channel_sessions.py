"""What platforms send, through the gate into a store: once, in its session, and the answer to where it was said."""

import asyncio

import pytest
from channelrooms import ALL, OPEN
from channelworld import DISCORD, GATEWAY, NOW, SLACK, TELEGRAM, WEBHOOK, WORLDS
from one_at_a_time import one_sending, one_turn
from platformserver import Server, answer, serving

from remit.audit.log import Log
from remit.gateway.inbound import delivery
from remit.gateway.inbound.channels.terminal import said
from remit.gateway.inbound.channels.texts import LONGEST
from remit.gateway.inbound.delivery import PiecePhase
from remit.gateway.inbound.event_text import words_of
from remit.gateway.inbound.events import EventResult, Gate
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.routing import Binding, ConversationKind
from remit.gateway.inbound.service import FinishedTurn, Inbound
from remit.gateway.inbound.settings.values import Platform
from remit.gateway.inbound.stores.operations import listed


@pytest.mark.parametrize(
    ("world", "case"),
    [
        *((SLACK, case) for case in ("direct", "channel, named", "thread in a channel", "several people")),
        *((TELEGRAM, case) for case in ("private", "supergroup, named", "topic", "button")),
        *((DISCORD, case) for case in ("command", "command in a thread", "command in direct", "button")),
        *((WEBHOOK, case) for case in ("direct", "room")),
    ],
    ids=lambda one: getattr(one, "name", one),
)
def test_what_is_sent_again_is_not_heard_again(room, world, case):
    gate = ALL._replace(operators=frozenset(), unnamed=frozenset({"-1001234500002"}))
    channels = {name: one._replace(gate=gate) for name, one in room.settings.channels.items()}
    room.settings = room.settings._replace(channels=channels)
    assert room.receive(world, case).heard is EventResult.HEARD
    again = room.receive(world, case)
    assert (again.heard, again.reason) == (EventResult.DROPPED, "SEEN")


def test_frames_that_are_sent_again_are_not_heard_again(room):
    for case in ("message, named", "edited", "reaction", "deleted"):
        assert room.dispatch(case).heard is EventResult.HEARD, case
        assert room.dispatch(case).reason == "SEEN", case


def test_a_message_that_comes_in_two_ways_is_heard_once(room):
    assert room.receive(SLACK, "channel, named").heard is EventResult.HEARD
    assert room.receive(SLACK, "channel, named, as app_mention").reason == "SEEN"


def test_whichever_way_comes_first(rooms):
    """The one that does not say that we were named is not heard, and does not keep the other from being heard."""
    room = rooms(OPEN)
    assert room.receive(SLACK, "channel, named", authorizations=[]).reason == "NOT_NAMED"
    assert room.receive(SLACK, "channel, named, as app_mention").heard is EventResult.HEARD


ABOUT = {
    "slack": lambda room: (
        room.receive(SLACK, "channel, named"),
        room.receive(SLACK, "edited"),
        room.receive(SLACK, "reaction"),
        room.receive(SLACK, "deleted"),
    ),
    "telegram": lambda room: (
        room.receive(TELEGRAM, "supergroup, named"),
        room.receive(TELEGRAM, "edited"),
        room.receive(TELEGRAM, "reaction"),
    ),
    "discord": lambda room: (
        room.dispatch("message, named"),
        room.dispatch("edited"),
        room.dispatch("reaction"),
        room.dispatch("deleted"),
    ),
    "webhook": lambda room: (
        room.receive(WEBHOOK, "room"),
        room.receive(WEBHOOK, "edited"),
        room.receive(WEBHOOK, "reaction"),
        room.receive(WEBHOOK, "deleted"),
    ),
}


@pytest.mark.parametrize("platform", ABOUT)
def test_what_is_said_about_a_message_lands_where_that_was_said(room, platform):
    fates = ABOUT[platform](room)
    assert [one.heard for one in fates] == [EventResult.HEARD] * len(fates)
    heard = [room.turn() for _ in fates]
    assert {session for session, _, _ in heard} == {fates[0].session}
    assert len({event.what for _, _, event in heard}) == len(fates)


def test_what_is_said_about_a_message_in_a_thread_lands_in_the_thread(room):
    """A reaction does not say in which thread its message is."""
    first = room.receive(SLACK, "thread in a channel")
    assert first.session.endswith("/thread/1765000003.000100")
    room.receive(SLACK, "reaction", event__item__ts="1765000008.000100")
    assert [room.turn()[0] for _ in range(2)] == [first.session] * 2


def test_only_who_said_it_edits_it(room):
    assert room.receive(SLACK, "channel, named").heard is EventResult.HEARD
    assert room.receive(SLACK, "edited by another").reason == "NOT_ITS_SPEAKER"
    assert room.receive(WEBHOOK, "room").heard is EventResult.HEARD
    assert room.receive(WEBHOOK, "edited", **{"from": "mallory"}).reason == "NOT_ITS_SPEAKER"
    assert room.dispatch("message, named").heard is EventResult.HEARD
    mallory = GATEWAY["edited"]["d"]["author"] | {"id": "800000000000000666"}
    assert room.dispatch("edited", author=mallory).reason == "NOT_ITS_SPEAKER"


@pytest.mark.parametrize(
    ("world", "case"), [(SLACK, "edited"), (SLACK, "reaction"), (TELEGRAM, "edited"), (WEBHOOK, "deleted")]
)
def test_nothing_is_heard_about_what_was_not_heard(room, world, case):
    assert room.receive(world, case).reason == "MESSAGE_UNKNOWN"


def test_the_same_number_elsewhere_is_somebody_else(room):
    sessions = {
        room.receive(TELEGRAM, "private").session,
        room.receive(WEBHOOK, "direct", **{"from": "70001"}).session,
        room.receive(DISCORD, "command in direct", user={"id": "70001", "username": "x"}).session,
    }
    assert sessions == {
        "main/direct/telegram/%40remit_garden_bot/70001",
        "main/direct/webhook/bridge/70001",
        "main/direct/discord/830000000000000001/70001",
    }


def test_the_same_number_of_a_message_elsewhere_is_another_message(room):
    """Telegram counts messages in each chat from one."""
    assert room.receive(TELEGRAM, "private").heard is EventResult.HEARD
    other = {"id": 70002, "is_bot": False, "first_name": "Bert"}
    private = {"id": 70002, "first_name": "Bert", "type": "private"}
    edited = TELEGRAM.fixture["private"]["message"] | {"from": other, "chat": private, "edit_date": NOW}
    value = {"update_id": 9999, "edited_message": edited}
    (event,) = TELEGRAM.channel().receive(TELEGRAM.signed(value)).events
    assert room.hear(event).reason == "MESSAGE_UNKNOWN"


@pytest.mark.parametrize(
    ("world", "plain", "inner", "room_name"),
    [
        (SLACK, "channel, named", "thread in a channel", "C0GARDEN"),
        (TELEGRAM, "supergroup, named", "topic", "-1001234500002"),
        (DISCORD, "command", "command in a thread", "850000000000000001"),
        (WEBHOOK, "room", "room", "garden"),
    ],
    ids=lambda one: getattr(one, "name", None),
)
def test_a_thread_has_the_rules_and_the_agent_of_its_room(rooms, world, plain, inner, room_name):
    gate = OPEN._replace(rooms=frozenset({room_name}), unnamed=frozenset({room_name}))
    room = rooms(gate, bindings=(Binding("gardener", room=room_name),))
    fate = room.receive(world, inner)
    assert fate.heard is EventResult.HEARD
    assert fate.session.startswith("gardener/group/")
    assert "/thread/" in fate.session
    assert room.turn()[1] == "gardener"
    closed = rooms(gate._replace(rooms=frozenset({"elsewhere"})))
    assert closed.receive(world, inner).reason == closed.receive(world, plain).reason == "ROOM_CLOSED"


def test_roles_open_a_room_and_a_thread_in_it(rooms):
    gate = OPEN._replace(named=frozenset(), roles=frozenset({"810000000000000001"}))
    room = rooms(gate)
    assert room.receive(DISCORD, "command in a thread").heard is EventResult.HEARD
    assert room.receive(DISCORD, "command", member__roles=["810000000000000009"]).reason == "ROLE_MISSING"


def test_programs_are_not_heard_and_a_person_behind_one_is(room):
    assert room.receive(SLACK, "bot").reason == "MACHINE"
    assert room.receive(TELEGRAM, "anonymous administrator").reason == "MACHINE"
    assert room.dispatch("webhook").reason == "MACHINE"
    fate = room.dispatch("webhook of an application that speaks for people")
    assert fate.heard is EventResult.HEARD


def test_a_button_gives_no_command(room):
    """Whoever made the button chose its words: an operator who presses it gives no command."""
    assert room.receive(TELEGRAM, "button").heard is EventResult.HEARD
    assert room.receive(DISCORD, "button").heard is EventResult.HEARD
    assert room.receive(DISCORD, "command").heard is EventResult.COMMAND
    assert room.receive(TELEGRAM, "command for us").heard is EventResult.COMMAND
    assert room.receive(TELEGRAM, "command that another bot wrote").heard is EventResult.HEARD


@pytest.mark.parametrize(
    ("world", "case", "to"),
    [
        (SLACK, "direct", "D0ANNA"),
        (TELEGRAM, "private", "70001"),
        (DISCORD, "command in direct", "interaction:830000000000000001:aW50ZXJhY3Rpb24613"),
        (WEBHOOK, "direct", "anna"),
    ],
    ids=lambda one: getattr(one, "name", None),
)
def test_a_stranger_is_answered_where_it_spoke(rooms, world, case, to):
    room = rooms(Gate())
    assert room.receive(world, case).heard is EventResult.PAIRING
    (piece,) = room.pieces()
    assert (piece.route.channel, piece.route.to) == (world.name, to)
    assert "ABCDEFGH" in piece.body


def test_half_a_character_of_a_browser_can_be_kept(room):
    web = room.settings.channels["webhook"]._replace(kind=Platform.WEB)
    room.settings = room.settings._replace(channels={**room.settings.channels, "web": web})
    assert room.hear(said("web", "web", "anna", "a\ud800b", "m1")).heard is EventResult.HEARD
    assert room.turn()[2].text == "a?b"


def test_an_answer_goes_out_in_messages_that_the_platform_takes(room):
    """From what Slack sends to what Slack is sent, in a thread. They come in their order, but for one that Slack did not want at first."""
    text = "\n".join(f"line {number} " + "x" * 90 for number in range(400))
    answers = [answer(429, {"ok": False}, retry_after="1")] + [answer(200, {"ok": True})] * 40
    server = Server(lambda writer: _next(writer, answers))
    clock = [float(NOW)]

    async def go():
        async with serving(server) as (url, client):
            channels = {"slack": SLACK.channel(client, api=url)}
            with Log.open(room.folder / "log") as log:
                inbound = Inbound(room.settings, room.store, channels, None, Devices(), log, clock=lambda: clock[0])

                async def think(*_, **__):
                    return FinishedTurn(None, text)

                inbound._answered = think
                fixture = SLACK.fixture["thread in a channel"]
                reply = await inbound.receive("slack", SLACK.signed(fixture))
                assert (await inbound.receive("slack", SLACK.signed(fixture))) == reply
                assert await one_turn(inbound)
                assert not await one_turn(inbound)
                for _ in range(3):
                    while any(await asyncio.gather(*(one_sending(inbound) for number in range(3)))):
                        pass
                    clock[0] += 60

    (room.folder / "log").mkdir()
    asyncio.run(go())
    told = [one.json() for one in server.asked]
    assert {(one["channel"], one["thread_ts"]) for one in told} == {("C0GARDEN", "1765000003.000100")}
    assert all(len(one["text"]) <= LONGEST[Platform.SLACK] for one in told)
    assert sorted(one["text"] for one in told[1:]) == sorted(
        {one["text"] for one in told}
    )  # none twice but the refused one
    first, rest = told[0]["text"], [one["text"] for one in told[1:] if one["text"] != told[0]["text"]]
    assert first + "".join(rest) == text


async def _next(writer, answers):
    writer.write(answers.pop(0))
    await writer.drain()


def test_what_nobody_knows_is_not_sent_again(room):
    async def hang_up(writer):
        writer.transport.abort()

    server = Server(hang_up)
    clock = [float(NOW)]

    async def go():
        async with serving(server) as (url, client):
            channels = {"slack": SLACK.channel(client, api=url)}
            with Log.open(room.folder / "log") as log:
                inbound = Inbound(room.settings, room.store, channels, None, Devices(), log, clock=lambda: clock[0])

                async def think(*_, **__):
                    return FinishedTurn(None, "hello")

                inbound._answered = think
                await inbound.receive("slack", SLACK.signed(SLACK.fixture["direct"]))
                assert await one_turn(inbound)
                for _ in range(5):
                    await one_sending(inbound)
                    clock[0] += 1000

    (room.folder / "log").mkdir()
    asyncio.run(go())
    assert [one.json()["text"] for one in server.asked].count("hello") == 1
    kept = [one for _, one in room.store.run(listed(delivery.TABLE)) if one.body == "hello"]
    assert [one.phase for one in kept] == [PiecePhase.UNKNOWN]


def test_an_agent_never_hears_nothing(room):
    """A deletion has no words; an edit that would be heard as something new would be done a second time."""
    ABOUT["slack"](room)
    heard = [words_of(room.turn()[2]).partition("\n")[2] for _ in range(4)]
    assert heard == [
        "list the beds",
        "[in place of what I said before] list all beds",
        "[about what was said before] :+1::skin-tone-3:",
        "[I took back what I said before]",
    ]


def test_every_platform_has_direct_conversations_and_rooms():
    for world in WORLDS:
        kinds = {one.events[0].place.kind for one in world.events().values() if one.events}
        assert kinds == {ConversationKind.DIRECT, ConversationKind.GROUP}
