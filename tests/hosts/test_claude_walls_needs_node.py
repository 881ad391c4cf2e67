"""Commands of a skill in the real Claude Code run inside of walls: the host runs the rewritten call and keeps the folder."""

import json

import pytest
from facts_values import bash, skill
from scripted_model import say

from remit.guard.state_folder import prepared
from remit.guard.walls import Walls

WORKS = (
    {"capability": "file.read", "scope": "./**", "effect": "allow"},
    {"capability": "file.write", "scope": "./**", "effect": "allow"},
)


@pytest.fixture
def walled(held, tmp_path):
    if problem := Walls(prepared(tmp_path / "other"), tmp_path, tmp_path).problem():
        pytest.skip(f"no walls on this machine: {problem}")
    (held.place.home / ".aws").mkdir()
    (held.place.home / ".aws/credentials").write_text("planted-secret")
    held.manifest(held.skill("report", "Write reports."), *WORKS)
    return held


def test_a_command_of_a_skill_runs_inside_and_the_folder_is_kept(walled):
    (walled.work / "deep").mkdir()
    run = walled.run(
        bash("touch before; echo before"),
        skill("report"),
        bash('echo walls:$REMIT_WALLS; cd deep; python3 -c \'open("made", "w").write("x")\''),
        bash("pwd; (exit 3)"),
        bash("cat ~/.aws/credentials"),
        bash('cat $(find ~ -type f -name "cred*") < /dev/null; echo looked'),
        say("done"),
    )
    before, _, inside, folder, asked, hidden = run.model.results()
    assert before[1].strip() == "before"
    assert "walls:report" in inside[1]
    assert (walled.work / "deep/made").exists()
    assert f"{walled.work}/deep" in folder[1]
    assert folder[0], "the status is that of the command"
    assert "wants to read the secret" in asked[1]
    assert "planted-secret" not in run.model.everything()
    assert "looked" in hidden[1]
    assert walled.alarms() == []


def test_a_host_that_is_not_granted_is_named_in_what_the_model_reads(walled):
    (walled.work / "fetch.py").write_text(
        "import urllib.request\nurllib.request.urlopen('http://api.example.com/v1')\n"
    )
    run = walled.run(
        skill("report"), bash("python3 fetch.py; true"), say("done"), prompt="fetch http://api.example.com/v1"
    )
    assert "may not reach api.example.com:80" in run.model.results()[-1][1]


def test_inside_of_walls_the_host_asks_nothing_and_what_the_user_denies_stays_denied(walled):
    settings = walled.place.home / ".claude/settings.json"
    value = json.loads(settings.read_text()) | {"permissions": {"deny": ["Bash(touch denied:*)"]}}
    settings.write_text(json.dumps(value))
    turns = [skill("report"), bash("touch made"), bash("touch denied"), bash("ls"), say("done")]
    run = walled.place.run(turns, {})  # the host's own rules, and nobody there
    _, made, denied, listed = run.model.results()
    assert (made[0], denied[0], listed[0]) == (False, True, False)
    assert "Bash(touch denied:*)" in denied[1]
    assert (walled.work / "made").exists()
    assert not (walled.work / "denied").exists()
