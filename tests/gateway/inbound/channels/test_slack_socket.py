"""Slack without a public address: an envelope is acknowledged after it was kept, and what comes again is answered once."""

import asyncio
import copy
import sys
from pathlib import Path

import pytest
from channelgateway import OPEN, Gateway, Inbox
from starlette.responses import JSONResponse

from each_row import each_row

sys.path.insert(0, str(Path(__file__).parent / "fakes"))

from serving import served
from slack_api import APP_TOKEN, BOT_TOKEN, FakeSlack, no

from remit.gateway.inbound.agent.turn import By, ConversationMessage
from remit.gateway.inbound.channels.interface import ChannelError
from remit.gateway.inbound.settings.values import Platform

ROOM = "C0GARDEN"


def run(folder, story, **fields):
    async def go():
        fake = FakeSlack()
        async with served(fake.app()) as fake.url:
            known = {"token": BOT_TOKEN, "app_token": APP_TOKEN, "api": f"{fake.url}/api"}
            return await story(fake, Gateway(folder, Platform.SLACK, **known | fields))

    return asyncio.run(go())


def refused(folder, change=lambda _: None, **fields):
    async def story(fake, gateway):
        change(fake)
        async with gateway.running():
            with pytest.raises(ChannelError) as raised:
                await gateway.channel.connection()(Inbox())
        return raised.value

    return run(folder, story, **fields)


