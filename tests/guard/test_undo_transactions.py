"""Snapshots, the buffer and the biconditional, in sessions whose commands really run."""

import os
import subprocess

import pytest
from engine_world import Agent

from remit.audit.entry import Outcome as Ended
from remit.guard.event import Kind, Outcome
from remit.guard.undo import Limits
from remit.policy.session import HORIZON


@pytest.fixture
def agent(tmp_path):
    agent = Agent(tmp_path)
    (agent.root / "a.txt").write_text("old")
    agent.tell(Kind.SESSION)
    return agent


def git(root, *words):
    who = ["-c", "user.name=P", "-c", "user.email=p@example.org"]
    return subprocess.run(["git", *who, *words], cwd=root, capture_output=True, text=True, check=True).stdout.strip()


def commit(root, message):
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def executed(agent):
    return [entry for entry in agent.records() if entry.outcome is Ended.EXECUTED]


def alarms(agent):
    return [entry.reason for entry in agent.records() if entry.op == "alarm"]


def test_a_write_can_be_undone(agent):
    agent.really_runs("echo new > a.txt; echo made > b.txt")
    (live,) = agent.engine.sessions.all()
    (ident,) = live.buffer.waiting
    assert agent.engine.transactions.store.restore(ident).refused == ()
    assert (agent.root / "a.txt").read_text() == "old"
    assert not (agent.root / "b.txt").exists()


def test_a_write_waits_and_what_cannot_be_undone_flushes_it_first(agent):
    agent.really_runs("echo new > a.txt")
    assert executed(agent) == []
    verdict = agent.runs("rm a.txt")
    agent.approve(verdict)
    assert agent.runs("rm a.txt").outcome is Outcome.PASS
    assert [entry.capability for entry in executed(agent)] == ["shell.execute"]
    assert alarms(agent) == []


def test_what_waits_is_written_down_at_the_end(agent):
    agent.really_runs("echo new > a.txt")
    agent.tell(Kind.END)
    assert len(executed(agent)) == 1


def test_the_horizon_flushes(agent):
    for number in range(HORIZON - 1):
        agent.really_runs(f"echo {number} > a.txt") if number % 10 == 0 else agent.really_runs("ls")
    waiting = agent.engine.sessions.all()[0].buffer.waiting
    assert waiting
    agent.really_runs("ls")
    assert agent.engine.sessions.all()[0].buffer.waiting == ()
    assert len(executed(agent)) == HORIZON


def test_what_is_undone_is_not_recorded(agent):
    agent.really_runs("echo new > a.txt")
    (ident,) = agent.engine.sessions.all()[0].buffer.waiting
    agent.engine.transactions.store.restore(ident)
    agent.tell(Kind.END)
    assert executed(agent) == []


def test_a_change_that_nobody_admitted_is_named_at_the_flush(agent):
    agent.really_runs("echo new > a.txt")
    (agent.root / "planted.txt").write_text("by nobody")
    agent.tell(Kind.END)
    assert any("planted.txt" in alarm for alarm in alarms(agent))
    assert not any("a.txt:" in alarm for alarm in alarms(agent))


def test_calls_that_overlap_are_each_recorded_once(agent):
    agent.before("Bash", command="echo 1 > a.txt")
    agent.before("Bash", command="echo 2 > b.txt")
    for number in (1, 2):
        command = f"echo {number} > {'ab'[number - 1]}.txt"
        agent.tell(Kind.AFTER, tool="Bash", args={"command": command}, call=f"c{number}")
    agent.tell(Kind.END)
    assert sorted(entry.call for entry in executed(agent)) == ["c1", "c2"]


