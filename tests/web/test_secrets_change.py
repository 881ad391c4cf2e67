"""A token that leaked is changed: who came in by it is out at once. And guessing does not get far."""

import json
import os
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from visiting import Visitor

OLD, NEW = "0ld-" * 8, "new-" * 8


@pytest.fixture
def guarded(tmp_path, start_gateway):
    """A gateway with a token, and where the token lies."""
    token = tmp_path / "token"
    _write(token, OLD)
    settings = tmp_path / "gateway.toml"
    settings.write_text(
        '[access]\nbind = "loopback"\ntoken_file = "token"\n[channels.web]\nkind = "web"\ndirect = "paired"\n'
    )
    return start_gateway(settings), token, settings


def _write(path, text):
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write(text)


@contextmanager
def knocking(gateway, token):
    """A socket, and what it heard when it showed the token."""
    with connect(f"ws://127.0.0.1:{gateway.port}/chat") as socket:
        socket.send(json.dumps({"login": token}))
        yield socket, json.loads(socket.recv(timeout=300))


def test_who_came_in_by_the_old_token_is_out_when_it_is_changed(guarded):
    gateway, token, settings = guarded
    with knocking(gateway, OLD) as (socket, told):
        assert told == {"in": True}
        _write(token, NEW)
        settings.write_text(settings.read_text() + "# changed\n")
        with pytest.raises(ConnectionClosed) as end:
            socket.recv(timeout=300)
        assert end.value.rcvd.code == 4401
    with knocking(gateway, OLD) as (_, told):
        assert told == {"refused": "AUTH"}
    with connect(f"ws://127.0.0.1:{gateway.port}/chat") as socket:
        assert Visitor(socket, login=NEW).say("hello")["fate"] == "pairing"


def test_other_settings_leave_connections_alone(guarded):
    gateway, _, settings = guarded
    with connect(f"ws://127.0.0.1:{gateway.port}/chat") as socket:
        visitor = Visitor(socket, login=OLD)
        settings.write_text(settings.read_text() + '[sessions]\nscope = "per-peer"\n')
        gateway.until(lambda: "count from now on" in gateway.told(gateway.gateway))
        assert visitor.say("hello")["fate"] == "pairing"


def test_after_many_wrong_ones_even_the_right_one_is_not_compared(guarded):
    gateway, _, _ = guarded
    for _ in range(10):
        with knocking(gateway, "wrong") as (_, told):
            assert told == {"refused": "AUTH"}
    with pytest.raises(ConnectionClosed), knocking(gateway, OLD):
        pass
