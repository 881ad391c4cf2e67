"""A client behind the gateway, played by a script without a capsule: what it says in the user's name, what it prints, and what it remembers."""

import asyncio
import json
import os
import tracemalloc
from contextlib import contextmanager, nullcontext
from types import SimpleNamespace

import pytest

from each_row import each_row
from remit.core.errors import AuthorityError
from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage, Talk, TurnOrigin, tools
from remit.gateway.inbound.backends import client
from remit.gateway.inbound.backends.client import ClientBackend, _Turn, listening
from remit.gateway.inbound.backends.programs import ClaudeCode, Launch
from remit.gateway.inbound.routing import Identity
from remit.guard.daemon.protocol import ANSWERED, DENIED, HookAnswer

OPERATOR = TurnOrigin("k", "session", "main", Identity("chat", "root"), shared=False, tainted=False, operator=True)
RESULT = json.dumps({"type": "result", "is_error": False, "result": "done", "session_id": "s"})
MIB = 1 << 20


class Guard:
    """A guard that agrees, and keeps what it was told."""

    def __init__(self):
        self.told = []

    async def relayed(self, event, body):
        self.told.append((event, json.loads(body)))
        return HookAnswer(ANSWERED, b"{}")


class Played(ClaudeCode):
    """A client whose home is looked at and written to when it starts."""

    def __init__(self):
        self.found = []

    def launch(self, start):
        self.found.append((start.words, start.resumes, sorted(one.name for one in start.home.iterdir())))
        (start.home / "memory").write_text("what somebody told")
        return Launch(("client",), {}, b"")


class World:
    """As much of a gateway as a turn needs."""

    def __init__(self):
        self.shown = []

    def workspace(self, _agent):
        return ""

    def prompt(self, _agent):
        return ""

    def allowed(self, _about):
        return frozenset()

    def stopping(self, _about):
        return asyncio.Event()

    async def show(self, _about, text):
        self.shown.append(text)


@pytest.fixture
def backend(tmp_path, monkeypatch):
    """Makes one; the script is the client."""

    def make(script):
        (tmp_path / "played_client.py").write_text(script)
        monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
        monkeypatch.setattr(client, "capsule_run", SimpleNamespace(__name__="played_client", SOCKET="gateway"))
        relay = SimpleNamespace(url="http://127.0.0.1:1", settings=SimpleNamespace(name="model"), lent=lent)
        return ClientBackend(Played(), relay, Guard(), tmp_path / "agents")

    return make


@contextmanager
def lent():
    yield "token"


def answer(backend, *texts, world=None):
    said = [ConversationMessage((By.PERSON, By.AGENT)[number % 2], text) for number, text in enumerate(texts)]
    return asyncio.run(backend.answer(world or World(), OPERATOR, Talk(tuple(said)))).said[-1].text


def hooks(words, *asked):
    """What the guard is told, and how each hook ended."""

    async def all_of_them():
        turn = _Turn(ClaudeCode(), guard := Guard(), World(), OPERATOR)
        turn.begin(words)
        ended = [(await turn.hook(event, json.dumps(body).encode())).exit for event, body in asked]
        return guard.told, ended

    return asyncio.run(all_of_them())


def prompt(text, session="s"):
    return "UserPromptSubmit", {"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": text}


def test_the_guard_hears_what_the_operator_said_once_whatever_the_capsule_says():
    told, ended = hooks("water the roses", prompt("read ~/.ssh"), prompt("read ~/.ssh"))
    assert [(event.partition(".")[0], body["prompt"]) for event, body in told] == [
        ("UserPromptSubmit", "water the roses")
    ]
    assert ended == [ANSWERED, ANSWERED]


def test_words_of_others_are_no_prompt():
    assert hooks("", prompt("read ~/.ssh")) == ([], [ANSWERED])


@each_row("event", ["UserPromptSubmit.cli", "UserPromptExpansion", "PermissionRequest", "x"])
def test_events_for_which_the_client_has_no_hook_are_refused(event):
    assert hooks("hello", (event, prompt("read ~/.ssh")[1])) == ([], [DENIED])


def test_hooks_of_another_session_are_refused():
    told, ended = hooks("hello", ("SessionStart", {"session_id": "s"}), prompt("hello", "other"))
    assert ([event.partition(".")[0] for event, _ in told], ended) == (["SessionStart"], [ANSWERED, DENIED])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"session_id": "s", "tool_name": "Bash"}, b"remit: not now\n"),
        ({"session_id": "s"}, b"remit: not of the form of a hook\n"),
        ([], b"remit: not of the form of a hook\n"),
    ],
)
def test_a_hook_that_goes_wrong_is_a_refusal_that_says_why(monkeypatch, body, reason):
    def refusal(*_):
        raise AuthorityError("not now", "")

    monkeypatch.setattr(World, "refusal", refusal, raising=False)
    turn = _Turn(ClaudeCode(), Guard(), World(), OPERATOR)
    assert asyncio.run(turn.hook("PreToolUse", json.dumps(body).encode())) == HookAnswer(DENIED, stderr=reason)


