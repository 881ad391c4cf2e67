"""What goes out goes out at most once: only what was surely not sent counts as failed, and what nobody knows is never called so."""

import asyncio
import gzip
import logging
import socket
import time

import pytest
from channelworld import DISCORD, SECRET, SLACK, TELEGRAM, WEBHOOK
from platformserver import Server, answer, closed_port, sent, sent_to

from each_row import each_row
from remit.core.errors import UsageError
from remit.gateway.inbound.channels import platform_requests
from remit.gateway.inbound.channels.interface import Incoming, Sending, SendResult
from remit.gateway.inbound.channels.parsing import Refusal
from remit.gateway.inbound.channels.texts import LONGEST
from remit.gateway.inbound.delivery import Piece, Route
from remit.gateway.inbound.settings.values import Platform

TO = {
    "slack": ("C0GARDEN", "1765000003.000100"),
    "telegram": ("-1001234500002", "31"),
    "discord": ("850000000000000001", "850000000000000011"),
    "webhook": ("garden", "roses"),
}
FINE = {"slack": {"ok": True}, "telegram": {"ok": True, "result": {}}, "discord": {}, "webhook": {}}
WORLDS = (SLACK, TELEGRAM, DISCORD, WEBHOOK)
every = pytest.mark.parametrize("world", WORLDS, ids=lambda one: one.name)


def piece_for(world, text="roses: <@everyone> & <!channel> [x](y) *b*", **route):
    to, thread = TO[world.name]
    return Piece("s", Route(**{"channel": world.name, "account": "a", "to": to, "thread": thread} | route), text, "t1")


def shown(asked):
    kept = ("authorization", "content-type", "connection", "accept-encoding", "x-remit-signature")
    headers = {name: value for name, value in asked.headers.items() if name in kept}
    if "x-remit-signature" in headers:
        headers["x-remit-signature"] = headers["x-remit-signature"][:3]
    return {"path": asked.path, "headers": headers, "body": asked.json()}


class TestForms:
    @every
    def test_a_piece_in_the_form_of_the_platform(self, world, snapshot):
        server = Server(answer(200, FINE[world.name]))
        assert sent(world, piece_for(world), server) == Sending(SendResult.SENT)
        plain = Server(answer(200, FINE[world.name]))
        assert sent(world, piece_for(world, thread=""), plain) == Sending(SendResult.SENT)
        assert [shown(one) for one in (*server.asked, *plain.asked)] == snapshot

    def test_the_answer_to_an_interaction(self, snapshot):
        server = Server(answer(200, {}))
        (event,) = DISCORD.channel().receive(DISCORD.signed(DISCORD.fixture["command in a thread"])).events
        assert sent(DISCORD, piece_for(DISCORD, to=event.back), server, token="") == Sending(SendResult.SENT)
        assert [shown(one) for one in server.asked] == snapshot

    def test_what_a_webhook_is_sent_is_signed_and_is_nothing_that_we_hear(self):
        server, before = Server(answer(204)), int(time.time())
        assert sent(WEBHOOK, piece_for(WEBHOOK), server) == Sending(SendResult.SENT)
        (asked,) = server.asked
        stamp = asked.headers["x-remit-timestamp"]
        assert before <= int(stamp) <= time.time()
        expected = WEBHOOK.signed(asked.body, when=stamp, base="out")
        assert dict(expected.headers)["x-remit-signature"] == asked.headers["x-remit-signature"]
        back = Incoming(tuple(asked.headers.items()), asked.body, int(stamp))
        assert WEBHOOK.channel().receive(back).refused == Refusal.SIGNATURE

    def test_a_webhook_with_a_token_is_signed_with_it(self):
        server = Server(answer(204))
        sent(WEBHOOK, piece_for(WEBHOOK), server, token="another")
        (asked,) = server.asked
        of = {
            name: dict(
                WEBHOOK.signed(asked.body, when=asked.headers["x-remit-timestamp"], base="out", secret=name).headers
            )
            for name in (SECRET, "another")
        }
        assert (
            asked.headers["x-remit-signature"] == of["another"]["x-remit-signature"] != of[SECRET]["x-remit-signature"]
        )


