"""Discord without a public address: a session is resumed where it was left, and what was said meanwhile is neither lost nor answered twice."""

import asyncio
import sys
from pathlib import Path

import pytest
from channelgateway import OPEN, Gateway, Inbox

sys.path.insert(0, str(Path(__file__).parent / "fakes"))

from discord_api import ANNA, APPLICATION, BOB, BOT, CONTENT, DIRECT, ROOM, THREAD, TOKEN, FakeDiscord, too_many
from serving import served

from remit.gateway.inbound.agent.turn import By, ConversationMessage
from remit.gateway.inbound.channels import discord
from remit.gateway.inbound.channels.connections import _position
from remit.gateway.inbound.channels.interface import ChannelError
from remit.gateway.inbound.settings.values import Platform

US = [{"id": BOT, "username": "garden"}]


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr("remit.gateway.inbound.channels.connections.FIRST_PAUSE", 0.01)


def run(folder, story, interval=40_000, **fields):
    async def go():
        fake = FakeDiscord(interval)
        async with served(fake.app()) as fake.url:
            gateway = Gateway(folder, Platform.DISCORD, **{"token": TOKEN, "api": f"{fake.url}/api/v10"} | fields)
            return await story(fake, gateway)

    return asyncio.run(go())


def kept_number(gateway):
    """Of the last event after which a restart begins."""
    return discord.read_position(gateway.store.run(_position("discord"))).number


def refused(folder, change=lambda _: None, **fields):
    async def story(fake, gateway):
        change(fake)
        async with gateway.running():
            with pytest.raises(ChannelError) as raised:
                await gateway.channel.connection()(Inbox())
        return raised.value

    return run(folder, story, **fields)


