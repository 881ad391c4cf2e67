"""Where people and devices sit: what the two ends that connect to a gateway say to it, and what they make of what it says."""

import asyncio
import json

import pytest
import websockets

from each_row import each_row
from remit.core.errors import AuthorityError, UsageError
from remit.gateway.inbound.channels import terminal
from remit.gateway.inbound.channels.terminal import LineResult, Terminal, visitors_secret
from remit.gateway.inbound.nodes.client import LONGEST_PAUSE, Node, device_key


class Gateway:
    """A gateway that lets everybody in, and answers lines as it is told."""

    def __init__(self, replies, *, lets_in=True):
        self.replies, self.lets_in, self.heard = replies, lets_in, []

    async def __call__(self, socket):
        self.heard.append(json.loads(await socket.recv()))
        await socket.send(json.dumps({"in": self.lets_in}))
        self.heard.append(json.loads(await socket.recv()))
        await socket.send(json.dumps({"you": "somebody"}))
        async for text in socket:
            told = json.loads(text)
            self.heard.append(told["say"])
            for reply in self.replies(told["say"], told["id"]):
                if reply is None:
                    return
                await asyncio.sleep(reply.pop("after", 0))
                await socket.send(json.dumps(reply))
            self.heard.append("answered")

    def speak(self, *lines, wait=True):
        """What the terminal gives back, and what it shows."""
        shown = []

        async def said():
            for line in lines:
                yield line

        async def run():
            async with websockets.serve(self, "127.0.0.1", 0) as server:
                port = server.sockets[0].getsockname()[1]
                return await Terminal(f"ws://127.0.0.1:{port}", "login", "secret", shown.append).run(said(), wait=wait)

        return asyncio.run(run()), shown


def fate(name, fate="heard", reason=""):
    return {"heard": name, "fate": fate, "reason": reason}


def answers(line, name):
    yield {"said": "of something before", "about": "chat/other"}
    yield fate(name)
    yield {"said": f"{line}: one", "about": f"chat/{name}", "after": 0.03}
    yield {"said": f"{line}: two", "about": f"chat/{name}", "after": 0.03}


def test_each_line_is_answered_before_the_next_is_said():
    gateway = Gateway(answers)
    heard, shown = gateway.speak("a", " \n", "b")
    assert heard is True
    assert shown == ["of something before", "a: one", "a: two", "of something before", "b: one", "b: two"]
    assert gateway.heard == [{"login": "login"}, {"secret": "secret"}, "a", "answered", "b", "answered"]


@each_row(
    ("told", "heard", "shown"),
    [
        (("heard", ""), True, ["answer"]),
        (("command", ""), True, ["answer"]),
        (("pairing", "asked"), False, ["[not heard: pairing asked]", "answer"]),
        (("pairing", "full"), False, ["[not heard: pairing full]"]),
        (("dropped", "SEEN"), False, ["[not heard: dropped SEEN]"]),
    ],
)
def test_what_becomes_of_a_line(told, heard, shown):
    """What is to come is waited for, and nothing else."""

    def replies(_, name):
        yield fate(name, *told)
        if shown[-1] == "answer":
            yield {"said": "answer", "about": f"chat/{name}", "after": 0.02}

    assert Gateway(replies).speak("a") == (heard, shown)
    assert LineResult(*told).answered is (shown[-1] == "answer")


def test_a_line_that_is_refused_is_not_heard():
    assert Gateway(lambda *_: [{"refused": "too long"}]).speak("a") == (False, ["[not heard: dropped too long]"])


def test_who_does_not_wait_goes_on():
    gateway = Gateway(lambda _, name: [{"else": 1}, fate(name)])
    assert gateway.speak("a", "b", wait=False) == (True, [])
    assert gateway.heard[2:5:2] == ["a", "b"]


def test_an_answer_that_does_not_come(monkeypatch):
    monkeypatch.setattr(terminal, "_ANSWER", 0.05)
    with pytest.raises(AuthorityError, match="ended it"):
        Gateway(lambda _, name: [fate(name)]).speak("a")