class TestAnswers:
    @every
    def test_too_often(self, world):
        server = Server(answer(429, {"ok": False}, retry_after="17"))
        assert sent(world, piece_for(world), server) == Sending(SendResult.FAILED, 17)
        assert len(server.asked) == 1

    @each_row(
        ("value", "header", "pause"),
        [
            ({"ok": False, "error_code": 429, "parameters": {"retry_after": 35}}, None, 35),
            ({"message": "slow", "retry_after": 1.336, "global": False}, None, 2),
            ({"retry_after": 3}, "9", 9),
            ({"retry_after": -5}, "-1", 0),
            ({"retry_after": "nan"}, "inf", 0),
            ({"retry_after": 10**400}, None, 0),
            ({"retry_after": 10**9}, None, platform_requests.MOST_PAUSE),
            ({"retry_after": [1], "parameters": []}, "Wed, 21 Oct 2026 07:28:00 GMT", 0),
            (b"not json", None, 0),
        ],
    )
    def test_how_long_the_platform_wants_to_be_left_alone(self, value, header, pause):
        headers = {"retry_after": header} if header else {}
        assert sent(TELEGRAM, piece_for(TELEGRAM), Server(answer(429, value, **headers))) == Sending(
            SendResult.FAILED, pause
        )

    @every
    @pytest.mark.parametrize("status", [400, 401, 403, 404, 410, 422])
    def test_a_refusal_is_one(self, world, status):
        server = Server(answer(status, FINE[world.name]))  # whatever stands in it
        assert sent(world, piece_for(world), server) == Sending(SendResult.FAILED)
        assert len(server.asked) == 1

    @every
    @pytest.mark.parametrize("status", [500, 502, 503, 504, 301, 302, 303, 307, 308])
    def test_what_is_no_refusal_leaves_it_open_and_is_not_followed(self, world, status):
        server = Server(answer(status, {"ok": False}, location="/elsewhere"))
        assert sent(world, piece_for(world), server) == Sending(SendResult.UNKNOWN)
        assert len(server.asked) == server.connections == 1

    @each_row("error", ["channel_not_found", "invalid_auth", "is_archived", None, 7])
    def test_slack_refuses_with_200(self, error):
        assert sent(SLACK, piece_for(SLACK), Server(answer(200, {"ok": False, "error": error}))) == Sending(
            SendResult.FAILED
        )

    def test_slack_may_have_sent_it_before_it_failed(self):
        for error in ("fatal_error", "internal_error"):
            server = Server(answer(200, {"ok": False, "error": error}))
            assert sent(SLACK, piece_for(SLACK), server) == Sending(SendResult.UNKNOWN)

    def test_slack_is_left_alone_when_it_says_so_with_200(self):
        server = Server(answer(200, {"ok": False, "error": "ratelimited"}, retry_after="4"))
        assert sent(SLACK, piece_for(SLACK), server) == Sending(SendResult.FAILED, 4)

    @each_row("world", [SLACK, TELEGRAM], ids=lambda one: one.name)
    @each_row(
        "body",
        [
            b"",
            b"ok",
            b"[true]",
            b'{"ok": "true"}',
            b'{"ok": 1}',
            b'{"ok":true,"pad":"' + b"x" * 70_000 + b'"}',
            b"[" * 60_000,
        ],
        ids=range(7),
    )
    def test_an_answer_that_says_nothing_leaves_it_open(self, world, body):
        assert sent(world, piece_for(world), Server(answer(200, body))) == Sending(SendResult.UNKNOWN)

    @pytest.mark.parametrize("blanks", [0, 50_000_000])
    def test_an_answer_is_not_unpacked(self, blanks):
        """Unpacked, the short one would say that all is well."""
        server = Server(answer(200, gzip.compress(b'{"ok":true}' + b" " * blanks), content_encoding="gzip"))
        assert sent(SLACK, piece_for(SLACK), server) == Sending(SendResult.UNKNOWN)


