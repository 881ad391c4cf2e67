"""How an endpoint of models is asked: where it lies, what is tried again, streams, and the relay that lends it to clients."""

import asyncio
import json
from contextlib import asynccontextmanager

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.core.errors import AuthorityError, InputError
from remit.gateway.inbound.agent.model_client import LONGEST_PAUSE, PAUSES, Endpoint, Thinker, address
from remit.gateway.inbound.agent.model_proxy import Relay
from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage, Talk
from remit.gateway.inbound.settings.values import ModelSettings

TALK = Talk((ConversationMessage(By.PERSON, "hello"),))


@each_row(
    ("url", "path", "found"),
    [
        ("https://api.example.com", "/messages", "https://api.example.com/v1/messages"),
        ("https://api.example.com/", "/messages", "https://api.example.com/v1/messages"),
        ("https://api.example.com/v1", "/messages", "https://api.example.com/v1/messages"),
        ("https://api.example.com/v1/", "/chat/completions", "https://api.example.com/v1/chat/completions"),
        ("https://api.example.com/v1/messages", "/messages", "https://api.example.com/v1/messages"),
        ("https://api.example.com/v1/chat/completions", "/responses", "https://api.example.com/v1/responses"),
        ("https://api.example.com/api/v1", "/chat/completions", "https://api.example.com/api/v1/chat/completions"),
        ("https://api.example.com/v1beta/openai", "/chat/completions", "https://api.example.com/v1beta/openai/chat/completions"),
        ("https://v1.example.com", "/messages", "https://v1.example.com/v1/messages"),
    ],
)  # fmt: skip
def test_where_a_path_lies(url, path, found):
    assert address(url, path) == found


@given(st.sampled_from(["", "/", "/v1", "/v1/", "/v1/messages"]))
def test_every_spelling_of_a_url_is_one_address(end):
    assert address("http://h:1" + end, "/messages") == "http://h:1/v1/messages"


class Server:
    """Answers requests with what a test wrote down: status, headers and body each; the last one for all that follow."""

    def __init__(self, *answers):
        self.answers, self.heads, self.bodies = list(answers), [], []

    async def serve(self, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = int(head.lower().split("content-length: ")[1].split("\r\n")[0])
        self.heads.append(head)
        self.bodies.append(json.loads(await reader.readexactly(size)))
        status, headers, body = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if status:
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            writer.write(f"HTTP/1.1 {status} X\r\n{lines}Connection: close\r\n\r\n".encode() + body)
            await writer.drain()
        writer.close()

    @asynccontextmanager
    async def at(self):
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        try:
            yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        finally:
            server.close()


JSON, STREAM = {"Content-Type": "application/json"}, {"Content-Type": "text/event-stream"}
YES = (200, JSON, json.dumps({"content": [{"type": "text", "text": "yes"}]}).encode())


def thought(server, speaks="anthropic"):
    """What a thinker says, what was shown before, and the pauses that it made."""
    shown, pauses = [], []

    async def show(text):
        shown.append(text)

    async def sleep(seconds):
        pauses.append(seconds)

    async def run():
        async with server.at() as url:
            endpoint = Endpoint(url, sleep)
            try:
                return await Thinker(ModelSettings(speaks, url, "m", "k"), endpoint).think("p", TALK, [], show)
            finally:
                await endpoint.close()

    return asyncio.run(run()), shown, pauses


@each_row("status", [429, 500, 503, 529, 0])
def test_one_that_is_busy_is_asked_again_later(status):
    said, _, pauses = thought(Server((status, {}, b""), (status, {}, b""), YES))
    assert said.text == "yes"
    assert [PAUSES[0] / 2 <= pauses[0] <= PAUSES[0], PAUSES[1] / 2 <= pauses[1] <= PAUSES[1]] == [True, True]


def test_one_that_says_when_is_asked_then_and_no_later_than_a_minute():
    _, _, pauses = thought(Server((429, {"Retry-After": "7"}, b""), (429, {"Retry-After": "9999"}, b""), YES))
    assert pauses == [7.0, LONGEST_PAUSE]


def test_one_that_stays_busy_is_given_up():
    server = Server((529, {}, b""))
    with pytest.raises(AuthorityError, match="HTTP 529"):
        thought(server)
    assert len(server.heads) == len(PAUSES) + 1


def test_a_refusal_is_not_asked_again():
    server = Server((401, {}, b""), YES)
    with pytest.raises(AuthorityError, match="HTTP 401"):
        thought(server)
    assert len(server.heads) == 1


def events(*told, end=""):
    return (200, STREAM, "".join(f"data: {json.dumps(one)}\r\n\r\n" for one in told).encode() + end.encode())


ANTHROPIC = [
    {"type": "message_start", "message": {}},
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "I "}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "look"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "content_block_start", "index": 1, "content_block": {"type": "tool_use", "id": "c", "name": "read", "input": {}}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": '{"path"'}},
    {"type": "content_block_delta", "index": 1, "delta": {"type": "input_json_delta", "partial_json": ': "x"}'}},
    {"type": "content_block_stop", "index": 1},
    {"type": "message_stop"},
]  # fmt: skip


