"""The real Claude Code and Codex as agents of a gateway: they speak with a scripted model, work in a capsule, and are under the guard."""

import json
import os
import threading
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from host_packages import CLAUDE_CODE, CODEX, installed
from scripted_model import call, say, scripted
from scripted_wires import wires
from websockets.sync.client import connect

from remit.audit.log import Log
from running_gateway import Running
from visiting import Visitor, let_in

SHORT_LEASE = Path(__file__).parents[1] / "web/inbound_faults.py"  # a gateway that waits seconds for who is lost
SETTINGS = """
[channels.web]
kind = "web"
direct = "paired"
[agents.main]
backend = "{backend}"
prompt = "You are the assistant of the garden."
[model]
speaks = "{speaks}"
url = "{url}"
name = "scripted"
{more}
"""


class Agent:
    """A gateway with a client behind it, and somebody who is let in."""

    def __init__(self, tmp_path, monkeypatch, client, url, more="", served_by=("-m", "remit.cli")):
        package, program, speaks = {
            "claude-code": (CLAUDE_CODE, "claude", "anthropic"), "codex": (CODEX, "codex", "openai"),
        }[client]  # fmt: skip
        monkeypatch.setenv("PATH", f"{installed(package, program).parent}:{os.environ['PATH']}")
        monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
        self.folder, self.served_by = tmp_path / "state", served_by
        self.settings = self.folder / "inbound/gateway.toml"
        self.settings.parent.mkdir(mode=0o700, parents=True)
        self.folder.chmod(0o700)
        self.settings.write_text(SETTINGS.format(backend=client, speaks=speaks, url=url, more=more))
        self.start()
        let_in(self.gateway, self.visitor)

    def start(self):
        self.held = ExitStack()
        self.gateway = Running(self.folder, program=self.served_by)
        self.held.callback(self.gateway.close)
        self.visitor = Visitor(self.held.enter_context(connect(f"ws://127.0.0.1:{self.gateway.port}/chat")))

    def stop(self):
        self.held.close()

    def say(self, text):
        """The answer, and what was shown before it."""
        assert self.visitor.say(text)["fate"] == "heard"
        return self.visitor.answer()

    def workspace(self):
        (found,) = self.folder.parent.glob("data/remit/agents/*/*/*/workspace")
        return found

    def log(self):
        with Log.open(self.folder / "inbound/log") as log:
            return [one.entry for one in log.records()]


@pytest.fixture
def agent(tmp_path, monkeypatch):
    made = []

    def make(*args, **named):
        made.append(Agent(tmp_path, monkeypatch, *args, **named))
        return made[-1]

    yield make
    for one in made:
        one.stop()


def test_claude_code_answers_in_the_web_chat(agent):
    with scripted([call("Bash", command="echo roses > bed; cat bed"), say("The bed has roses.")]) as model:
        one = agent("claude-code", model.url + "/v1")
        assert one.say("what is in the bed?") == "The bed has roses."
        assert model.results() == [(False, "roses")]
        assert (one.workspace() / "bed").read_text() == "roses\n"
        assert "You are the assistant of the garden." in model.everything()


def test_a_session_goes_on_after_a_restart(agent):
    with scripted([say("I keep that."), say("Roses, you said.")]) as model:
        one = agent("claude-code", model.url)
        one.say("remember: roses")
        one.stop()
        one.start()
        assert one.say("what did I say?") == "Roses, you said."
        told = json.dumps(model.requests[-1]["messages"])
        assert "remember: roses" in told
        assert "Earlier in this conversation" not in told


def test_an_answer_is_shown_while_it_comes(agent):
    with scripted([say("The bed has roses.")]) as model:
        one = agent("claude-code", model.url)
        one.say("what is in the bed?")
        assert "The bed has roses." in one.visitor.shown


