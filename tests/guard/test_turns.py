"""Snapshots, the buffer and the biconditional, in sessions whose commands really run."""

import pytest
from engine_world import Agent

from remit.audit.entry import Outcome as Ended
from remit.guard.event import Kind, Outcome
from remit.policy.session import HORIZON


@pytest.fixture
def agent(tmp_path):
    agent = Agent(tmp_path)
    (agent.root / "a.txt").write_text("old")
    agent.tell(Kind.SESSION)
    return agent


def executed(agent):
    return [entry for entry in agent.records() if entry.outcome is Ended.EXECUTED]


def alarms(agent):
    return [entry.reason for entry in agent.records() if entry.op == "alarm"]


def test_a_write_can_be_undone(agent):
    agent.really_runs("echo new > a.txt; echo made > b.txt")
    (live,) = agent.engine.lives.all()
    (ident,) = live.buffer.waiting
    assert agent.engine.turns.store.restore(ident).refused == ()
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
    waiting = agent.engine.lives.all()[0].buffer.waiting
    assert waiting
    agent.really_runs("ls")
    assert agent.engine.lives.all()[0].buffer.waiting == ()
    assert len(executed(agent)) == HORIZON


def test_what_is_undone_is_not_recorded(agent):
    agent.really_runs("echo new > a.txt")
    (ident,) = agent.engine.lives.all()[0].buffer.waiting
    agent.engine.turns.store.restore(ident)
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


def test_a_pattern_that_reaches_the_settings_of_the_workspace_is_taken_back(agent):
    """Where an archive writes, only the run shows."""
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
    assert not (agent.root / ".claude" / "settings.json").exists()
    assert not (agent.root / "skills.lock").exists()
    assert (agent.root / "a.pdf").exists()
    assert (agent.root / "deep" / ".claude" / "settings.json").exists()
