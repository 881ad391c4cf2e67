"""Health in the console: what runs is seen to run, and what does not is said, with the command that starts it."""

import json
import socket
import tempfile
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from guarded import guarded

from remit.gateway.deployment.folders import make_folder
from remit.gateway.inbound.settings.writer import Choices, starting, write_settings
from remit.web.console import health
from remit.web.console.settings import ConsoleSettings


def parts(group):
    return {one.name: one for one in group.parts}


@contextmanager
def answering(body):
    """Somebody at a port who says this of its health."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def listens_at(settings, port):
    folder = settings.state / "inbound"
    folder.mkdir(mode=0o700, exist_ok=True)
    write_settings(starting(Choices(port=port)), folder / "gateway.toml")


def test_what_was_never_started_is_said_with_its_command(settings):
    assert parts(health.guard(settings))["daemon"].state == "does not run: the next hook starts it"
    assert parts(health.authorities(settings))["parties"].start == "remit up"
    assert parts(health.inbound(settings))["gateway"].start == "remit gateway up"


def test_a_daemon_that_runs_is_known_by_its_process(settings):
    with tempfile.TemporaryDirectory(prefix="rh") as name, guarded(Path(name), int(time.time())) as session:
        found = parts(health.guard(settings._replace(state=session.places.folder)))
        assert found["daemon"].state == f"runs, pid {session.places.daemon_lock.read_text().strip()}"
        assert found["daemon"].mark == health.GOOD
        assert "no one is watching" in found["broker"].told[0]


def test_a_broken_broker_is_no_broker(settings):
    (settings.state / "broker.json").write_text("{}")
    (settings.state / "broker.json").chmod(0o600)
    assert parts(health.guard(settings))["daemon"].mark == health.BAD


def test_parties_that_do_not_run_are_bad_each_with_its_command(tmp_path):
    with tempfile.TemporaryDirectory(prefix="ra") as name:
        make_folder(Path(name) / "a", None)
        found = health.authorities(ConsoleSettings((), tmp_path, Path(name) / "a")).parts
    assert [one.name for one in found] == ["p1", "p0", "executor", "gateway"]
    assert {(one.state, one.mark, one.start) for one in found} == {("does not run", health.BAD, "remit up")}


@pytest.mark.parametrize(
    ("said", "state", "mark"),
    [
        ({"gateway": "ready"}, "runs", health.WARN), ({"gateway": "ready", "alarms": 0}, "runs", health.WARN),
        ({"gateway": "ready", "alarms": 3}, "runs", health.BAD), ({"another": "program"}, "does not run", health.BAD),
    ],
)  # fmt: skip
def test_the_inbound_gateway_is_what_it_says_of_itself(settings, said, state, mark):
    """The settings to begin with are warned of: devices may run programs there."""
    with answering(json.dumps(said).encode()) as port:
        listens_at(settings, port)
        found = parts(health.inbound(settings))["gateway"]
    assert (found.state, found.mark) == (state, mark)


def test_an_inbound_gateway_that_is_not_there_or_wrongly_set_does_not_run(settings):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        listens_at(settings, free.getsockname()[1])
    assert parts(health.inbound(settings))["gateway"].state == "does not run"
    (settings.state / "inbound" / "gateway.toml").write_text("nonsense = ")
    assert parts(health.inbound(settings))["gateway"].state.startswith("its settings are wrong")


def test_in_chromium_the_page_is_clean_and_narrow(tab):
    tab.press("g", "h")
    tab.page.get_by_role("heading", name="Health").wait_for()
    tab.page.set_viewport_size({"width": 360, "height": 640})
    tab.clean()
    assert "remit gateway up" in tab.page.inner_text("main")
