"""Attacks at the doors of a gateway: half requests, slow ones, too many, pages of others, and names that lead here."""

import asyncio
import json
import socket
import threading
import time
from contextlib import ExitStack, contextmanager, suppress

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from each_row import each_row
from remit.audit.log import Log
from remit.gateway.inbound.access import Access, fingerprint, own_page
from remit.gateway.inbound.channels.connections import make_channel
from remit.gateway.inbound.events import Direct, Gate
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.settings.values import Agent, ChannelSettings, Limits, Platform, Settings
from remit.gateway.inbound.stores.sql import sqlite_link
from remit.gateway.inbound.stores.store import Store
from remit.gateway.inbound.stores.tables import TABLES
from remit.gateway.inbound.tool_policy import Policy, names
from remit.web import app, connection_limits, login
from remit.web.app import make_app
from remit.web.chat import WebChat
from remit.web.connection_limits import ConnectionLimits, limited, most_of
from remit.web.login import Doors

TOKEN = "t" * 32


class Running:
    """A gateway in this process, with a web chat and a webhook."""

    def __init__(self, folder, most, access):
        chat = ChannelSettings(Platform.WEB, "us", Gate(Direct.ANYONE), Rules())
        hook = ChannelSettings(Platform.WEBHOOK, "us", Gate(Direct.ANYONE), Rules(), "secret")
        self.settings = Settings(
            access, channels={"chat": chat, "hook": hook}, agents={"main": Agent(Policy(names().all, {}))}
        )
        self.folder, self.most = folder, most
        self.ready = threading.Event()

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        store = Store(sqlite_link(self.folder / "gateway.db"), TABLES)
        with Log.open(self.folder) as log, socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            self.port = listening.getsockname()[1]
            channels = {"hook": make_channel("hook", self.settings.channels["hook"])}
            self.inbound = Inbound(self.settings, store, channels, None, Devices(), log)
            chats = {"chat": WebChat("chat", self.inbound)}
            channels.update(chats)
            self.doors = Doors(self.settings.access)
            self.limits = ConnectionLimits(self.most, lambda: self.doors.count)
            config = uvicorn.Config(
                make_app(self.inbound, chats, self.doors),
                log_level="critical",
                http=limited(self.limits),
                proxy_headers=False,
            )
            self.server = uvicorn.Server(config)
            self.server.install_signal_handlers = lambda: None
            self.ready.set()
            await self.server.serve([listening])
        store.close()


@contextmanager
def gate(folder, most=50, access=Access(token=fingerprint(TOKEN))):  # noqa: B008  a value
    made = Running(folder, most, access)
    thread = threading.Thread(target=made.run, daemon=True)
    thread.start()
    made.ready.wait(60)
    until(lambda: made.server.started)
    try:
        yield made
    finally:
        made.server.should_exit = True
        made.server.force_exit = True
        thread.join(60)


def until(there, seconds=60):
    for _ in range(seconds * 50):
        if found := there():
            return found
        time.sleep(0.02)
    raise AssertionError("it did not come")


def opened(port, data=b""):
    made = socket.create_connection(("127.0.0.1", port), 60)
    made.settimeout(60)
    made.sendall(data)
    return made


def closed(one):
    """Until the other end closes; what it said."""
    said = b""
    with one, suppress(ConnectionError):
        while piece := one.recv(4096):
            said += piece
    return said


