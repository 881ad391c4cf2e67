"""What the real Gemini, Copilot and opencode do with hooks: the facts that their adapters and the doctor are built on."""

import json

import pytest
from other_runs import GEMINI_AUTH, copilot, gemini, opencode
from scripted_model import call

GEMINI_MADE = [call("run_shell_command", command="echo hi > made")]
COPILOT_MADE = [call("bash", command="echo hi > made", description="x")]
DENIED = {"stdout": {"decision": "deny", "reason": "no"}}


@pytest.fixture
def gemini_host(other_host):
    place = other_host("@google/gemini-cli@0.61.0", "gemini")
    events = ("BeforeTool", "AfterTool")
    hooks = {
        name: [{"matcher": "*", "hooks": [{"type": "command", "command": place.stand_in(name), "timeout": 2000}]}]
        for name in events
    }
    place.write(".gemini/settings.json", GEMINI_AUTH | {"hooks": hooks})
    return place


@pytest.mark.parametrize(
    "answer",
    [{"exit": 2, "stdout": "", "stderr": ""}, {"stdout": "no JSON"}, {"sleep": 4, **DENIED}],
    ids=["exit 2 without a word", "no JSON", "late"],
)
def test_what_gemini_takes_for_a_broken_hook_lets_the_tool_run(gemini_host, answer):
    gemini_host.answers({"BeforeTool": answer})
    gemini(gemini_host, GEMINI_MADE)
    assert gemini_host.made.exists()


def test_a_project_can_turn_the_hooks_of_gemini_off(gemini_host):
    gemini_host.answers({"BeforeTool": DENIED})
    (gemini_host.work / ".gemini").mkdir()
    (gemini_host.work / ".gemini/settings.json").write_text(json.dumps({"hooksConfig": {"enabled": False}}))
    assert gemini(gemini_host, GEMINI_MADE).log == []
    assert gemini_host.made.exists()


def test_gemini_does_not_show_a_result_that_is_refused(gemini_host):
    gemini_host.answers({"AfterTool": DENIED})
    ran = gemini(gemini_host, [call("run_shell_command", command="echo secret-words")])
    assert "secret-words" in json.dumps(ran.told("AfterTool")[0]["tool_response"])
    assert all("secret-words" not in result for result in ran.model.results())


@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        ({"stdout": "no JSON"}, True),
        ({"sleep": 3, "stdout": {"permissionDecision": "deny"}}, True),
        ({"exit": 1, "stdout": ""}, False),
        ({"stdout": {"permissionDecision": "ask", "permissionDecisionReason": "?"}}, False),
    ],
    ids=["no JSON", "late", "exit 1", "ask"],
)
def test_what_copilot_does_with_other_answers(other_host, answer, runs):
    place = other_host("@github/copilot@1.0.102", "copilot")
    hook = {"type": "command", "bash": place.stand_in("preToolUse"), "timeoutSec": 1}
    place.write(".copilot/hooks/x.json", {"version": 1, "hooks": {"preToolUse": [hook]}})
    place.answers({"preToolUse": answer})
    assert copilot(place, COPILOT_MADE).told("preToolUse")
    assert place.made.exists() is runs


def test_another_plugin_of_opencode_changes_arguments(other_host):
    place = other_host("opencode-ai@1.18.18", "opencode")
    text = 'export const Other = async () => ({ "tool.execute.before": async (_, output) => { output.args.command = "echo hi > made" } })'
    place.write(".config/opencode/plugin/other.js", text)
    opencode(place, [call("bash", command="true", description="x")])
    assert place.made.exists()
