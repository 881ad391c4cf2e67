"""`remit gateway up --monitor`, as a process: silent while all is well, and a word in the log and on standard error for a fault."""

import json
import urllib.request
from pathlib import Path

import pytest
from websockets.sync.client import connect

from visiting import Visitor, let_in

SPOILED = str(Path(__file__).with_name("spoiled_gateway.py"))


def visit(running):
    return connect(f"ws://127.0.0.1:{running.port}/chat")


def log(running):
    return running.run("audit", "log", "--state", str(running.folder / "inbound" / "log"), "--format", "json")[1]


def alarms(running):
    found = [json.loads(line) for line in log(running).splitlines()]
    return [one["op"] for one in found if one.get("event") == "alarm"]


def health(running):
    with urllib.request.urlopen(f"http://127.0.0.1:{running.port}/health") as answer:
        return json.load(answer)


def test_a_gateway_that_is_well_is_silent(start_gateway):
    running = start_gateway(None, "--monitor")
    with visit(running) as socket:
        visitor = Visitor(socket)
        let_in(running, visitor)
        for number in range(100, 125):
            visitor.send(say=f"number {number}", id=f"{number:08x}")
            visitor.send(say=f"number {number}", id=f"{number:08x}")
        told = [visitor.hear() for _ in range(3 * 25)]
        assert sum(one.get("fate") == "heard" for one in told) == sum("said" in one for one in told) == 25
        running.node("--declare", "system.run")
        visitor.say("devices")
        device = json.loads(visitor.answered())[0]["device"]
        visitor.say(f"run system.run echo it ran on {device}")
        run = running.until(lambda: running.run("gateway", "runs")[1].split()[0].replace("nothing", ""))
        assert running.run("gateway", "runs", run, "--unattended")[0] == 0
        assert visitor.answered() == "status 0\nit ran\n"
    assert alarms(running) == []
    assert health(running) == {"gateway": "ready", "refused": 0, "alarms": 0}
    assert "alarm" not in running.told(running.gateway)


def test_a_fault_is_written_down_and_told_and_the_gateway_goes_on(start_gateway):
    running = start_gateway(None, "--monitor", "1", program=(SPOILED, "hearing", "puts all into one session"))
    with visit(running) as socket:
        visitor = Visitor(socket)
        let_in(running, visitor)
        assert visitor.say("hello again")["fate"] == "heard"
        assert visitor.answered().startswith("You said: hello again")
    assert alarms(running) == ["hearing.in-its-session"]
    assert "alarm: hearing.in-its-session: a sender is heard by its agent" in running.told(running.gateway)
    assert health(running)["alarms"] == 1
    assert running.run("audit", "verify", "--state", str(running.folder / "inbound" / "log"))[0] == 0


def test_a_fault_may_stop_it(start_gateway):
    running = start_gateway(None, "--monitor", "--monitor-stop", program=(SPOILED, "turns", "answers somebody else"))
    with visit(running) as socket:
        visitor = Visitor(socket)
        let_in(running, visitor)
        visitor.send(say="hello again", id="000000ff")
        assert running.gateway.wait(300) == 2
    assert "`turns.its-own-stream` does not hold" in running.told(running.gateway)
    assert alarms(running) == ["turns.its-own-stream"]


@pytest.mark.parametrize("share", ["0", "2", "much", "nan"])
def test_a_share_that_is_none(running, share):
    code, told = running.run("gateway", "up", "--monitor", share)
    assert (code, "is not a share" in told) == (2, True)


def test_what_an_alarm_does_wants_a_monitor(running):
    assert "give `--monitor` too" in running.run("gateway", "up", "--monitor-stop")[1]