@pytest.mark.parametrize("replies", [[None], [{"said": "bye"}, None]])
def test_a_gateway_that_goes_away(replies):
    with pytest.raises(AuthorityError, match="ended it"):
        Gateway(lambda *_: replies).speak("a")


def test_who_is_not_let_in():
    with pytest.raises(AuthorityError, match="does not let"):
        Gateway(answers, lets_in=False).speak("a")


def test_nobody_is_there():
    async def nothing():
        yield "a"

    with pytest.raises(AuthorityError, match="ended it"):
        asyncio.run(Terminal("ws://127.0.0.1:1", "", "", print).run(nothing(), wait=True))


def test_a_terminal_stays_who_it_is(tmp_path):
    secret = visitors_secret(tmp_path / "secret")
    assert (len(bytes.fromhex(secret)), visitors_secret(tmp_path / "secret")) == (32, secret)
    assert visitors_secret(tmp_path / "other") != secret


def test_a_device_answers_until_the_gateway_ends_it(tmp_path):
    heard, shown = [], []

    async def gateway(socket):
        heard.append(json.loads(await socket.recv()))
        await socket.send(json.dumps({"challenge": "c"}))
        heard.append(json.loads(await socket.recv()))
        for told in (
            {"paired": True},
            {"more": 1},
            {"run": "r", "command": "system.which", "arguments": "sh"},
            {"run": "s", "command": "system.run", "arguments": "sh"},
        ):
            await socket.send(json.dumps(told))
        heard.extend([json.loads(await socket.recv()), json.loads(await socket.recv())])

    node = Node(device_key(tmp_path / "key"), "linux", ["system.which"], shown.append)
    connections(node, gateway, 1)
    assert heard[0] == {"login": "login"}
    assert heard[1]["commands"] == ["system.which"]
    assert [(one["done"], one["status"]) for one in heard[2:4]] == [("r", 0), ("s", 126)]
    assert shown[0].startswith("paired: ")
    assert shown[2].startswith("not connected")


class EnoughError(Exception):
    """The test has seen enough."""


def connections(node, gateway, count):
    """How long a device waited after each of so many connections."""
    pauses = []

    async def sleep(seconds):
        pauses.append(seconds)
        if len(pauses) == count:
            raise EnoughError

    async def run():
        async with websockets.serve(gateway, "127.0.0.1", 0) as server:
            await node.serve(f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}", "login", sleep)

    with pytest.raises(EnoughError):
        asyncio.run(run())
    return pauses


def test_a_device_connects_again_later_and_later_and_soon_after_it_stood(tmp_path):
    tries = []

    async def gateway(socket):
        tries.append(await socket.recv())
        if len(tries) == 4:
            await socket.send(json.dumps({"paired": True}))
            await socket.recv()

    async def leaving(socket):
        asyncio.get_running_loop().call_later(0.2, socket.transport.abort)
        await gateway(socket)

    node = Node(device_key(tmp_path / "key"), "linux", ["system.which"], lambda _: None)
    found = connections(node, leaving, 12)
    most = [1, 2, 4, 1, 2, 4, 8, 16, 32, LONGEST_PAUSE, LONGEST_PAUSE, LONGEST_PAUSE]
    assert [pause for pause, longest in zip(found, most, strict=True) if not longest / 2 <= pause <= longest] == []


@pytest.mark.parametrize("told", [{"refused": "AUTH"}, {"refused": "full"}])
def test_a_device_that_is_refused_does_not_come_again(tmp_path, told):
    async def gateway(socket):
        await socket.recv()
        await socket.send(json.dumps(told))
        await socket.wait_closed()

    node = Node(device_key(tmp_path / "key"), "linux", ["system.which"], lambda _: None)
    with pytest.raises(AuthorityError, match="refused"):
        connections(node, gateway, 1)


def test_what_is_no_address_is_said_at_once(tmp_path):
    node = Node(device_key(tmp_path / "key"), "linux", ["system.which"], lambda _: None)
    with pytest.raises(UsageError):
        asyncio.run(node.serve("http://127.0.0.1:1/node", "login"))