def health(port):
    with opened(port, b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n") as one:
        return closed(one).split(b" ")[1:2]


@pytest.fixture
def short(monkeypatch):
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(connection_limits, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(app, "BODY_SECONDS", 0.5)
    monkeypatch.setattr(login, "SECONDS", 0.5)


# slow and half requests


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize(
    "half",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ",
        b"POST /channels/hook HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc",
        b"POST /channels/hook HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n",
        b"GET /chat HTTP/1.1\r\nhost: localhost\r\nconnection: upgrade\r\nupgrade: websocket\r\n",
    ],
    ids=["nothing", "a line", "a head", "a body", "chunks", "an upgrade"],
)  # fmt: skip
def test_half_a_request_ends(tmp_path, half):
    with gate(tmp_path) as made:
        closed(opened(made.port, half))
        assert health(made.port) == [b"200"]


def trickle(one):
    for _ in range(3000):
        one.sendall(b"y")
        time.sleep(0.02)


@pytest.mark.usefixtures("short")
def test_bytes_that_trickle_in_win_no_time(tmp_path):
    with gate(tmp_path) as made, opened(made.port, b"GET / HTTP/1.1\r\nhost: localhost\r\nx: ") as one:
        with pytest.raises(ConnectionError):
            trickle(one)
        assert health(made.port) == [b"200"]


@pytest.mark.usefixtures("short")
def test_a_second_request_on_a_connection_has_no_more_time_than_the_first(tmp_path):
    with gate(tmp_path) as made, opened(made.port, b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n") as one:
        assert b"200 OK" in one.recv(4096)
        one.sendall(b"GET /health HT")
        closed(one)


def test_a_socket_has_no_deadline_of_a_request(tmp_path, monkeypatch):
    monkeypatch.setattr(connection_limits, "HEAD_SECONDS", 1.0)
    with gate(tmp_path) as made, connect(f"ws://127.0.0.1:{made.port}/chat") as one:
        with pytest.raises(TimeoutError):
            one.recv(timeout=2.5)
        one.send("{")
        with pytest.raises(ConnectionClosed):  # it is the gateway that ends it, for what was said
            one.recv(timeout=60)
        assert one.close_code is not None
        assert one.close_code != 1006


def test_half_requests_give_way_to_whole_ones(tmp_path):
    """Four hundred of them, and many fewer connections than that."""
    with gate(tmp_path, most=20) as made:
        half = [opened(made.port, b"GET / HTTP/1.1\r\nhost: x\r\n") for _ in range(400)]
        assert {health(made.port)[0] for _ in range(10)} == {b"200"}
        for one in half:
            one.close()


def test_the_cap_is_below_what_the_process_may_open(monkeypatch):
    monkeypatch.setattr(connection_limits.resource, "getrlimit", lambda _: (256, 256))
    assert most_of(1000) == 128
    monkeypatch.setattr(connection_limits.resource, "getrlimit", lambda _: (64, 64))
    assert most_of(1000) == 16
    monkeypatch.setattr(
        connection_limits.resource, "getrlimit", lambda _: (connection_limits.resource.RLIM_INFINITY,) * 2
    )
    assert most_of(1000) == 1000


def test_the_address_that_has_most_gives_way_first():
    gone = []

    def one(address, *, unfinished=True):
        made = type("One", (), {"address": address, "unfinished": unfinished})()
        made.transport = type("T", (), {"abort": lambda _: gone.append(address)})()
        return made

    limits = ConnectionLimits(5)
    first = [one("a"), one("b"), one("b"), one("b", unfinished=False), one("b")]
    assert all(map(limits.came, first))
    assert limits.came(one("c"))
    assert gone == ["b"]
    busy = ConnectionLimits(1)
    assert busy.came(one("a", unfinished=False))
    assert not busy.came(one("a"))
    full = ConnectionLimits(2, lambda: 2)
    assert not full.came(one("a"))


# sockets


def speak(port, *says, path="/chat", name="127.0.0.1", **named):
    there = socket.create_connection(("127.0.0.1", port))
    with connect(f"ws://{name}:{port}{path}", sock=there, open_timeout=60, close_timeout=1, **named) as one:
        told = []
        for says_ in says:
            one.send(says_ if isinstance(says_, str) else json.dumps(says_))
            told.append(json.loads(one.recv(60)))
        return told


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("path", ["/chat", "/node"])
@pytest.mark.parametrize("says", [(), ({"login": TOKEN},)], ids=["nothing", "a login"])
def test_who_does_not_say_who_it_is_is_shut_out(tmp_path, path, says):
    with gate(tmp_path) as made, connect(f"ws://127.0.0.1:{made.port}{path}", open_timeout=60) as one:
        for one_ in says:
            one.send(json.dumps(one_))
            one.recv(60)
        with pytest.raises(ConnectionClosed):
            one.recv(60)


def idle(held, port, count):
    """So many sockets that say nothing."""
    for _ in range(count):
        held.enter_context(connect(f"ws://127.0.0.1:{port}/chat", open_timeout=60, close_timeout=1))


def test_sockets_of_which_nobody_is_in_give_way(tmp_path, monkeypatch):
    monkeypatch.setattr(login, "MOST_NEW", 5)
    with gate(tmp_path) as made, ExitStack() as held:
        idle(held, made.port, 20)
        assert speak(made.port, {"login": TOKEN}, {"secret": "a" * 64})[0] == {"in": True}
        until(lambda: made.doors.count <= 5)


def test_who_is_in_does_not_give_way(tmp_path, monkeypatch):
    monkeypatch.setattr(login, "MOST_NEW", 2)
    with gate(tmp_path) as made, ExitStack() as held:
        one = held.enter_context(connect(f"ws://127.0.0.1:{made.port}/chat", open_timeout=60))
        for says in ({"login": TOKEN}, {"secret": "a" * 64}):
            one.send(json.dumps(says))
            one.recv(60)
        idle(held, made.port, 6)
        one.send(json.dumps({"say": "hello", "id": "abcdef01"}))
        assert json.loads(one.recv(60))["fate"] == "heard"


# pages of others, and names that lead here

OURS = "localhost:18790"
ORIGINS = {
    "http://localhost:18790": True,
    "https://localhost:18790": False,
    "file://localhost:18790": False,
    "ftp://localhost:18790": False,
    "chrome-extension://localhost:18790": False,
    "null": False,
    "": False,
    "localhost:18790": False,
    "http://localhost": False,
    "http://localhost:18791": False,
    "http://localhost:18790.evil.example": False,
    "http://evil.example@localhost:18790": False,
    "http://localhost:18790@evil.example": False,
    "http://localhost:18790/": False,
    "http://localhost:18790#x": False,
    "http://localhost.:18790": False,
    "http://127.0.0.1:18790": False,
    "http://localhost:018790": False,
    "HTTP://localhost:18790": False,  # browsers write it small
    "http://evil.example": False,
    " http://localhost:18790": False,
}


@each_row("origin", ORIGINS)
def test_a_page_is_ours_by_scheme_host_and_port(origin):
    assert own_page({"host": OURS, "origin": origin}) is ORIGINS[origin]


@each_row(
    ("headers", "ours"),
    [
        ({"host": "gate.example", "origin": "https://gate.example", "x-forwarded-proto": "https"}, True),
        ({"host": "gate.example", "origin": "http://gate.example", "x-forwarded-proto": "https"}, False),
        ({"host": "gate.example", "origin": "https://gate.example"}, False),
        ({"host": "gate.example:443", "origin": "https://gate.example", "x-forwarded-proto": "https"}, True),
        ({"host": "gate.example", "origin": "http://gate.example:80"}, True),
        ({"host": "[::1]:18790", "origin": "http://[::1]:18790"}, True),
        ({"host": "a b", "origin": "http://a b"}, False),
        ({"origin": "http://localhost"}, False),
        ({"host": "gate.example", "origin": "javascript://gate.example", "x-forwarded-proto": "javascript"}, False),
    ],
)  # fmt: skip
def test_a_proxy_says_by_which_scheme_it_was_reached(headers, ours):
    assert own_page(headers) is ours


@pytest.mark.parametrize("name", ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "gate", "localhost."])
@pytest.mark.parametrize("access", [Access(token=fingerprint(TOKEN)), Access()], ids=["token", "this machine alone"])
def test_a_strangers_name_that_leads_here_is_refused_whatever_is_shown(tmp_path, name, access):
    with gate(tmp_path, access=access) as made, pytest.raises((ConnectionClosed, InvalidStatus)):
        speak(made.port, {"login": TOKEN}, {"secret": "a" * 64}, name=name, origin=f"http://{name}:{made.port}")


@each_row("name", ["localhost", "127.0.0.1", "gate.example"])
def test_our_own_names_are_let_in(tmp_path, name):
    with gate(tmp_path, access=Access(token=fingerprint(TOKEN), names=("gate.example",))) as made:
        told = speak(made.port, {"login": TOKEN}, name=name, origin=f"http://{name}:{made.port}")
        assert told == [{"in": True}]


def test_a_name_of_the_settings_lets_nobody_in_as_this_machine(tmp_path):
    with (
        gate(tmp_path, access=Access(names=("gate.example",))) as made,
        pytest.raises((ConnectionClosed, InvalidStatus)),
    ):
        speak(
            made.port,
            {"login": ""},
            {"secret": "a" * 64},
            name="gate.example",
            origin=f"http://gate.example:{made.port}",
        )


def test_a_visitor_who_is_told_that_it_came_too_early_is_not_heard_later(tmp_path):
    with gate(tmp_path) as made:
        made.inbound.settings = made.settings._replace(limits=Limits(burst=1, seconds=1000))
        says = [{"say": "hello", "id": f"0000000{number}"} for number in range(2)]
        told = speak(made.port, {"login": TOKEN}, {"secret": "a" * 64}, *says)
        assert [one["fate"] for one in told[2:]] == ["heard", "dropped"]
        assert made.inbound._senders._late == {}


def test_a_page_of_another_port_of_this_machine_is_a_page_of_others(tmp_path):
    with gate(tmp_path, access=Access()) as made, pytest.raises((ConnectionClosed, InvalidStatus)):
        speak(made.port, {"login": ""}, origin="http://127.0.0.1:1")
