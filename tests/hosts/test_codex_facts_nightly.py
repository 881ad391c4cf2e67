"""What the real Codex does with hooks: the facts that its adapter and the doctor are built on. Each is a scripted session."""

import json
import re

import pytest
from other_runs import Place, codex
from scripted_model import Call, Turn, call
from scripted_wires import results

MADE = [call("exec_command", cmd="echo hi > made")]
EVENTS = (
    "PreToolUse",
    "PostToolUse",
    "SessionStart",
    "UserPromptSubmit",
    "SubagentStart",
    "SubagentStop",
    "Stop",
    "SessionEnd",
)


@pytest.fixture
def host(other_host):
    place = other_host("@openai/codex@0.166.0", "codex")
    hook(place, {})
    return place


def hook(place: Place, answer, timeout=5):
    """hooks.json with the stand-in, which answers this before a tool."""
    groups = {
        name: [{"hooks": [{"type": "command", "command": place.stand_in(name), "timeout": timeout}]}] for name in EVENTS
    }
    groups["SessionEnd"][0]["hooks"][0]["timeout"] = 3  # Codex takes no more
    place.write(".codex/hooks.json", {"hooks": groups})
    place.answers({"PreToolUse": answer})


def decision(word, **fields):
    return {"stdout": {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": word, **fields}}}


def test_the_events_of_a_session(host):
    ran = codex(host, MADE)
    assert host.made.exists()
    assert [entry["told_as"] for entry in ran.log] == [
        "SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop", "SessionEnd",
    ]  # fmt: skip
    before, after = ran.told("PreToolUse")[0], ran.told("PostToolUse")[0]
    assert (before["tool_name"], before["tool_input"]) == ("Bash", {"command": "echo hi > made"})
    assert before["permission_mode"] == "bypassPermissions"
    assert before["tool_use_id"] == after["tool_use_id"]


def test_denied_stays_denied_with_all_approvals_bypassed(host):
    hook(host, decision("deny", permissionDecisionReason="outside of the remit"))
    assert "outside of the remit" in codex(host, MADE).model.results()[0]
    assert not host.made.exists()


def test_exit_2_blocks_and_the_model_sees_why(host):
    hook(host, {"exit": 2, "stdout": "", "stderr": "no answer from the guard"})
    assert "no answer from the guard" in codex(host, MADE).model.results()[0]
    assert not host.made.exists()


@pytest.mark.parametrize(
    "answer",
    [
        decision("ask", permissionDecisionReason="a person must agree"),
        decision("deny", permissionDecisionReason=""),
        decision("deny", permissionDecisionReason="no", note="a field too many"),
        {"exit": 2, "stdout": "", "stderr": ""},
        {"exit": 1, "stdout": "", "stderr": "broken"},
        {"sleep": 3, **decision("deny", permissionDecisionReason="too late")},
    ],
    ids=["ask", "no reason", "a field too many", "exit 2 without a word", "exit 1", "late"],
)
def test_what_codex_takes_for_a_broken_hook_lets_the_tool_run(host, answer):
    hook(host, answer, timeout=1)
    codex(host, MADE)
    assert host.made.exists()


def test_changed_arguments_run(host):
    hook(host, decision("allow", updatedInput={"command": "echo other"}))
    ran = codex(host, MADE)
    assert not host.made.exists()
    assert "other" in ran.model.results()[0]


def test_a_folder_of_its_own_is_told_as_the_folder_of_the_call(host):
    ran = codex(host, [call("exec_command", cmd="pwd", workdir="/tmp")])
    assert ran.told("PreToolUse")[0]["cwd"] == "/tmp"


def test_no_hook_is_asked_about_what_is_written_to_a_running_command(host):
    """So a shell or an interpreter that reads its standard input must not be let run: what it is told later nobody sees."""

    def follow(request):
        session = re.search(r"session ID (\d+)", results(request)[-1])
        assert session
        return Turn(calls=(Call("write_stdin", {"session_id": int(session[1]), "chars": "echo hi > made\n"}),))

    ran = codex(host, [call("exec_command", cmd="bash", tty=True, yield_time_ms=500), follow])
    assert host.made.exists()
    assert [entry["tool_input"] for entry in ran.told("PreToolUse")] == [{"command": "bash"}]


def test_a_patch_in_a_command_is_applied_by_codex_itself(host):
    text = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: made\n+x\n*** End Patch\nEOF\n"
    ran = codex(host, [call("exec_command", cmd=text)])
    assert host.made.exists()
    assert ran.told("PreToolUse")[0]["tool_input"] == {"command": text}


def test_hooks_that_nobody_trusts_are_skipped_without_a_word(host):
    hook(host, decision("deny", permissionDecisionReason="no"))
    ran = codex(host, MADE, trust_all=False)
    assert host.made.exists()
    assert ran.log == []
    assert "hook" not in json.dumps([line for line in ran.stdout.splitlines() if "clamping" not in line]).lower()