def test_what_appears_among_the_settings_of_the_workspace_is_reported_and_left(agent):
    """Where an archive writes, only the run shows; that the call did it, nothing proves."""
    verdict = agent.runs("unzip -o a.zip")
    assert verdict.outcome is Outcome.PASS
    (agent.root / ".claude").mkdir()
    (agent.root / ".claude" / "settings.json").write_text('{"hooks": {}}')
    (agent.root / "skills.lock").write_text("{}")
    (agent.root / "a.pdf").write_text("pdf")
    (agent.root / "deep" / ".claude").mkdir(parents=True)
    (agent.root / "deep" / ".claude" / "settings.json").write_text("{}")
    verdict = agent.after("Bash", command="unzip -o a.zip")
    assert "ALARM" in verdict.note
    assert verdict.reason in verdict.note.replace("ALARM: ", "")  # the person sees what the agent sees
    found = sorted(alarms(agent))
    assert [one.split()[0].strip("`") for one in found] == [
        str(agent.root / name) for name in (".claude/settings.json", "skills.lock")
    ]
    assert all(" was made between " in one and "`remit undo --call " in one for one in found)
    assert (agent.root / ".claude" / "settings.json").read_text() == '{"hooks": {}}'
    assert (agent.root / "skills.lock").exists()
    ident = found[0].partition("--call ")[2].partition(" ")[0]
    assert not agent.engine.transactions.store.plan(ident).paths  # anyone may have made them
    plan = agent.engine.transactions.store.plan(ident, force=True)  # a person may still want it undone
    assert {str(agent.root / ".claude" / "settings.json"), str(agent.root / "skills.lock")} <= set(plan.paths)


def test_where_there_is_more_than_can_be_kept_only_what_is_sensitive_is_kept(agent, monkeypatch):
    monkeypatch.setattr(agent.engine.transactions.store, "_limits", Limits(entries=2))
    (agent.root / ".env").write_text("old")
    for change in ("same", "other"):
        assert agent.runs("unzip -o a.zip").outcome is Outcome.PASS
        if change == "other":
            (agent.root / ".env").write_text("new")
        note = agent.after("Bash", command="unzip -o a.zip").note
        assert (".env` was changed" in note) is (change == "other")
    (kept,) = agent.engine.transactions.store.all()  # what nothing happened to is forgotten
    assert f"`remit undo --call {kept.ident} --force --dry-run`" in note
    assert agent.engine.transactions.store.restore(kept.ident).done == (str(agent.root / ".env"),)
    assert (agent.root / ".env").read_text() == "old"


def test_hooks_and_settings_of_a_repository_are_reported_and_its_index_is_not(agent):
    git(agent.root, "init", "-q")
    (agent.root / ".git" / "index").write_bytes(b"old")
    assert agent.runs("unzip -o a.zip").outcome is Outcome.PASS
    (agent.root / ".git" / "index").write_bytes(b"refreshed")
    (agent.root / ".git" / "hooks" / "post-checkout").write_text("#!/bin/sh")
    with (agent.root / ".git" / "config").open("a") as config:
        config.write("[core]\n")
    agent.after("Bash", command="unzip -o a.zip")
    found = sorted(alarms(agent))
    assert [one.split()[:3] for one in found] == [
        [f"`{agent.root}/.git/config`", "was", "changed"],
        [f"`{agent.root}/.git/hooks/post-checkout`", "was", "made"],
    ]
    assert all("remit undo" not in one for one in found)
    assert (agent.root / ".git" / "hooks" / "post-checkout").exists()


def test_a_repository_that_appears_is_no_alarm(agent):
    assert agent.runs("unzip -o a.zip").outcome is Outcome.PASS
    git(agent.root, "init", "-q")
    assert agent.after("Bash", command="unzip -o a.zip").note == ""


def test_that_git_refreshed_its_index_between_calls_is_no_alarm(agent):
    commit(agent.root, "first")
    agent.tell(Kind.SESSION)
    agent.really_runs("echo new > b.txt")
    index = (agent.root / ".git" / "index").read_bytes()
    os.utime(agent.root / "a.txt", (1, 1))
    git(agent.root, "status")
    assert (agent.root / ".git" / "index").read_bytes() != index
    agent.tell(Kind.END)
    assert alarms(agent) == []
