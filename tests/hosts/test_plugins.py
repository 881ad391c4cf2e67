"""The plugins by themselves, in Node, with a daemon that answers, does not, or says nonsense."""

import json
import shutil
import subprocess
import sys

import pytest
from stand_in_daemon import daemon, denies_tools

from remit.guard.event import Kind, Outcome, Verdict
from remit.guard.install.model import CLIENT_SECONDS, Site
from remit.guard.install.registry import plugin_text

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")

OPENCODE = """
import { Remit } from "./remit.mjs";
const hooks = await Remit({ directory: "/w" });
const output = { args: { command: "ls", timeout: 1 } };
try {
  await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, output);
  console.log(JSON.stringify({ runs: output.args }));
} catch (error) {
  console.log(JSON.stringify({ refused: error.message }));
}
"""
OPENCLAW = """
import plugin from "./remit.mjs";
const hooks = {};
plugin.register({ on: (name, hook, options) => (hooks[name] = { hook, options }), config: { agents: { defaults: { workspace: "/w" } } } });
const event = { toolName: "exec", params: { command: "ls" }, toolCallId: "c" };
const said = await hooks.before_tool_call.hook(event, { sessionId: "s", agentId: "main", abortSignal: {} });
console.log(JSON.stringify(said.block ? { refused: said.blockReason } : { runs: said.params, asks: said.requireApproval?.description }));
"""
CALLERS = {"opencode": OPENCODE, "openclaw": OPENCLAW}


def called(tmp_path, host, state, client=None, seconds=CLIENT_SECONDS):
    """What the plugin makes of a call, in a Node of its own."""
    text = plugin_text(host, Site(tmp_path, tmp_path, state)).decode()
    line = next(line for line in text.splitlines() if line.startswith("const SETTINGS"))
    settings = json.JSONDecoder().raw_decode(line.removeprefix("const SETTINGS = "))[0] | {"seconds": seconds}
    if client:
        (tmp_path / "client.py").write_text(client)
        settings["client"] = [sys.executable, str(tmp_path / "client.py"), "EVENT"]
    (tmp_path / "remit.mjs").write_text(text.replace(line, f"const SETTINGS = {json.dumps(settings)};"))
    (tmp_path / "caller.mjs").write_text(CALLERS[host])
    done = subprocess.run([NODE, "caller.mjs"], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=True)
    return json.loads(done.stdout)


hosts = pytest.mark.parametrize("host", CALLERS)


@hosts
def test_what_passes_runs_as_it_is(tmp_path, host):
    with daemon() as ours:
        assert called(tmp_path, host, ours.state)["runs"]["command"] == "ls"
    event = ours.events[0]
    assert (event.host, event.kind, event.session, event.cwd, event.call) == (host, Kind.BEFORE, "s", "/w", "c")


@hosts
def test_what_is_denied_is_refused_with_the_reason(tmp_path, host):
    with daemon(denies_tools) as ours:
        assert called(tmp_path, host, ours.state) == {"refused": "outside of the remit"}


@hosts
def test_changed_arguments_replace_all_others(tmp_path, host):
    with daemon(lambda _: Verdict(Outcome.PASS, changed={"command": "true"})) as ours:
        assert called(tmp_path, host, ours.state)["runs"] == {"command": "true"}


def test_only_a_host_that_can_ask_is_told_to(tmp_path):
    with daemon(lambda _: Verdict(Outcome.ASK, "a person must agree")) as ours:
        assert called(tmp_path, "openclaw", ours.state) == {"runs": {"command": "ls"}, "asks": "a person must agree"}
        assert called(tmp_path, "opencode", ours.state) == {"refused": "a person must agree"}


@hosts
@pytest.mark.parametrize(
    "raw",
    [
        b"garbage",
        b"remit1 0 2 0\n",
        b"remit1 0 2 0\n{}x",
        b"remit1 1 2 0\n{}",
        b"remit1 0 02 0\n{}",
        b"remit1 0 2 0\nno",
        b"remit1 0 4 0\nnull",
        b'remit1 0 14 0\n{"allow":true}',
        b"remit1 2 0 0\n",
        b"remit1 0 2 0 \n{}",
    ],
)
def test_an_answer_that_is_not_of_the_protocol_is_a_refusal(tmp_path, host, raw):
    with daemon(raw=raw) as ours:
        assert "refused" in called(tmp_path, host, ours.state)


@hosts
def test_no_answer_in_time_is_a_refusal(tmp_path, host):
    with daemon(raw=b"") as ours:
        assert "no answer in time" in called(tmp_path, host, ours.state, seconds=0.5)["refused"]


@hosts
def test_a_state_folder_that_is_open_to_others_is_a_refusal(tmp_path, host):
    with daemon() as ours:
        ours.state.chmod(0o755)
        assert "not ours alone" in called(tmp_path, host, ours.state)["refused"]


@hosts
@pytest.mark.parametrize(
    ("client", "said"),
    [
        ("import sys; assert sys.argv[1]; sys.stdin.read(); print('{}')", {"runs"}),
        ("import sys; sys.stderr.write('remit: denied: no'); sys.exit(2)", {"refused"}),
        ("raise SystemExit(1)", {"refused"}),
        ("import os; os.kill(os.getpid(), 9)", {"refused"}),
        ("print('nonsense')", {"refused"}),
    ],
    ids=["answers", "denies", "breaks", "is killed", "says nonsense"],
)
def test_where_no_daemon_listens_the_client_is_asked(tmp_path, host, client, said):
    assert said <= set(called(tmp_path, host, tmp_path / "nowhere", client))


@hosts
def test_a_daemon_of_another_version_makes_way(tmp_path, host):
    with daemon(raw=b"remit1 version 9.9.9\n") as ours:
        found = called(tmp_path, host, ours.state, "import sys; sys.stdin.read(); print('{}')")
    assert "runs" in found


@hosts
def test_a_client_that_is_not_there_is_a_refusal(tmp_path, host):
    (tmp_path / "state").mkdir(mode=0o700)
    text = "import sys, os; os.unlink(sys.argv[0]); sys.exit(2)"
    assert "refused" in called(tmp_path, host, tmp_path / "state", text)
