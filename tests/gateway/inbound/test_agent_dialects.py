"""What endpoints of models are sent and what is taken from their answers, in both dialects; how much of a conversation is kept."""

import asyncio
import json

import pytest

from each_row import each_row
from remit.core.errors import AuthorityError, DataError, InputError, UsageError
from remit.gateway.inbound.agent import model_client, turn
from remit.gateway.inbound.agent.model_client import DIALECTS, Thinker
from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage, Result, Talk, read_tools, tools
from remit.gateway.inbound.settings.values import ModelSettings

TALK = Talk(
    (
        ConversationMessage(By.PERSON, "what is there?"),
        ConversationMessage(
            By.AGENT, "I look", (AgentCall("c1", "read", '{"path": "a"}'), AgentCall("c2", "memory_search", ""))
        ),
        ConversationMessage(By.TOOLS, "", (), (Result("c1", "a text"), Result("c2", "[]"))),
        ConversationMessage(By.AGENT, "", (AgentCall("c3", "read", "{}"),)),
        ConversationMessage(By.TOOLS, "", (), (Result("c3", "failed"),)),
        ConversationMessage(By.AGENT, "nothing"),
    )
)
READ = [tools()["read"]]


@pytest.mark.parametrize("name", sorted(DIALECTS))
@pytest.mark.parametrize(("prompt", "shown"), [("be brief", READ), ("", [])], ids=["all", "bare"])
def test_what_is_sent(name, prompt, shown, snapshot):
    assert DIALECTS[name].asked("m", "k", prompt, TALK, shown)._asdict() == snapshot


def anthropic(*blocks):
    return {"content": list(blocks)}


def used(name="c", tool="read", value=None):
    return {"type": "tool_use", "id": name, "name": tool, "input": {} if value is None else value}


def openai(text, *calls):
    return {"choices": [{"message": {"content": text, **({"tool_calls": list(calls)} if calls else {})}}]}


def called(name="c", tool="read", arguments="{}"):
    return {"id": name, "function": {"name": tool, "arguments": arguments}}


def test_what_is_heard():
    text = {"type": "text", "text": "a"}
    assert DIALECTS["anthropic"].heard(anthropic(text, {"type": "thinking"}, text)) == ConversationMessage(
        By.AGENT, "aa"
    )
    expected = ConversationMessage(
        By.AGENT, "", (AgentCall("c", "read", '{"path": "x"}'), AgentCall("d", "read", "{}"))
    )
    assert DIALECTS["anthropic"].heard(anthropic(used(value={"path": "x"}), used("d"))) == expected
    assert DIALECTS["openai"].heard(openai("a")) == ConversationMessage(By.AGENT, "a")
    assert DIALECTS["openai"].heard(openai(None, called(arguments='{"path": "x"}'), called("d"))) == expected
    many = [called(str(number)) for number in range(32)]
    assert len(DIALECTS["openai"].heard(openai("", *many)).calls) == 32


@each_row(
    ("name", "told"),
    [
        ("anthropic", anthropic()),
        ("anthropic", anthropic({"type": "text", "text": ""})),
        ("anthropic", anthropic({"type": "text", "text": 7})),
        ("anthropic", anthropic(used(), used())),
        ("anthropic", anthropic(used(7))),
        ("anthropic", anthropic(used(tool=None))),
        ("anthropic", {}),
        ("anthropic", []),
        ("anthropic", {"content": None}),
        ("openai", openai("")),
        ("openai", openai(7)),
        ("openai", openai("a", called(), called())),
        ("openai", openai("a", called(arguments={}))),
        ("openai", openai("a", *[called(str(number)) for number in range(33)])),
        ("openai", {"choices": []}),
        ("openai", {"choices": [{"message": "a"}]}),
        ("openai", {}),
        ("openai", None),
    ],
)
def test_what_is_not_understood_is_an_error_and_no_answer(name, told):
    with pytest.raises(InputError, match="another form"):
        DIALECTS[name].heard(told)