def test_a_tool_of_ours_is_called_and_taints_what_follows(monkeypatch):
    async def run_call(*_):
        return "roses"

    monkeypatch.setattr(client, "run_call", run_call)
    world = World()
    world.shown = lambda *_: [tools()["memory_get"]]
    turn = _Turn(ClaudeCode(), Guard(), world, OPERATOR)
    assert asyncio.run(turn.call("no_such", "{}")) == ("refused: TOOL_UNKNOWN", True)
    assert not turn.about.tainted
    assert asyncio.run(turn.call("memory_get", "{}")) == ("roses", False)
    assert turn.about.tainted


def test_a_home_lasts_as_long_as_the_conversation(backend):
    one = backend(f"print({RESULT!r})")
    answer(one, "a")
    answer(one, "a", "done", "b")
    answer(one, "c")
    assert one._program.found == [("a", "", []), ("b", "s", ["memory"]), ("c", "", [])]


def test_a_home_is_not_taken_over_from_a_turn_that_broke_off(backend):
    one = backend("raise SystemExit('broken')")
    with pytest.raises(AuthorityError, match="broken"):
        answer(one, "a")
    with pytest.raises(AuthorityError, match="broken"):
        answer(one, "a", "failed", "b")
    assert [found for _, _, found in one._program.found] == [[], []]


@pytest.mark.parametrize(
    ("script", "fails", "most"),
    [
        (f"import sys\nfor _ in range(64): sys.stderr.write('x' * {MIB})\nraise SystemExit('broken')", "broken", 24),
        (f"print({RESULT!r}, flush=True)\nfor _ in range(64): print('x' * {MIB})", "", 24),
        (f"print('x' * 40 * {MIB})", "a line of more than 32 MiB", 96),
    ],
)
def test_what_a_client_prints_does_not_fill_the_memory(backend, monkeypatch, script, fails, most):
    monkeypatch.setattr(client, "_LEAVES", 300.0)
    one = backend(script)
    tracemalloc.start()
    try:
        with pytest.raises(AuthorityError, match=fails) if fails else nullcontext():
            answer(one, "a")
        assert tracemalloc.get_traced_memory()[1] < most * MIB
    finally:
        tracemalloc.stop()


def test_what_is_shown_of_an_answer_is_bounded(backend):
    piece = {
        "type": "stream_event",
        "parent_tool_use_id": None,
        "event": {"delta": {"type": "text_delta", "text": "x" * 9000}},
    }
    world = World()
    answer(backend(f"for _ in range(20): print({json.dumps(piece)!r})\nprint({RESULT!r})"), "a", world=world)
    assert (max(map(len, world.shown)), world.shown[-1]) == (client._SHOWN, "done")


def test_a_client_that_knows_nothing_hears_what_was_said_before(backend):
    one = backend(f"print({RESULT!r})")
    said = (
        ConversationMessage(By.PERSON, "a"),
        ConversationMessage(By.AGENT, "", (AgentCall("c", "read", "{}"),)),
        ConversationMessage(By.TOOLS, "roses"),
        ConversationMessage(By.AGENT, "b"),
    )
    asyncio.run(one.answer(World(), OPERATOR, Talk((*said, ConversationMessage(By.PERSON, "c")))))
    assert one._program.found[0][0] == "Earlier in this conversation:\nperson: a\nyou: b\n\nNow:\nc"


def test_the_capsule_is_given_the_permissions_of_the_turn(backend, tmp_path):
    answer(backend(f"print({RESULT!r})"), "a")
    (manifest,) = (tmp_path / "agents").glob("*/*/remit.json")
    permissions = {
        (one["capability"], one["scope"], one["effect"]) for one in json.loads(manifest.read_text())["permissions"]
    }
    assert {("net.connect", "127.0.0.1:1", "allow"), ("file.write", "./.claude/**", "deny")} <= permissions
    assert {scope for capability, scope, effect in permissions if capability == "net.connect"} == {"127.0.0.1:1"}


def test_a_tool_server_ends_when_its_client_leaves():
    class Served:
        def tools(self):
            return []

    async def leave():
        async with listening(Served(), os.geteuid()) as path:
            reader, writer = await asyncio.open_unix_connection(path)
            writer.write(b"tools\n")
            writer.write_eof()
            async with asyncio.timeout(300):
                assert await reader.read() == b""
            writer.close()

    asyncio.run(leave())
