"""The daemon of the guard with telemetry on and off: real hooks, a real collector, figures over HTTP."""

import http.client
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from collector import collecting
from hearing import free_ports
from prometheus_client.parser import text_string_to_metric_families

from remit.core.telemetry_table import FILE, told
from remit.guard.client.build import SCRIPT, build_client
from remit.guard.state_folder import prepared

SOURCE = Path(SCRIPT).parents[3]
PARENT = "00-" + "5a" * 16 + "-" + "7b" * 8 + "-01"
SECRET = "ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dE4fG6"
PACKAGES = ("opentelemetry", "prometheus_client", "google.protobuf", "remit.telemetry.listener")
# A daemon as it is, but that it writes down what it has imported whenever it has decided.
LOOKED_INTO = """
import sys
from pathlib import Path
from remit.guard.daemon.run import run, usual_engine
from remit.guard.hosts.registry import find_host

class Shown:
    def __init__(self, engine): self.engine = engine
    def __getattr__(self, name): return getattr(self.engine, name)
    def decide(self, event):
        found = self.engine.decide(event)
        Path(sys.argv[1], "modules").write_text(" ".join(sys.modules))
        return found

run(Path(sys.argv[1]), lambda folder, mine: Shown(usual_engine(folder, mine)), find_host)
"""


class Place:
    def __init__(self, folder):
        self.home, self.work = folder / "home", folder / "work"
        for one in (self.home, self.work):
            one.mkdir()
        self.places = prepared(folder / "state")
        self.process = None

    def tell(self, **settings):
        path = self.places.folder / FILE
        path.write_text(json.dumps({"v": 1, **settings}))
        path.chmod(0o600)

    def start(self):
        env = {"PYTHONPATH": str(SOURCE), "HOME": str(self.home)}
        words = [sys.executable, "-c", LOOKED_INTO, str(self.places.folder)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env)
        assert self.process.stdout.read(1) == b"+", self.process.stderr.read()

    def ask(self, host, event, payload, program=(sys.executable, "-I", "-S", str(SCRIPT)), **env):
        words = [*program, host, event, "20", str(self.places.folder)]
        done = subprocess.run(
            words,
            input=json.dumps(payload).encode(),
            capture_output=True,
            env={"HOME": str(self.home), **env},
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if done.stdout else {}

    def bash(self, command, call="t1", **more):
        payload = {
            "hook_event_name": "PreToolUse", "session_id": "s1", "cwd": str(self.work), "permission_mode": "dontAsk",
            "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": call,
        }  # fmt: skip
        return self.ask("claude-code", "PreToolUse", payload, **more)

    def stop(self):
        """Ended as `remit guard stop` ends it; what it said on standard error."""
        self.process.terminate()
        return self.process.communicate(timeout=300)[1].decode()


@pytest.fixture
def place():
    with tempfile.TemporaryDirectory(prefix="rt") as name:
        made = Place(Path(name))
        yield made
        if made.process is not None and made.process.poll() is None:
            made.process.kill()
            made.process.communicate()


def modules(place):
    return (place.places.folder / "modules").read_text().split()


def test_off_none_of_the_packages_is_imported(place):
    place.start()
    place.bash("ls")
    assert [name for name in modules(place) if name.startswith(PACKAGES)] == []


def test_a_call_is_one_trace_with_what_the_host_says_of_its_own(place):
    first = free_ports()
    log = place.places.folder / "told.jsonl"
    with collecting() as collector:
        place.tell(otlp=collector.url, prometheus=f"127.0.0.1:{first}", log=str(log))
        place.start()
        place.bash(f"echo {SECRET} > note.txt")
        assert any(name.startswith("opentelemetry") for name in modules(place))
        place.bash("rm -rf /", call="t2", TRACEPARENT=PARENT)
        place.bash("ls", call="t3", TRACEPARENT="not one")
        spans = collector.wait_for(lambda spans: len(spans) >= 3)
        text = "".join(scrape(first + worker) for worker in (0, 1))
        errors = place.stop()
    named = {one.trace: one for one in spans if one.name == "remit.guard.decide"}
    assert len(named) == 3
    denied = named["5a" * 16]
    assert denied.parent == "7b" * 8
    assert denied.service.startswith("remit-guard-")
    assert denied.attributes["remit.outcome"] == "deny"
    assert denied.attributes["remit.capability"] in ("file.delete", "shell.execute")
    assert {key for one in spans for key in one.attributes} <= {
        f"remit.{name}" for name in told().spans["remit.guard.decide"].fields
    }
    counted = [one for family in text_string_to_metric_families(text) for one in family.samples]
    decisions = [one for one in counted if one.name == "remit_guard_decisions_total"]
    assert sum(one.value for one in decisions) == 3
    assert all(one.labels["host"] == "claude-code" for one in decisions)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {"STARTED", "GUARD_DENIED", "ENDED"} <= {one["event"] for one in lines}
    assert next(one for one in lines if one["event"] == "GUARD_DENIED")["trace"] in named
    assert SECRET not in text + log.read_text() + str(spans) + errors
    assert "note.txt" not in text + log.read_text() + str(spans)


def scrape(port):
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=300)
    link.request("GET", "/metrics")
    return link.getresponse().read().decode()


def test_both_clients_pass_the_same_place_on(place):
    compiled = build_client(place.places)
    with collecting() as collector:
        place.tell(otlp=collector.url)
        place.start()
        place.bash("ls", TRACEPARENT=PARENT)
        if compiled is not None:
            place.bash("ls", program=(str(compiled),), TRACEPARENT=PARENT)
            for wrong in (
                "",
                "x" * 55,
                PARENT.upper(),
                PARENT + "0",
                PARENT.replace("00-", "01-", 1),
                PARENT[:-3] + "_01",
            ):
                place.bash("ls", call="t9", program=(str(compiled),), TRACEPARENT=wrong)
                place.bash("ls", call="t9", TRACEPARENT=wrong)
        wanted = 14 if compiled is not None else 1
        spans = collector.wait_for(lambda spans: len(spans) >= wanted)
    assert len([one for one in spans if one.trace == "5a" * 16]) == (2 if compiled is not None else 1)
    assert len({one.trace for one in spans}) <= 2


@pytest.mark.parametrize("wrong", ['{"v": 2}', '{"v": 1, "otlp": "http://example.org"}', "x"])
def test_a_file_that_is_wrong_is_said_and_the_guard_decides_all_the_same(place, wrong):
    (place.places.folder / FILE).write_text(wrong)
    place.start()
    assert place.bash("rm -rf /")["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert [name for name in modules(place) if name.startswith(PACKAGES)] == []
    assert "no telemetry" in place.stop()


@pytest.mark.timeout(300)
def test_a_collector_that_is_not_there_changes_no_verdict_and_holds_up_no_end(place):
    place.tell(otlp="http://127.0.0.1:1", prometheus=f"127.0.0.1:{free_ports()}", log="/dev/full")
    place.start()
    assert place.bash("rm -rf /")["hookSpecificOutput"]["permissionDecision"] == "deny"
    assert place.bash("ls") == {}
    place.stop()
    assert os.path.exists("/dev/full")