def test_what_is_said_is_acknowledged_and_answered_once(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            name = await fake.say("when do the roses want water?")
            await fake.until(fake.said)
            await fake.until(lambda: name in fake.acks)
        assert fake.said() == ["heard: when do the roses want water?"]
        assert [one["channel"] for one in fake.messages.values()] == ["D0ANNA"]
        assert gateway.told == ["channel `slack`: connected"]

    run(tmp_path, story)


def test_what_came_while_nobody_was_there_or_could_not_be_kept_comes_again(tmp_path):
    async def story(fake, gateway):
        name = await fake.say("one")
        async with gateway.running():
            pass
        inbox = Inbox(fails=1)
        from remit.gateway.inbound.channels.platform_requests import new_client

        other = copy.copy(gateway.channel)
        other.client = new_client()
        with pytest.raises(RuntimeError):
            await other.connection()(inbox)
        assert fake.acks == []
        async with gateway.running():
            await fake.until(fake.said)
            fake.pending = {}
            await fake.until(lambda: name in fake.acks)
        payload = (await fake.envelope("events_api", {}), fake.pending)[1]
        fake.pending = {}
        assert payload is not None
        assert fake.said() == ["heard: one"]

    run(tmp_path, story)


def test_an_event_that_comes_in_two_envelopes_is_answered_once(tmp_path):
    async def story(fake, gateway):
        first = await fake.say("one")
        payload = fake.pending[first]["payload"]
        async with gateway.running():
            await fake.until(fake.said)
            again = await fake.envelope("events_api", payload | {"event_id": "Ev99999999"})
            await fake.until(lambda: again in fake.acks)
            await fake.say("two")
            await fake.until(lambda: len(fake.said()) == 2)
        assert fake.said() == ["heard: one", "heard: two"]

    run(tmp_path, story)


def test_slack_asks_for_a_new_connection_and_nothing_is_told_as_broken(tmp_path, monkeypatch):
    monkeypatch.setattr("remit.gateway.inbound.channels.connections.FIRST_PAUSE", 0.01)

    async def story(fake, gateway):
        async with gateway.running():
            await fake.until(lambda: fake.connections == 1)
            await fake.disconnect()
            await fake.until(lambda: fake.connections == 2)
            await fake.say("one")
            await fake.until(fake.said)
        assert gateway.told == ["channel `slack`: connected"] * 2

    run(tmp_path, story)


def test_an_answer_grows_in_one_message(tmp_path, monkeypatch):
    monkeypatch.setattr("remit.gateway.inbound.turn_context.PROGRESS_PAUSE", 0.01)

    async def story(fake, gateway):
        async def slowly(prompt, talk, tools, show):
            await show("<!channel> one")
            await fake.until(lambda: fake.said() == ["&lt;!channel&gt; one …"])
            return ConversationMessage(By.AGENT, "one, two")

        gateway.script.think = slowly
        async with gateway.running():
            await fake.say("count")
            await fake.until(lambda: fake.said() == ["one, two"])

    run(tmp_path, story)


def test_a_thread_of_a_room_has_its_own_session_and_is_answered_there(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await fake.say("<@U0GARDEN> one", channel=ROOM)
            await fake.until(lambda: len(fake.said()) == 1)
            await fake.say("<@U0GARDEN> two", user="U0BOB", channel=ROOM, thread_ts="1764000000.000100")
            await fake.until(lambda: len(fake.said()) == 2)
        assert [one["thread_ts"] for one in fake.messages.values()] == [None, "1764000000.000100"]
        assert gateway.heard() == ["[from (U0ANNA)]\none", "[from (U0BOB)]\ntwo"]
        assert [len(texts) for _, texts, _ in gateway.script.seen] == [1, 1]

    run(tmp_path, story)


def test_a_file_comes_into_quarantine_with_the_token_and_from_slack_alone(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            file = fake.file(b"%PDF-1.7", "a/../plan.pdf", mimetype="text/plain")
            elsewhere = {**file, "url_private_download": "http://127.0.0.1:9/files/F0"}
            await fake.say("look", subtype="file_share", files=[file, elsewhere])
            await fake.until(fake.said)
        return gateway.heard()[0].splitlines()

    said, kept, other = run(tmp_path, story)
    assert said == "look"
    assert kept.startswith('[file "plan.pdf", 8 bytes, looks like application/pdf')
    assert other == '[file "plan.pdf" was not taken: it is outside of Slack]'


@each_row(
    ("fields", "message", "remedy"),
    [
        ({"app_token": "xapp-others"}, "Slack answers `invalid_auth` to `apps.connections.open`", "connections:write"),
        (
            {"app_token": BOT_TOKEN},
            "Slack answers `not_allowed_token_type` to `apps.connections.open`",
            "app-level token",
        ),
        ({"token": "xoxb-others"}, "Slack answers `invalid_auth` to `auth.test`", "token"),
        (
            {"account": "T0OTHER"},
            "the token is for the workspace `T0HOUSE`, and `account` says `T0OTHER`",
            "set `account`",
        ),
    ],
)
def test_a_token_that_is_wrong_is_told_with_what_to_do(tmp_path, fields, message, remedy):
    error = refused(tmp_path, **fields)
    assert (error.message, remedy in error.remedy, error.pause > 60) == (message, True, True)


def test_a_right_that_is_missing_is_named(tmp_path):
    error = refused(
        tmp_path, lambda fake: fake.answers.update({"auth.test": [no("missing_scope", needed="chat:write")]})
    )
    assert "`chat:write`" in error.remedy


@pytest.mark.parametrize(
    ("answer", "message", "pause"),
    [
        (JSONResponse({"ok": True}, 500), "Slack answers 500 to `auth.test`", 0),
        (no("ratelimited"), "Slack asks for a pause", 0),
        (JSONResponse({}, 429, {"retry-after": "7"}), "Slack asks for a pause", 7),
        (no("missing_scope", needed=1), "Slack answers `missing_scope` to `auth.test`", 300),
    ],
)
def test_an_answer_that_is_none_is_told(tmp_path, answer, message, pause):
    error = refused(tmp_path, lambda fake: fake.answers.update({"auth.test": [answer]}))
    assert (error.message, error.pause) == (message, pause)


def test_socket_mode_that_is_turned_off(tmp_path):
    async def story(fake, gateway):
        async with gateway.running():
            await gateway.until(lambda: gateway.told)
            await fake.disconnect("link_disabled")
            await gateway.until(lambda: len(gateway.told) == 2)
        assert (
            gateway.told[1]
            == "channel `slack`: Socket Mode is turned off: turn Socket Mode on in the settings of the application"
        )

    run(tmp_path, story)


def test_an_address_that_is_not_encrypted_is_not_connected_to(tmp_path):
    from remit.gateway.inbound.channels.slack import _socket

    with pytest.raises(ChannelError):
        _socket("ws://127.0.0.1/link", "https://slack.com/api")
    assert _socket("wss://wss.slack.com/link/?ticket=1", "https://slack.com/api")


def test_what_is_no_event_is_acknowledged_and_not_heard(tmp_path):
    async def story(fake, gateway):
        names = [
            await fake.envelope("slash_commands", {"command": "/x"}),
            await fake.envelope("events_api", {"type": []}),
        ]
        async with gateway.running():
            await fake.until(lambda: set(names) <= set(fake.acks))
        assert sum(gateway.inbound.refusals.counts.values()) == 2

    run(tmp_path, story, gate=OPEN)
