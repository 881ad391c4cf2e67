"""What a new user does first: open the web chat, be let in, speak, have a device run something, and look at the log."""

import json
import re

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from visiting import let_in


def test_a_visitor_is_let_in_and_a_device_runs_what_a_person_approved(running, visitor):
    let_in(running, visitor)
    assert visitor.say("hello again")["fate"] == "heard"
    assert visitor.answered().startswith("You said: hello again")
    assert visitor.say("hello again", visitor.number)["reason"] == "SEEN"
    running.node("--declare", "system.run")
    visitor.say("devices")
    device = json.loads(visitor.answered())[0]["device"]
    visitor.say(f"run system.run echo it ran on {device}")
    run = running.until(lambda: running.run("gateway", "runs")[1].split()[0].replace("nothing", ""))
    assert running.run("gateway", "runs", run, "--unattended")[0] == 0
    assert visitor.answered() == "status 0\nit ran\n"
    assert running.run("gateway", "runs", run, "--unattended") == (1, f"system.run echo it ran on {device}: RUN_USED\n")
    log = running.run("audit", "log", "--state", str(running.folder / "inbound" / "log"))[1]
    assert re.findall(r"(?:admit|person-approved|executed)", log)[-3:] == ["person-approved", "admit", "executed"]
    assert running.run("audit", "verify", "--state", str(running.folder / "inbound" / "log"))[0] == 0


def test_what_a_person_denies_does_not_run(running, visitor):
    let_in(running, visitor)
    running.node("--declare", "system.run")
    visitor.say("devices")
    device = json.loads(visitor.answered())[0]["device"]
    visitor.say(f"run system.run touch {running.folder}/ran on {device}")
    run = running.until(lambda: running.run("gateway", "runs")[1].split()[0].replace("nothing", ""))
    assert running.run("gateway", "runs", run, "--deny", "--unattended")[0] == 0
    assert visitor.answered() == "failed: APPROVAL_DENIED"
    assert not (running.folder / "ran").exists()


def test_what_a_device_did_not_declare_or_the_settings_do_not_allow(running, visitor):
    let_in(running, visitor)
    running.node()
    visitor.say("devices")
    device = json.loads(visitor.answered())[0]["device"]
    visitor.say(f"run system.run id on {device}")
    assert visitor.answered() == "failed: COMMAND_UNDECLARED"
    visitor.say(f"run camera.snap now on {device}")
    assert visitor.answered() == "failed: COMMAND_DENIED"


def test_a_device_that_is_not_paired_any_more(running, visitor):
    let_in(running, visitor)
    running.node("--declare", "system.run")
    visitor.say("devices")
    device = json.loads(visitor.answered())[0]["device"]
    assert running.run("gateway", "pair", "nodes", "--remove", device, "--unattended") == (0, "nodes: removed\n")
    visitor.say(f"run system.run id on {device}")
    assert visitor.answered() == "failed: DEVICE_NOT_PAIRED"


def refused(port, *messages, origin=None, host=None):
    """What becomes of a socket that sends this: the code of its end."""
    headers = {"Host": host} if host else None
    try:
        with connect(f"ws://127.0.0.1:{port}/chat", origin=origin, additional_headers=headers) as socket:
            for message in messages:
                socket.send(message)
            while True:
                socket.recv(timeout=300)
    except ConnectionClosed as end:
        return end.rcvd.code if end.rcvd else None


def test_nothing_is_heard_before_the_login_or_from_a_page_of_somebody_else(running):
    login = json.dumps({"login": ""})
    say = json.dumps({"say": "hello", "id": "00000001"})
    assert refused(running.port, say) == 4401
    assert refused(running.port, "no JSON") == 4401
    assert refused(running.port, json.dumps({"login": "", "say": "x"})) == 4401
    assert refused(running.port, login, origin="https://elsewhere.example") == 4401
    assert refused(running.port, login, say) == 4400  # who it is comes before what it says
    assert running.run("gateway", "pair")[1] == "nobody waits\n"
