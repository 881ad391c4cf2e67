"""What the real Claude Code does with hooks: the facts that the guard is built on. Each is a scripted session."""

import json

import pytest
from claude_runs import hooks
from facts_values import BYPASS, decision, touch
from scripted_model import Call, Turn, call, say


def test_without_a_word_from_the_hook_the_tool_runs(claude):
    run = claude.run(touch(), claude.stand_in({}), *BYPASS)
    assert (claude.work / "made").exists()
    before, after = run.told("PreToolUse"), run.told("PostToolUse")
    assert [entry["tool_name"] for entry in before] == ["Bash"]
    assert before[0]["tool_input"]["command"] == "touch made"
    assert before[0]["permission_mode"] == "bypassPermissions"
    assert before[0]["tool_use_id"] == after[0]["tool_use_id"]
    assert "agent_id" not in before[0]
    order = [entry["hook_event_name"] for entry in run.log]
    assert order == [
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PostToolBatch", "Stop", "SessionEnd",
    ]  # fmt: skip


def test_only_the_environment_of_a_hook_tells_that_nobody_can_be_asked(claude):
    run = claude.run([say("done")], claude.stand_in({}))
    prompt = run.told("UserPromptSubmit")[0]
    assert prompt["environment"]["CLAUDE_CODE_ENTRYPOINT"] == "sdk-cli"
    assert prompt["permission_mode"] == "default"


@pytest.mark.parametrize("mode", ["bypassPermissions", "dontAsk", "plan"])
def test_denied_stays_denied_in_every_mode(claude, mode):
    denied = decision("deny", permissionDecisionReason="outside of the remit")
    run = claude.run(touch(), claude.stand_in({"PreToolUse": denied}), "--permission-mode", mode)
    assert not (claude.work / "made").exists()
    assert run.model.results() == [(True, "outside of the remit")]


def test_exit_2_blocks_and_the_model_sees_why(claude):
    answers = {"PreToolUse": {"exit": 2, "stdout": "", "stderr": "no answer from the guard"}}
    run = claude.run(touch(), claude.stand_in(answers), *BYPASS)
    assert not (claude.work / "made").exists()
    assert "no answer from the guard" in run.model.results()[0][1]


@pytest.mark.parametrize("mode", ["bypassPermissions", "default"])
def test_what_a_person_must_be_asked_about_is_refused_where_there_is_none(claude, mode):
    asked = decision("ask", permissionDecisionReason="a person must agree")
    run = claude.run(touch(), claude.stand_in({"PreToolUse": asked}), "--permission-mode", mode)
    assert not (claude.work / "made").exists()
    assert run.model.results()[0][0]


FAILING = {
    "exit 1": {"exit": 1, "stdout": "", "stderr": "broken"},
    "no JSON": {"stdout": "{broken"},
    "a word that it does not know": decision("forbid"),
}


@pytest.mark.parametrize("answer", FAILING.values(), ids=FAILING)
def test_a_hook_that_fails_fails_open(claude, answer):
    claude.run(touch(), claude.stand_in({"PreToolUse": answer}), *BYPASS)
    assert (claude.work / "made").exists()


def test_a_deny_counts_whatever_the_exit_status(claude):
    claude.run(touch(), claude.stand_in({"PreToolUse": decision("deny") | {"exit": 1}}), *BYPASS)
    assert not (claude.work / "made").exists()


def test_a_hook_that_is_late_fails_open(claude):
    late = decision("deny") | {"sleep": 30}
    run = claude.run(touch(), claude.stand_in({"PreToolUse": late}, timeout=0.5), *BYPASS)
    assert (claude.work / "made").exists()
    assert run.told("PreToolUse")


def test_a_hook_that_is_not_there_fails_open(claude):
    claude.run(touch(), hooks({"PreToolUse": "/nowhere/at/all"}), *BYPASS)
    assert (claude.work / "made").exists()


def test_an_http_hook_whose_server_is_down_fails_open(claude):
    settings = {"hooks": {"PreToolUse": [{"matcher": "", "hooks": [{"type": "http", "url": "http://127.0.0.1:9/"}]}]}}
    claude.run(touch(), settings, *BYPASS)
    assert (claude.work / "made").exists()


def test_all_hooks_can_be_turned_off_by_a_setting(claude):
    denied = claude.stand_in({"PreToolUse": decision("deny")})
    claude.run(touch(), denied | {"disableAllHooks": True}, *BYPASS)
    assert (claude.work / "made").exists()