def test_what_is_said_in_direct_and_in_rooms_is_answered_where_it_was_said(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            await fake.say("hello", room=DIRECT)
            await fake.until(lambda: len(fake.said()) == 1)
            await fake.say(f"<@{BOT}> water the beans", mentions=US)
            await fake.until(lambda: len(fake.said()) == 2)
            await fake.say(f"<@{BOT}> and here?", BOB, THREAD, mentions=US)
            await fake.until(lambda: len(fake.said()) == 3)
        where = [one["channel_id"] for one in fake.messages.values() if one["author"]["id"] == BOT]
        assert where == [DIRECT, ROOM, THREAD]
        assert gateway.heard() == [
            "hello",
            f'[from "Anna" ({ANNA["id"]})]\nwater the beans',
            f'[from "Bob" ({BOB["id"]})]\nand here?',
        ]
        assert fake.identified[0]["intents"] & CONTENT

    run(tmp_path, story)


def test_a_restart_resumes_the_session_and_brings_what_was_said_meanwhile(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            await fake.say("one", room=DIRECT)
            await fake.until(fake.said)
        await fake.until(lambda: fake._socket is None)
        await fake.say("two", room=DIRECT)
        async with gateway.running():
            await fake.until(lambda: len(fake.said()) == 2)
        assert fake.said() == ["heard: one", "heard: two"]
        assert (len(fake.identified), len(fake.resumed)) == (1, 1)

    run(tmp_path, story)


def test_a_session_that_was_forgotten_begins_anew_and_rooms_are_asked_for_what_was_said(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            await fake.say("one", room=DIRECT)
            await fake.until(fake.said)
            await gateway.until(lambda: kept_number(gateway) == len(fake.events))
        await fake.until(lambda: fake._socket is None)
        fake.forget()
        for number in range(105):
            fake.message(f"missed {number}", room=DIRECT)
        async with gateway.running():
            await fake.until(lambda: len(fake.said()) == 106)
        assert set(fake.said()) == {"heard: one", *(f"heard: missed {number}" for number in range(105))}
        assert len(fake.identified) == 2

    run(tmp_path, story)


def test_rooms_that_could_not_be_asked_are_asked_again_and_no_session_is_begun_for_it(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            await fake.say("one", room=DIRECT)
            await fake.until(fake.said)
            await gateway.until(lambda: kept_number(gateway) == len(fake.events))
        await fake.until(lambda: fake._socket is None)
        fake.forget()
        fake.message("missed", room=DIRECT)
        fake.answers["channels"] = [too_many(0), too_many(0)]
        async with gateway.running():
            await fake.until(lambda: len(fake.said()) == 2)
        assert fake.said() == ["heard: one", "heard: missed"]
        assert len(fake.identified) == 2

    run(tmp_path, story)


def test_what_could_not_be_kept_comes_again(tmp_path):
    async def story(fake, gateway):
        from remit.gateway.inbound.channels.platform_requests import new_client

        async with gateway.running():
            pass
        inbox, channel = Inbox(), gateway.channel
        channel.client = new_client()
        task = asyncio.create_task(channel.connection()(inbox))
        await fake.until(lambda: inbox.warnings)
        inbox.fails = 1
        await fake.say("one", room=DIRECT)
        with pytest.raises(RuntimeError):
            await task
        task = asyncio.create_task(channel.connection()(inbox))
        await fake.until(lambda: [one.text for one in inbox.events] == ["one"])
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    run(tmp_path, story)


def test_discord_asks_for_a_new_connection(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            await fake._socket.send_text('{"op": 7, "d": null, "s": null, "t": null}')
            await fake.until(lambda: fake.resumed)
            await fake.say("one", room=DIRECT)
            await fake.until(fake.said)
        assert len(fake.identified) == 1

    run(tmp_path, story)


def test_a_heart_that_is_not_heard_ends_the_connection_which_is_resumed(tmp_path):
    async def story(fake, gateway):
        fake.acks = False
        async with gateway.running():
            await fake.until(lambda: fake.resumed)
        assert fake.beats

    run(tmp_path, story, interval=20)


def test_an_interaction_is_acknowledged_and_answered_by_its_token(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            told = {
                "id": "860000000000000001", "application_id": APPLICATION, "type": 2, "token": "aToken", "version": 1,
                "channel_id": DIRECT, "channel": {"id": DIRECT, "type": 1}, "context": 1, "user": ANNA,
                "data": {"id": "1", "name": "bed", "type": 1, "options": [{"name": "add", "type": 3, "value": "roses"}]},
            }  # fmt: skip
            await fake.dispatch("INTERACTION_CREATE", told)
            await fake.until(fake.said)
        assert fake.said() == ["heard: /bed roses"]
        paths = [path for _, path, _ in fake.calls if path.startswith(("interactions", "webhooks"))]
        assert paths == ["interactions/860000000000000001/aToken/callback", f"webhooks/{APPLICATION}/aToken"]

    run(tmp_path, story)


def test_an_answer_grows_in_one_message_and_links_say_where_they_lead(tmp_path, monkeypatch):
    monkeypatch.setattr("remit.gateway.inbound.turn_context.PROGRESS_PAUSE", 0.01)

    async def story(fake, gateway):
        async def slowly(prompt, talk, tools, show):
            await show("one")
            await fake.until(lambda: fake.said() == ["one …"])
            return ConversationMessage(By.AGENT, "@everyone [the bank](https://evil.example.org/x)")

        gateway.script.think = slowly
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            await fake.say("count", room=DIRECT)
            await fake.until(lambda: fake.said() == ["@everyone the bank (https://evil.example.org/x)"])
        edits = [told for method, _, told in fake.calls if method == "PATCH"]
        assert edits[-1]["allowed_mentions"] == {"parse": []}

    run(tmp_path, story)


def test_a_file_comes_into_quarantine_from_discord_alone(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            file = fake.file(b"GIF89a", "..\\..\\x.gif", content_type="image/gif")
            await fake.say("", room=DIRECT, attachments=[file, {**file, "url": "http://127.0.0.1:9/x"}])
            await fake.until(fake.said)
        return gateway.heard()[0].splitlines()

    kept, other = run(tmp_path, story)
    assert kept.startswith('[file "x.gif", 6 bytes, looks like image/gif')
    assert other == '[file "x.gif" was not taken: it is outside of Discord]'


@pytest.mark.parametrize(
    ("change", "fields", "message", "remedy"),
    [
        (lambda _: None, {"token": "others"}, "Discord does not know the token", "developer portal"),
        (
            lambda fake: setattr(fake, "allowed", CONTENT - 1),
            {},
            "the bot may not read messages",
            "MESSAGE CONTENT INTENT",
        ),
        (
            lambda _: None,
            {"account": "1"},
            f"the token is that of the application `{APPLICATION}`, and `account` says `1`",
            "account",
        ),
    ],
    ids=["token", "intent", "account"],
)
def test_what_a_person_must_change_is_told(tmp_path, change, fields, message, remedy):
    error = refused(tmp_path, change, **fields)
    assert (error.message, remedy in error.remedy, error.pause > 60) == (message, True, True)


def test_a_platform_that_wants_to_be_left_alone(tmp_path):
    assert refused(tmp_path, lambda fake: fake.answers.update(gateway=[too_many(7.5)])).pause == 8


def test_a_room_that_may_be_a_thread_is_not_heard_before_that_is_known(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            fake.answers["channels"] = [too_many(0)]
            await fake.say(f"<@{BOT}> in a thread", ANNA, THREAD, mentions=US)
            await fake.until(fake.said)
        assert fake.resumed
        assert [one["channel_id"] for one in fake.messages.values() if one["author"]["id"] == BOT] == [THREAD]

    run(tmp_path, story, gate=OPEN._replace(rooms=frozenset({ROOM})))


@pytest.mark.parametrize("text", ["", "{", "[]", "[1]", '["s", "u", 1, "a", "b", [["r"]]]', '["s", 1]', "null"])
def test_a_place_of_another_form_is_no_place(text):
    assert discord.read_position(text) == discord.Position()


def test_a_place_is_read_as_it_was_kept():
    place = discord.Position("s", "wss://x", 7, "a", "b", True, (("1", "2"),))
    assert discord.read_position(place.text()) == place