def chunk(delta, reason=None):
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


OPENAI = [
    chunk({"role": "assistant", "content": "I "}),
    chunk({"content": "look"}),
    chunk({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "read", "arguments": '{"path"'}}]}),
    chunk({"tool_calls": [{"index": 0, "function": {"arguments": ': "x"}'}}]}),
    chunk({}, "tool_calls"),
    {"choices": [], "usage": {}},
]


def test_what_is_shown_is_the_text_alone():
    tool = {
        "type": "content_block_start",
        "index": 0,
        "content_block": {"type": "tool_use", "id": "c", "name": "read", "input": {}},
    }
    text = {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}}
    said = {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "I look"}}
    _, shown, _ = thought(Server(events(ANTHROPIC[0], tool, text, said, {"type": "message_stop"})), "anthropic")
    assert shown == ["I look"]


def test_a_call_whose_arguments_come_not_at_all_has_none():
    told = [chunk({"tool_calls": [{"index": 0, "id": "c", "function": {"name": "read"}}]}), chunk({}, "tool_calls")]
    assert thought(Server(events(*told, end="data: [DONE]\n\n")), "openai")[0].calls == (AgentCall("c", "read", ""),)


@pytest.mark.parametrize(
    ("speaks", "told", "end"), [("anthropic", ANTHROPIC, ""), ("openai", OPENAI, "data: [DONE]\n\n")]
)
def test_a_stream_is_shown_while_it_comes_and_is_the_same_answer(speaks, told, end):
    server = Server(events(*told, end=end))
    said, shown, _ = thought(server, speaks)
    assert said == ConversationMessage(By.AGENT, "I look", (AgentCall("c", "read", '{"path": "x"}'),))
    assert shown == ["I ", "I look"]
    assert server.bodies[0]["stream"] is True


@each_row(
    ("speaks", "told"),
    [
        ("anthropic", ANTHROPIC[:-1]),
        ("anthropic", [{"type": "error", "error": {"type": "overloaded_error"}}]),
        ("anthropic", [{"type": "content_block_delta", "index": 3, "delta": {}}]),
        ("openai", OPENAI[:-2]),
        ("openai", [{"error": {}}]),
        ("openai", [{}]),
    ],
)  # fmt: skip
def test_a_stream_that_breaks_off_is_no_answer(speaks, told):
    with pytest.raises(InputError):
        thought(Server(events(*told)), speaks)


def relayed(server, speaks, ask):
    """What `ask(client, token)` comes to at a relay of the server."""

    async def run():
        async with server.at() as url:
            relay = Relay(ModelSettings(speaks, url + "/v1", "the-model", "the-key"))
            transport = httpx.ASGITransport(relay.app())
            try:
                async with httpx.AsyncClient(transport=transport, base_url="http://relay") as client:
                    with relay.lent() as token:
                        during = await ask(client, token)
                    return during, await ask(client, token)
            finally:
                await relay.close()

    return asyncio.run(run())


def test_a_client_asks_by_the_token_of_its_turn_and_never_sees_the_key():
    server = Server(events(*ANTHROPIC))

    async def ask(client, token):
        headers = {"x-api-key": token, "anthropic-version": "v", "cookie": "c"}
        return await client.post("/v1/messages?beta=true", json={"model": "dear", "stream": True}, headers=headers)

    during, after = relayed(server, "anthropic", ask)
    assert (during.status_code, during.content) == (200, events(*ANTHROPIC)[2])
    assert after.status_code == 401
    (head,) = server.heads
    assert head.startswith("POST /v1/messages?beta=true ")
    assert "x-api-key: the-key" in head.lower()
    assert "cookie" not in head.lower()
    assert server.bodies[0]["model"] == "the-model"


@each_row(
    ("path", "headers", "body", "status"),
    [
        ("/v1/messages", {"authorization": "Bearer wrong"}, b"{}", 401),
        ("/v1/messages", {}, b"{}", 401),
        ("/v1/files", {"x-api-key": "TOKEN"}, b"{}", 404),
        ("/v1/messages", {"x-api-key": "TOKEN"}, b"[]", 400),
        ("/v1/messages", {"x-api-key": "TOKEN"}, b"no", 400),
    ],
)
def test_what_the_relay_does_not_hand_on(path, headers, body, status):
    server = Server(YES)

    async def ask(client, token):
        told = {name: value.replace("TOKEN", token) for name, value in headers.items()}
        return await client.post(path, content=body, headers=told)

    assert relayed(server, "anthropic", ask)[0].status_code == status
    assert server.heads == []
