"""A collector that is down, slow or hostile: nothing waits, memory has an end, and what was lost is counted."""

import contextlib
import http.client
import os
import socket
import threading
import time

import pytest
from collector import collecting
from hearing import heard

from each_row import each_row
from remit.core import telemetry
from remit.core.telemetry import Home, of_names
from remit.telemetry.collector_client import Collector, RefusedError
from remit.telemetry.event_log import Lines
from remit.telemetry.listener import Telemetry
from remit.telemetry.send_queue import Shipper
from remit.telemetry.settings import TelemetrySettings
from remit.telemetry.startup import begin

ENDLESS = b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n"


@contextlib.contextmanager
def hostile(first, then=b"", pause=0.0):
    """Something that listens, says `first`, then `then` again and again, and never ends."""
    ends = threading.Event()
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                link, _ = listener.accept()
                threading.Thread(target=say, args=(link,), daemon=True).start()

    def say(link):
        with contextlib.suppress(OSError), link:
            link.recv(65536)
            link.sendall(first)
            while then and not ends.wait(pause):
                link.sendall(then)
            ends.wait()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        ends.set()
        listener.close()


@pytest.mark.timeout(300)  # whoever is hostile does not end by itself
@pytest.mark.parametrize(
    ("first", "then", "pause"),
    [
        (b"", b"", 0),  # it says nothing
        (b"HTTP/1.1 200 OK\r\n", b"x: y\r\n", 0.05),  # a head without an end
        (b"HTTP/1.1 200 OK\r\nx: ", b"y", 0.05),  # a line without an end
        (b"HTTP/1.1 2", b"", 0),
        (b"\xff\xfe garbage\r\n\r\n", b"", 0),
        (b"HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n", b"", 0),
        (b"HTTP/1.1 500 Oops\r\ncontent-length: 0\r\n\r\n", b"", 0),
    ],
)
def test_what_is_not_taken_fails_in_time(first, then, pause):
    with hostile(first, then, pause) as url, pytest.raises((OSError, http.client.HTTPException, RefusedError)):
        Collector(url, 0.5).post(b"x")


def test_an_answer_without_an_end_is_not_read_to_its_end():
    with hostile(ENDLESS, b"x" * 65536) as url:
        Collector(url, 30).post(b"x")  # it said yes: what else it says is not waited for, or this would fail


def test_a_refusal_is_an_error():
    with hostile(b"HTTP/1.1 400 No\r\ncontent-length: 0\r\n\r\n") as url, pytest.raises(RefusedError):
        Collector(url, 2).post(b"x")


@each_row(("url", "path"), [("", "/v1/traces"), ("/", "/v1/traces"), ("/otlp", "/otlp/v1/traces"), ("/v1/traces", "/v1/traces")])  # fmt: skip
def test_spans_go_to_the_path_of_traces(url, path):
    with collecting() as collector:
        Collector(collector.url + url).post(b"")
        assert collector.paths == [(path, "application/x-protobuf")]


@pytest.mark.timeout(300)  # who waits for room waits for ever
def test_a_full_queue_loses_what_is_new_and_says_how_much():
    lost, open_ = [], threading.Event()
    shipper = Shipper("spans", lambda _: open_.wait(), lambda *told: lost.append(told), most=10)
    for number in range(1000):
        shipper.put(number)
    assert len(shipper._waiting) <= 10
    open_.set()
    shipper.close(30)
    assert {what for what, _ in lost} == {"spans"}
    assert 900 < sum(number for _, number in lost) <= 990


def test_what_could_not_be_sent_is_lost_and_the_thread_goes_on():
    lost, taken = [], []

    def send(batch):
        if len(taken) == 0:
            taken.append("failed")
            raise OSError
        taken.extend(batch)

    shipper = Shipper("spans", send, lambda *told: lost.append(told))
    shipper.put("first")
    while not lost:
        time.sleep(0.01)
    shipper.put("second")
    shipper.close(30)
    assert (lost, taken) == ([("spans", 1)], ["failed", "second"])


@pytest.mark.timeout(300)
def test_closing_waits_no_longer_than_it_is_told():
    open_ = threading.Event()
    shipper = Shipper("spans", lambda _: open_.wait(), lambda *_: None)
    shipper.put(1)
    shipper.close(0.2)
    assert shipper._thread.is_alive()
    open_.set()


@pytest.mark.timeout(300)  # the pipe stays full
def test_a_reader_of_lines_that_reads_nothing_holds_nobody_up(monkeypatch):
    read, write = os.pipe()
    monkeypatch.setattr("remit.telemetry.event_log._opened", lambda _: write)
    listener = Telemetry("test")
    listener.lines = Lines(TelemetrySettings(log="stderr"), "test", listener.lost)
    telemetry.listen(listener)
    try:
        for _ in range(5000):
            telemetry.event("GUARD_FAULT", detail="x" * 1000)
    finally:
        telemetry.listen(None)
    assert len(listener.lines._shipper._waiting) <= 1024
    os.set_blocking(read, False)
    os.close(read)
    listener.close(0.1)


def test_a_listener_whose_collector_is_down_tells_that_it_lost_spans(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    log = tmp_path / "log"
    listener = begin("p0", TelemetrySettings(otlp=f"http://127.0.0.1:{port}", log=str(log)))
    telemetry.listen(listener)
    try:
        for _ in range(3):
            with telemetry.span("remit.server.commit", Home("a" * 32)):
                pass
    finally:
        telemetry.listen(None)
        listener.close(30)
    listener = None
    assert '"event": "TELEMETRY_LOST"' in log.read_text()
    assert log.stat().st_mode & 0o077 == 0


def failing():
    with telemetry.span("remit.ask") as inner:
        inner.note(party="p0", path="/look-up", secret="x")
        1 / 0  # noqa: B018


def test_spans_nest_link_and_fail():
    with heard() as listener:
        with telemetry.span("remit.gateway.act", Home("a" * 32, "b" * 16)):
            with pytest.raises(ZeroDivisionError):
                failing()
            telemetry.current().belongs(Home("c" * 32, "d" * 16))
            with telemetry.span("remit.ask"):
                pass
        assert telemetry.current().home is None
    failed, after, act, began = listener.spans
    assert (failed.failed, failed.attributes) == (True, {"party": "p0", "path": "/look-up"})
    assert failed.home.trace == "a" * 32
    assert (after.home.trace, after.parent) == ("c" * 32, "d" * 16)
    assert (act.home, act.parent, act.linked) == (Home("c" * 32, "d" * 16), "", began.home)
    assert (began.home.trace, began.parent, began.linked) == ("a" * 32, "b" * 16, act.home)
    assert [labels for _, labels, _ in listener.figures.observed] == [
        ("remit.ask",),
        ("remit.ask",),
        ("remit.gateway.act",),
    ]


def test_a_span_that_is_in_nothing_begins_a_trace():
    with heard() as listener, telemetry.span("remit.ask"), telemetry.span("remit.ask", of_names("x")):
        pass
    inner, outer = listener.spans
    assert inner.home.trace == of_names("x").trace != outer.home.trace
    assert (inner.parent, outer.parent, outer.linked) == ("", "", None)
