"""The real Claude Code with `remit guard install --through-authority`: its own tools are refused, and `act` needs both policy servers."""

import json

import pytest
from facts_values import BYPASS, bash
from held_runs import Guard
from scripted_model import call

from remit.audit import Filter, Log
from remit.cli.main import main

POLICY = "policy files\nlist paths note.txt\nintent WriteWorkspaceFile\nallow token in paths\n"
EFFECTS = {"v": 1, "files": {"workspace": "workspace", "read": ["workspace"], "write": ["workspace"]}}
READY = [call("WaitForMcpServers")] * 4  # the host waits a few seconds each time; where it is there, it does not wait
NOTE = {"intent_id": "WriteWorkspaceFile", "inputs": {"path": "note.txt", "text": "by both"}}
OTHER = {"intent_id": "WriteWorkspaceFile", "inputs": {"path": "other.txt", "text": "by none"}}


@pytest.fixture
def parties(claude, monkeypatch):
    """The guard of a user whose effects go through the authorities, which run on this machine."""
    guard = Guard(claude, monkeypatch)
    folder, policy = claude.scratch / "authority", claude.scratch / "files.policy"
    policy.write_text(POLICY)
    try:
        guard.remit("up", "--folder", folder, "--policy", policy)
        (folder / "effects.json").write_text(json.dumps(EFFECTS))
        guard.remit("up", "--folder", folder)
        wide = ("--intent", "*", "--sink", "*", "--out", claude.scratch / "agent.cred")
        guard.remit("gateway", "give", "agent", *wide, "--folder", folder)
        guard.folder = folder
        guard.remit(*through(guard))
        yield guard
    finally:
        main(["down", "--folder", str(folder)])
        guard.end()


def through(guard):
    credential = guard.place.scratch / "agent.cred"
    words = ("guard", "install", "claude-code", "--through-authority")
    return (*words, "--credential", credential, "--folder", guard.folder)


def act(said, tx_id=""):
    return call("mcp__remit__act", **said, **({"constraints": {"tx_id": tx_id}} if tx_id else {}))


def committed(request):
    """The second call, with the name of the transaction that the first one was told."""
    told = json.dumps(request["messages"])
    return act(NOTE, told.split("tx_id")[-1].strip('\\": ')[:32])


def test_the_hosts_own_tools_are_refused_and_act_reaches_the_executor_with_both_servers(parties):
    made = parties.work / "made"
    turns = [
        *READY,
        bash(f"touch {made}"),
        call("Write", file_path=str(made), content="x"),
        act(OTHER),
        act(NOTE),
        committed,
    ]
    results = parties.place.run(turns, {}, *BYPASS).model.results()[len(READY) :]
    shell, write, other, preview, done = results
    assert (shell[0], write[0]) == (True, True)
    assert not made.exists()
    assert (other[0], '"POLICY_DENY"' in other[1]) == (True, True)
    assert (preview[0], '"PREVIEW"' in preview[1]) == (False, True)
    assert (done[0], '"OK"' in done[1]) == (False, True)
    assert (parties.folder / "workspace/note.txt").read_text() == "by both"
    assert not (parties.folder / "workspace/other.txt").exists()
    with Log.open(parties.folder / "state/executor") as log:
        assert [one.entry.outcome for one in log.records(Filter())] == ["admit", "executed"]


def test_the_doctor_says_the_mode_and_whether_the_authority_answers(parties, capsys):
    assert (
        main(["guard", "doctor", "claude-code", "--project", str(parties.work), "--format", "json"]) == 1
    )  # no --managed
    told = json.loads(capsys.readouterr().out)
    locks = {trap["id"]: trap["lock"] for trap in told["traps"]}
    assert {locks[name] for name in ("authority-tools", "authority-server", "authority-name")} == {"closed"}
    assert told["effects"].endswith("all parties answer")
    main(["down", "--folder", str(parties.folder)])
    main(["guard", "doctor", "claude-code", "--project", str(parties.work), "--format", "json"])
    told = json.loads(capsys.readouterr().out.partition("\n")[2])
    assert {trap["id"]: trap["lock"] for trap in told["traps"]}["authority-server"] == "open"
    assert "p0 does not run" in told["effects"]


def test_without_the_flag_the_tools_are_back(parties):
    parties.remit("guard", "install", "claude-code")
    made = parties.work / "made"
    ((failed, _),) = parties.place.run([bash(f"touch {made}")], {}, *BYPASS).model.results()
    assert (failed, made.exists()) == (False, True)
    assert "remit" not in json.loads((parties.place.home / ".claude.json").read_text()).get("mcpServers", {})