def test_what_the_policy_denies_is_not_offered_and_what_the_guard_denies_does_not_run(agent):
    turns = [
        call("Bash", command="echo '{}' > .claude/settings.json"),
        call("Write", file_path="x", content="y"),
        say("done"),
    ]
    more = '[tools.global]\ndeny = ["write"]\n'
    with scripted(turns) as model:
        one = agent("claude-code", model.url, more=more)
        one.say("go")
        offered = {tool["name"] for tool in model.requests[0]["tools"]}
        assert "Bash" in offered
        assert not offered & {"Write", "WebFetch", "WebSearch"}
        assert [failed for failed, _ in model.results()] == [True, True]
        assert not (one.workspace() / ".claude/settings.json").exists()


def test_the_capsule_holds_the_workspace_and_no_more(agent, tmp_path):
    (tmp_path / "secret").write_text("of the operator")
    line = f"cat {tmp_path}/secret; ls {tmp_path}/state; env; curl -sm 2 http://127.0.0.1:1/ ; touch /usr/x"
    with scripted([call("Bash", command=line), say("done")]) as model:
        one = agent("claude-code", model.url)
        one.say("go")
        assert "of the operator" not in model.everything()
        assert not (one.workspace() / "x").exists()


def test_our_tools_reach_it(agent):
    turns = [
        call("mcp__remit__node_list"),
        call("mcp__remit__node_run", device="0" * 32, command="system.run", arguments="id"),
        say("done"),
    ]
    with scripted(turns) as model:
        one = agent("claude-code", model.url)
        one.say("which devices are there?")
        assert model.results()[0] == (False, "[]")
        assert model.results()[1][0]
        assert {"node_list", "node_run"} <= {entry.tool for entry in one.log()}


def test_codex_answers_and_goes_on(agent):
    with wires([call("exec_command", cmd="echo roses > bed"), say("planted")]) as model:
        one = agent("codex", model.url + "/v1")
        assert one.say("plant roses") == "planted"
        assert (one.workspace() / "bed").read_text() == "roses\n"
        one.stop()
        one.start()
        one.say("what did I say?")
        assert "plant roses" in json.dumps(model.requests[-1]["input"])


def test_it_is_stopped_on_request_and_goes_on_with_the_next(agent):
    asked, answer = threading.Event(), threading.Event()

    def slow(_):
        asked.set()
        answer.wait(120)
        return say("too late")

    with scripted([slow, say("here I am")]) as model:
        one = agent("claude-code", model.url)
        try:
            assert one.visitor.say("think long")["fate"] == "heard"
            assert asked.wait(120)
            assert one.visitor.say("/stop")["fate"] == "heard"
            assert one.visitor.answer() == "I was stopped."
            assert one.visitor.answer() == "stopped"
            assert _clients(one) == []
        finally:
            answer.set()
        one.visitor.say("are you there?")
        assert one.visitor.answer() in ("here I am", "too late")


def test_codex_is_held_to_the_policy_and_the_guard_and_has_our_tools(agent):
    turns = [
        call("exec_command", cmd="echo hi > bed"),
        call("apply_patch", input="x"),
        call("mcp__remit/node_list"),
        say("done"),
    ]
    with wires(turns) as model:
        one = agent("codex", model.url, more='[tools.global]\ndeny = ["exec"]\n')
        assert one.say("plant roses") == "done"
        assert "TOOL_DENIED" in model.results()[0]
        assert "[]" in model.results()[-1]
        assert not (one.workspace() / "bed").exists()
        refused = [entry for entry in one.log() if entry.reason == "TOOL_DENIED"]
        assert [entry.tool for entry in refused] == ["Bash"]


def test_a_gateway_that_is_killed_leaves_no_client_and_the_turn_is_answered_by_the_next(agent):
    asked, answer = threading.Event(), threading.Event()

    def slow(_):
        asked.set()
        answer.wait(60)
        return say("here I am")

    with scripted([slow]) as model:
        one = agent("claude-code", model.url, served_by=(str(SHORT_LEASE), "none"))
        one.visitor.say("think long")
        assert asked.wait(120)
        one.gateway.gateway.kill()
        one.gateway.until(lambda: not _clients(one))
        answer.set()
        one.stop()
        one.start()
        assert one.visitor.answer() == "here I am"


def _clients(one):
    """Processes of the clients of this test."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            found += [path] * (os.fsencode(one.folder.parent / "data") in path.read_bytes())
    return found