def test_a_project_can_turn_off_the_hooks_of_its_user(claude):
    (claude.home / ".claude").mkdir()
    (claude.home / ".claude/settings.json").write_text(json.dumps(claude.stand_in({"PreToolUse": decision("deny")})))
    (claude.work / ".claude").mkdir()
    (claude.work / ".claude/settings.json").write_text(json.dumps({"disableAllHooks": True}))
    run = claude.run(touch(), {}, *BYPASS)
    assert (claude.work / "made").exists()
    assert not run.log


def test_the_input_can_be_changed_and_what_ran_is_told(claude):
    changed = decision("allow", updatedInput={"command": "touch other", "description": "make a file"})
    run = claude.run(touch(), claude.stand_in({"PreToolUse": changed}))
    assert (claude.work / "other").exists()
    assert not (claude.work / "made").exists()
    assert run.told("PostToolUse")[0]["tool_input"]["command"] == "touch other"


def test_the_input_can_be_changed_without_deciding(claude):
    said = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "updatedInput": {"command": "touch other"}}}
    claude.run(touch(), claude.stand_in({"PreToolUse": {"stdout": said}}), *BYPASS)
    assert (claude.work / "other").exists()
    assert not (claude.work / "made").exists()


def test_a_note_reaches_the_model(claude):
    said = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "additionalContext": "a note of the guard"}}
    run = claude.run(touch(), claude.stand_in({"PreToolUse": {"stdout": said}}), *BYPASS)
    assert (claude.work / "made").exists()
    assert "a note of the guard" in run.model.everything()


@pytest.mark.parametrize("event", ["SessionStart", "UserPromptSubmit", "PostToolUse"])
def test_a_note_reaches_the_model_at_other_events(claude, event):
    said = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": "a note of the guard"}}
    run = claude.run(touch(), claude.stand_in({event: {"stdout": said}}), *BYPASS)
    assert "a note of the guard" in run.model.everything()


def test_a_prompt_can_be_blocked(claude):
    said = {"decision": "block", "reason": "not this prompt"}
    run = claude.run(touch(), claude.stand_in({"UserPromptSubmit": {"stdout": said}}), *BYPASS)
    assert not run.model.requests
    assert "not this prompt" in run.stdout


def test_what_a_tool_printed_can_be_replaced_before_the_model_sees_it(claude):
    (claude.work / "a.txt").write_text("the key is 1234")
    out = {"stdout": "the key is hidden", "stderr": "", "interrupted": False, "isImage": False}
    said = {"hookSpecificOutput": {"hookEventName": "PostToolUse", "updatedToolOutput": out}}
    turns = [call("Bash", command="cat a.txt"), say("done")]
    run = claude.run(turns, claude.stand_in({"PostToolUse": {"stdout": said}}), *BYPASS)
    assert "the key is hidden" in run.model.results()[0][1]
    assert "1234" not in run.model.everything()


def test_the_end_can_be_refused_and_the_model_goes_on(claude):
    said = {"decision": "block", "reason": "there is a key in your answer"}
    answers = {"Stop": {"stdout": said}}
    run = claude.run([say("first"), say("second")], claude.stand_in(answers), "--max-turns", "3", *BYPASS)
    assert "there is a key in your answer" in run.model.everything()
    assert [entry["stop_hook_active"] for entry in run.told("Stop")][:2] == [False, True]
    assert run.told("Stop")[0]["last_assistant_message"] == "first"


def test_calls_of_subagents_pass_the_hooks_and_name_the_agent(claude):
    task = call("Agent", description="help", prompt="the small task", subagent_type="general-purpose")
    run = claude.run(
        [task, say("done")], claude.stand_in({"PreToolUse:Bash": decision("deny")}), *BYPASS,
        agents={"the small task": touch()},
    )  # fmt: skip
    assert not (claude.work / "made").exists()
    calls = {entry["tool_name"]: entry for entry in run.told("PreToolUse")}
    assert "agent_id" not in calls["Agent"]
    assert calls["Bash"]["agent_id"]
    assert calls["Bash"]["agent_type"] == "general-purpose"
    assert run.told("SubagentStart")[0]["agent_id"] == calls["Bash"]["agent_id"]
    assert calls["Bash"]["session_id"] == calls["Agent"]["session_id"]


def test_several_calls_at_once_are_each_judged(claude):
    both = Turn(calls=(Call("Bash", {"command": "touch a"}), Call("Bash", {"command": "touch b"})))
    run = claude.run([both, say("done")], claude.stand_in({"PreToolUse": decision("deny")}), *BYPASS)
    assert len(run.told("PreToolUse")) == 2
    assert not list(claude.work.glob("[ab]"))


def test_a_failing_tool_is_told_apart(claude):
    run = claude.run([call("Bash", command="exit 3"), say("done")], claude.stand_in({}), *BYPASS)
    assert run.told("PostToolUseFailure")[0]["tool_name"] == "Bash"
    assert not run.told("PostToolUse")