class TestBreaking:
    """Before the connection stands nothing went out; from then on nobody knows."""

    @every
    def test_nobody_listens(self, world):
        assert sent_to(world, piece_for(world), f"http://127.0.0.1:{closed_port()}") == Sending(SendResult.FAILED)

    def test_a_name_that_nobody_has(self):
        assert sent_to(SLACK, piece_for(SLACK), "https://nobody.invalid") == Sending(SendResult.FAILED)

    def test_no_certificate(self):
        """Something speaks there, and it is not known to be the platform: it is told nothing."""
        server = Server(answer(200, FINE["slack"]), reads=False)

        async def go():
            running = await asyncio.start_server(server, "127.0.0.1", 0)
            port = running.sockets[0].getsockname()[1]
            async with platform_requests.new_client() as client:
                found = await SLACK.channel(client, api=f"https://127.0.0.1:{port}").send(piece_for(SLACK))
            running.close()
            return found

        assert asyncio.run(go()) == Sending(SendResult.FAILED)

    def test_nobody_answers_the_call(self, monkeypatch):
        monkeypatch.setattr(platform_requests, "CONNECT", 0.5)
        with socket.socket() as full:
            full.bind(("127.0.0.1", 0))
            full.listen(0)
            waiting = []
            for _ in range(3):  # who waits at the door fills it
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex(full.getsockname())
                waiting.append(one)
            assert sent_to(SLACK, piece_for(SLACK), f"http://127.0.0.1:{full.getsockname()[1]}") == Sending(
                SendResult.FAILED
            )
            for one in waiting:
                one.close()

    @every
    def test_hung_up_before_it_was_read(self, world):
        async def hang_up(writer):
            writer.transport.abort()

        assert sent(world, piece_for(world), Server(hang_up, reads=False)) == Sending(SendResult.UNKNOWN)

    @every
    @pytest.mark.parametrize("said", [b"", b"HTTP/1.1 200 OK\r\n", b"nonsense\r\n\r\n"])
    def test_hung_up_after_it_was_read(self, world, said):
        async def hang_up(writer):
            writer.write(said)
            await writer.drain()
            writer.transport.abort()

        server = Server(hang_up)
        assert sent(world, piece_for(world), server) == Sending(SendResult.UNKNOWN)
        assert len(server.asked) == server.connections == 1

    @every
    def test_no_answer_in_time(self, world, monkeypatch):
        monkeypatch.setattr(platform_requests, "HEAD", 0.3)

        async def wait(writer):
            await asyncio.sleep(2)

        server = Server(wait)
        assert sent(world, piece_for(world), server) == Sending(SendResult.UNKNOWN)
        assert len(server.asked) == server.connections == 1

    def test_an_answer_that_drips(self, monkeypatch):
        """Each byte comes in time, and the answer has no end."""
        monkeypatch.setattr(platform_requests, "HEAD", 0.4)
        monkeypatch.setattr(platform_requests, "CONNECT", 0.4)

        async def drip(writer):
            writer.write(b"HTTP/1.1 200 OK\r\n")
            while True:
                writer.write(b"x: y\r\n")
                await writer.drain()
                await asyncio.sleep(0.05)

        assert sent(SLACK, piece_for(SLACK), Server(drip)) == Sending(SendResult.UNKNOWN)

    @pytest.mark.parametrize(("status", "found"), [(200, SendResult.UNKNOWN), (403, SendResult.FAILED)])
    def test_a_body_that_drips_does_not_take_back_the_status(self, monkeypatch, status, found):
        monkeypatch.setattr(platform_requests, "BODY", 0.3)

        async def drip(writer):
            writer.write(f"HTTP/1.1 {status} X\r\ncontent-length: 1000\r\n\r\n".encode())
            while True:
                writer.write(b" ")
                await writer.drain()
                await asyncio.sleep(0.05)

        assert sent(SLACK, piece_for(SLACK), Server(drip)) == Sending(found)

    def test_all_of_it_takes_less_than_a_piece_is_taken_for(self):
        from remit.gateway.inbound.delivery import LEASE

        waiting = LEASE / 4  # for another that goes to the same room
        assert waiting + platform_requests.CONNECT + platform_requests.HEAD + platform_requests.BODY < LEASE


