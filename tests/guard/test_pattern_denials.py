"""What people said about a place inside of a pattern counts for calls that write or delete by the pattern."""

import hashlib
import json
import shutil

from engine_world import Agent

from each_row import each_row
from remit.guard.call_analysis import pattern_denials
from remit.guard.event import Kind, Outcome
from remit.guard.store import trust_file

ALLOWED = [
    {"capability": "file.read", "scope": "./**", "effect": "allow"},
    {"capability": "file.write", "scope": "./**", "effect": "allow"},
    {"capability": "file.delete", "scope": "./**", "effect": "allow"},
    {"capability": "shell.execute", "effect": "allow"},
]
COPIES = "cp -r from/. ."
CLEARS = "find from -name '*.txt' -delete"


def world(tmp_path, *entries):
    agent = Agent(tmp_path)
    for name in ("prod/keep.txt", "from/prod/keep.txt", "from/prod/new.txt", "from/other/new.txt"):
        (agent.root / name).parent.mkdir(parents=True, exist_ok=True)
        (agent.root / name).write_text("new" if name.startswith("from") else "old")
    defaults = agent.root / "remit-defaults.json"
    defaults.write_text(json.dumps({"session_defaults": {"permissions": [*ALLOWED, *entries]}}))
    digest = "sha256:" + hashlib.sha256(defaults.read_bytes()).hexdigest()
    trust_file(agent.engine.sessions.store, str(defaults), digest, now=1)
    agent.tell(Kind.SESSION)
    return agent


def said(effect, capability="file.*", scope="./prod/**"):
    return {"capability": capability, "scope": scope, "effect": effect}


def state(agent):
    names = ("prod/keep.txt", "prod/new.txt", "other/new.txt")
    return [(agent.root / name).read_text() if (agent.root / name).exists() else "" for name in names]


@each_row("scope", ["./prod/**", "./PROD/**", "./**/prod/*.txt"])
def test_a_write_by_a_pattern_that_may_reach_a_denied_place_is_asked_about_and_reported(tmp_path, scope):
    agent = world(tmp_path, said("deny", "file.write", scope))
    verdict = agent.runs(COPIES)
    assert "which is denied" in verdict.reason
    agent.approve(verdict)
    note = agent.really_runs(COPIES).note
    assert "prod/keep.txt` was changed" in note
    assert "prod/new.txt` was made" in note
    assert "other/new.txt" not in note
    assert state(agent) == ["new", "new", "new"]


def test_without_a_denial_it_is_written(tmp_path):
    agent = world(tmp_path, said("deny", "file.delete"), said("deny", "file.write", "/elsewhere/**"))
    assert agent.really_runs(COPIES).note == ""
    assert state(agent) == ["new", "new", "new"]


def test_a_denial_of_source_code_leaves_other_files_alone(tmp_path):
    agent = world(tmp_path, said("deny", "source.write"))
    (agent.root / "from/prod/code.py").write_text("new")
    agent.approve(agent.runs(COPIES))
    note = agent.really_runs(COPIES).note
    assert "code.py" in note
    assert "new.txt" not in note
    assert state(agent) == ["new", "new", "new"]


def test_a_pattern_that_is_deleted_and_meets_a_denial_is_denied(tmp_path):
    agent = world(tmp_path, said("deny", "file.delete", "./from/prod/**"))
    verdict = agent.runs(CLEARS)
    assert (verdict.outcome, verdict.approval) == (Outcome.DENY, "")
    assert "is denied by" in verdict.reason


def test_one_that_meets_nothing_of_it_goes_on(tmp_path):
    agent = world(tmp_path, said("deny", "file.delete", "./from/prod/**"))
    assert agent.runs(CLEARS).outcome is Outcome.DENY
    shutil.rmtree(agent.root / "from/prod")
    assert agent.runs(CLEARS).reason == ""


def test_what_a_workspace_wants_to_be_asked_about_is_asked_about(tmp_path):
    agent = world(tmp_path, said("confirm", "file.write"))
    verdict = agent.runs(COPIES)
    assert verdict.approval
    assert "/prod/**`, which needs your approval" in verdict.reason
    assert agent.runs("cp -r from/other copy").reason == ""


def test_a_denial_in_the_manifest_of_the_skill_that_acts_counts_and_no_other(tmp_path):
    agent = world(tmp_path)
    agent.skill("careful", permissions=[said("deny", "file.write")])
    assert agent.really_runs(COPIES).note == ""
    (agent.root / "prod/keep.txt").write_text("old")
    (agent.root / "prod/new.txt").unlink()
    agent.loads("careful")
    agent.approve(agent.runs(COPIES))
    assert "may not do that" in agent.really_runs(COPIES).note
    assert state(agent)[:2] == ["new", "new"]


def test_among_too_many_files_the_call_is_refused(tmp_path, monkeypatch):
    agent = world(tmp_path, said("deny", "file.write"))
    monkeypatch.setattr(pattern_denials, "MOST", 2)
    agent.approve(agent.runs(COPIES))
    verdict = agent.runs(COPIES)
    assert verdict.outcome is Outcome.DENY
    assert "is among too many files to check" in verdict.reason
