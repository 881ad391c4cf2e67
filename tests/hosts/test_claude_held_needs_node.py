"""The real Claude Code with the whole guard in it, in bypass mode: only the guard stands between the model and the machine."""

import json
import signal
import threading

from facts_values import bash
from scripted_model import call


def test_what_is_allowed_runs_and_what_is_denied_does_not_whatever_the_mode(held):
    held.careful()
    (held.work / "notes.txt").write_text("plain words")
    (held.work / ".env").write_text("TOKEN=hush-hush-hush")
    run = held.run(
        bash("echo hi > made && cat notes.txt"),
        bash("cat .env"),
        bash("sudo touch other"),
        bash("echo '{}' > ~/.claude/settings.json"),
        call("Write", file_path=str(held.place.home / ".bashrc"), content="true"),
        call("Read", file_path=str(held.state / "guard.lock")),
    )
    results = run.model.results()
    assert [failed for failed, _ in results] == [False, True, True, True, True, True]
    assert "plain words" in results[0][1]
    assert (held.work / "made").exists()
    assert all("remit: " in text for failed, text in results if failed)
    assert "hush" not in run.model.everything()
    assert json.loads((held.place.home / ".claude/settings.json").read_text())["hooks"]
    assert (held.decisions("Bash"), held.ran("Bash")) == (["admit", "deny", "deny", "deny"], 1)


def test_what_a_person_must_agree_to_is_refused_with_an_id_and_admitted_once_after_it(held):
    held.careful()
    (held.work / "old.txt").write_text("x")

    def agreed(_request):
        held.approve()
        return bash("rm old.txt")

    run = held.run(bash("rm old.txt"), bash("ls"), agreed, bash("rm old.txt"))
    first, listed, second, third = run.model.results()
    assert first[0]
    assert "old.txt" in listed[1]
    assert not second[0]
    assert not (held.work / "old.txt").exists()
    assert third[0]
    (open_question,) = held.questions()
    assert open_question.id in third[1]
    assert open_question.id not in first[1]
    assert "`remit approvals`" in first[1]
    assert (held.decisions("Bash"), held.ran("Bash")) == (["deny", "admit", "person-approved", "deny"], 2)


def test_a_daemon_that_is_killed_in_the_middle_of_a_call_blocks_it_and_the_next_call_finds_a_new_one_nightly(held):
    """By day in Codex (test_other_held_needs_node.py)."""
    seen = []

    def meanwhile(_request):
        """It holds the question, and dies before it answers."""
        seen.append(held.pid())
        held.kill(signal.SIGSTOP)
        threading.Timer(1, held.kill).start()
        return bash("touch made")

    run = held.run(bash("ls"), meanwhile, bash("touch later"))
    _, blocked, later = run.model.results()
    assert blocked[0]
    assert "remit: denied" in blocked[1]
    assert not (held.work / "made").exists()
    assert not later[0]
    assert (held.work / "later").exists()
    assert held.pid() != seen[0]


def test_a_daemon_that_hangs_blocks_before_the_host_gives_up(held, monkeypatch):
    monkeypatch.setattr("remit.guard.install.model.CLIENT_SECONDS", 5)
    held.remit("guard", "install", "claude-code")

    def hangs(_request):
        held.kill(signal.SIGSTOP)
        return bash("touch made")

    def goes_on(_request):
        held.kill(signal.SIGCONT)
        return bash("touch later")

    run = held.run(bash("ls"), hangs, goes_on)
    _, blocked, later = run.model.results()
    assert blocked[0]
    assert "no answer in time" in blocked[1]
    assert not (held.work / "made").exists()
    assert not later[0]
    assert "touch made" not in [one.entry.arguments.get("command") for one in held.records() if one.entry.outcome]


def test_what_passes_is_answered_with_nothing_so_that_the_own_rules_of_the_host_go_on(held):
    run = held.place.run([bash("touch made")], {"permissions": {"deny": ["Bash(touch:*)"]}})
    assert run.model.results()[0][0]
    assert not (held.work / "made").exists()
    assert (held.decisions("Bash"), held.ran("Bash")) == (["admit"], 0)