class TestNotSent:
    """Nothing is asked of anybody."""

    @each_row(
        ("world", "route"),
        [
            *((world, {"channel": "another"}) for world in WORLDS),
            (TELEGRAM, {"to": "@garden"}),
            (TELEGRAM, {"to": "1\n"}),
            (TELEGRAM, {"thread": "-1"}),
            (DISCORD, {"to": "../users/@me", "thread": ""}),
            (DISCORD, {"thread": "1/../2"}),
            (DISCORD, {"to": "interaction:1:a/../../x", "thread": ""}),
            (DISCORD, {"to": "interaction:1:", "thread": ""}),
        ],
    )
    def test_a_place_of_another_form(self, world, route):
        server = Server(answer(200, FINE[world.name]))
        assert sent(world, piece_for(world, **route), server) == Sending(SendResult.FAILED)
        assert server.connections == 0

    @every
    def test_a_text_that_the_platform_does_not_take(self, world):
        server = Server(answer(200, FINE[world.name]))
        longest = LONGEST[Platform(world.name)]
        for text in ("x" * (longest + 1), "\U0001f339" * (longest // 2 + 1)):
            assert sent(world, piece_for(world, text), server) == Sending(SendResult.FAILED)
        assert server.connections == 0
        assert sent(world, piece_for(world, "x" * longest), server) == Sending(SendResult.SENT)

    @pytest.mark.parametrize("world", [TELEGRAM, DISCORD], ids=lambda one: one.name)
    def test_nothing_to_say(self, world):
        server = Server(answer(200, FINE[world.name]))
        assert sent(world, piece_for(world, ""), server) == Sending(SendResult.FAILED)
        assert server.connections == 0

    @each_row("world", [SLACK, TELEGRAM, DISCORD], ids=lambda one: one.name)
    def test_without_a_token(self, world):
        server = Server(answer(200, FINE[world.name]))
        assert sent(world, piece_for(world), server, token="") == Sending(SendResult.FAILED)
        assert server.connections == 0

    def test_without_an_address(self):
        assert sent_to(WEBHOOK, piece_for(WEBHOOK), "") == Sending(SendResult.FAILED)


class TestSettings:
    @every
    @pytest.mark.parametrize(
        "api",
        [
            "http://example.org",
            "ftp://127.0.0.1",
            "https://",
            "https://u:p@example.org",
            "https://example.org?a=b",
            "https://example.org#a",
            "x",
            "http://127.0.0.1.example.org",
        ],
    )
    def test_addresses_that_can_not_be_trusted(self, world, api):
        with pytest.raises(UsageError):
            world.channel(api=api)

    @each_row("world", [SLACK, TELEGRAM, DISCORD], ids=lambda one: one.name)
    @each_row("token", ["5:a b", "5:a\r\nx: y", "5:é"])
    def test_tokens_that_would_be_more_than_a_header(self, world, token):
        with pytest.raises(UsageError):
            world.channel(token=token)

    @each_row("token", ["a", "5:", "a:5", "5:a/../x", "5:a?x"])
    def test_tokens_of_telegram(self, token):
        with pytest.raises(UsageError):
            TELEGRAM.channel(token=token)

    def test_no_token_is_written_to_a_log(self, caplog):
        caplog.set_level(logging.DEBUG)
        assert sent(TELEGRAM, piece_for(TELEGRAM), Server(answer(200, FINE["telegram"]))) == Sending(SendResult.SENT)
        assert "AAours" not in caplog.text

    def test_nothing_of_the_environment_counts(self, monkeypatch):
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
        assert sent(SLACK, piece_for(SLACK), Server(answer(200, FINE["slack"]))) == Sending(SendResult.SENT)

    def test_without_an_address_the_platform_s_own_is_meant(self):
        assert platform_requests.address("", "https://api.test/v1/") == "https://api.test/v1"
        assert platform_requests.address("https://own.test/", "https://api.test") == "https://own.test"