def test_of_a_long_conversation_the_end_is_kept_from_a_person_on(monkeypatch):
    assert TALK.shortened() == TALK
    assert Talk(TALK.said[1:]).shortened() == Talk()  # a result without its call is no conversation
    two = Talk(TALK.said + TALK.said)
    monkeypatch.setattr(turn, "MOST_SAID", 6)
    assert two.shortened() == TALK
    monkeypatch.setattr(turn, "MOST_SAID", 5)
    assert two.shortened() == Talk()
    monkeypatch.setattr(turn, "MOST_SAID", 60)
    size = sum(one.size for one in TALK.said)
    assert size == len("what is there?I looka text[]failednothing") + len('{"path": "a"}{}')
    monkeypatch.setattr(turn, "MOST_CHARACTERS", size)
    assert two.shortened() == TALK
    monkeypatch.setattr(turn, "MOST_CHARACTERS", size - 1)
    assert two.shortened() == Talk()


@each_row(
    ("tool", "arguments", "inputs"),
    [
        ("read", '{"path": "a"}', {"path": "a"}),
        ("memory_search", "", {}),
        ("message", '{"to": "a", "text": ""}', {"to": "a", "text": ""}),
        ("read", "{}", None),
        ("read", '{"path": 7}', None),
        ("read", '{"path": "a", "path": "b"}', None),
        ("read", '{"path": "a", "more": "b"}', None),
        ("message", '{"to": "a"}', None),
        ("read", "[" * 100_000, None),
        ("read", "path", None),
    ],
)
def test_what_a_model_sends_a_tool(tool, arguments, inputs):
    assert tools()[tool].inputs(arguments) == inputs


def test_what_changes_something_says_so():
    assert {one.name for one in tools().values() if one.changes} == {"memory_put", "write", "exec", "web_fetch", "message", "node_run"}  # fmt: skip


@each_row(
    "line", ["a | act | yes | x | y", "a | else X | yes | x | y", "a | act X | maybe | x | y", "a | act X | no | x | y\na | act X | no | x | y"]
)  # fmt: skip
def test_a_table_of_tools_that_can_not_be_read(line, tmp_path):
    (tmp_path / "calls.table").write_text(f"[tool]\n{line}\n")
    with pytest.raises(DataError, match=r"calls\.table:\d: not a tool"):
        read_tools(tmp_path / "calls.table")


def thought(answer, seen=None):
    """What a thinker makes of an answer of an endpoint: status line, and body."""

    async def serve(reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        size = int(head.lower().split("content-length: ")[1].split("\r\n")[0])
        body = json.loads(await reader.readexactly(size))
        if seen is not None:
            seen.append((head, body))
        status, text = answer
        writer.write(f"HTTP/1.1 {status} X\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n".encode() + text)
        await writer.drain()
        writer.close()

    async def run():
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        thinker = Thinker(ModelSettings("openai", url, "m", "k"))
        try:
            return await thinker.think("p", TALK, [])
        finally:
            await thinker.close()
            server.close()

    return asyncio.run(run())


def test_an_endpoint_is_asked():
    seen = []
    assert thought((200, json.dumps(openai("yes")).encode()), seen) == ConversationMessage(By.AGENT, "yes")
    ((head, body),) = seen
    assert head.startswith("POST /v1/chat/completions ")
    assert "authorization: bearer k" in head.lower()
    assert body["model"] == "m"


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ((403, json.dumps(openai("yes")).encode()), "HTTP 403"),
        ((201, json.dumps(openai("yes")).encode()), "HTTP 201"),
        ((200, b"no JSON"), "does not answer"),
        ((200, b"[" * 200_000), "does not answer"),
        ((200, json.dumps(openai("yes")).encode().ljust(4001)), "too long"),
    ],
)
def test_an_endpoint_that_does_not_answer_as_it_should(answer, told, monkeypatch):
    monkeypatch.setattr(model_client, "_MOST", 4000 if len(answer[1]) < 5000 else 1_000_000)
    with pytest.raises(AuthorityError, match=told):
        thought(answer)


def test_an_answer_may_be_as_long_as_that(monkeypatch):
    monkeypatch.setattr(model_client, "_MOST", 4000)
    assert thought((200, json.dumps(openai("yes")).encode().ljust(4000))) == ConversationMessage(By.AGENT, "yes")


@each_row("settings", [ModelSettings(), ModelSettings(url="http://x"), ModelSettings(name="m")])
def test_without_a_model_nothing_thinks(settings):
    with pytest.raises(UsageError, match="no model is set"):
        Thinker(settings)
