"""What platforms send, over HTTP as it is: every header comes through, and an event is on the disk before it is acknowledged."""

import asyncio

import httpx
import pytest
from channelworld import NOW, SLACK, TELEGRAM, WORLDS

from remit.audit.log import Log
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.stores.operations import listed
from remit.web.app import make_app
from remit.web.login import Doors


@pytest.fixture
def ask(room):
    """Ask the application at a path, with headers that may stand there twice."""
    (room.folder / "log").mkdir()

    async def asked(path, incoming):
        channels = {world.name: world.channel() for world in WORLDS}
        with Log.open(room.folder / "log") as log:
            inbound = Inbound(room.settings, room.store, channels, None, Devices(), log, clock=lambda: float(NOW))
            app = make_app(inbound, {}, Doors(room.settings.access))
            async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://gateway") as client:
                return await client.post(path, content=incoming.body, headers=list(incoming.headers))

    return lambda path, incoming: asyncio.run(asked(path, incoming))


def kept(room):
    return len(room.store.run(listed("heard")))


def test_a_signed_request_is_kept_and_acknowledged_and_kept_once(ask, room):
    incoming = SLACK.signed(SLACK.fixture["direct"])
    assert [ask("/channels/slack", incoming).status_code for _ in range(2)] == [200, 200]
    assert kept(room) == 1


def test_a_request_that_is_not_signed_leaves_nothing(ask, room):
    incoming = SLACK.signed(SLACK.fixture["direct"])
    for wrong in (
        incoming._replace(headers=incoming.headers[:1]),
        incoming._replace(headers=(*incoming.headers, incoming.headers[-1])),
        incoming._replace(body=incoming.body + b" "),
        SLACK.signed(SLACK.fixture["direct"], secret="another"),
    ):
        assert (ask("/channels/slack", wrong).status_code, kept(room)) == (401, 0)


def test_names_of_headers_in_any_letters(ask, room):
    incoming = SLACK.signed(SLACK.fixture["direct"])
    assert (
        ask(
            "/channels/slack", incoming._replace(headers=tuple((k.title(), v) for k, v in incoming.headers))
        ).status_code
        == 200
    )
    assert kept(room) == 1


def test_what_is_signed_for_one_channel_is_not_heard_by_another(ask, room):
    assert ask("/channels/telegram", SLACK.signed(SLACK.fixture["direct"])).status_code == 401
    assert ask("/channels/nobody", SLACK.signed(SLACK.fixture["direct"])).status_code == 404
    assert kept(room) == 0


def test_challenge_ping_and_button_are_answered(ask):
    found = ask("/channels/slack", SLACK.signed(SLACK.fixture["challenge"]))
    assert found.text == "prove-that-you-are-there-0123456789"
    assert found.headers["content-type"].startswith("text/plain")
    pressed = ask("/channels/telegram", TELEGRAM.signed(TELEGRAM.fixture["button"]))
    assert pressed.json()["method"] == "answerCallbackQuery"


@pytest.mark.parametrize("size", [300_000, 2_000_000])
def test_a_body_without_an_end(ask, room, size):
    assert ask("/channels/telegram", TELEGRAM.signed(b" " * size)).status_code == 413
    assert kept(room) == 0
