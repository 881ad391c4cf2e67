"""The adapter of Claude Code: what it understands, and what it says."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from each_row import each_row
from remit.guard.event import PASS, Event, Kind, Outcome, Verdict
from remit.guard.hosts.claude_code import ClaudeCode, rule_about
from remit.guard.hosts.toolmap import wants

HOST = ClaudeCode()
COMMON = {"session_id": "s1", "transcript_path": "/t", "cwd": "/w", "prompt_id": "p", "permission_mode": "default"}


def read(event, entry="", **fields):
    return HOST.read(event + (f".{entry}" if entry else ""), {**COMMON, "hook_event_name": event, **fields})


def said(event, verdict):
    reply = HOST.reply(event, verdict)
    assert reply.exit == 0
    assert not reply.stderr
    return json.loads(reply.stdout)


def before(entry="cli", **fields):
    more = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "t1"} | fields
    return read("PreToolUse", entry, **more)


def test_a_call():
    event = before(agent_id="a1", agent_type="Explore")
    assert event == Event(
        "claude-code",
        Kind.BEFORE,
        "PreToolUse",
        "s1",
        "/w",
        "Bash",
        {"command": "ls"},
        "t1",
        "a1",
        "default",
        asks=True,
    )


def test_what_ran():
    event = read(
        "PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_use_id="t1",
        tool_response={"stdout": "a.txt", "parts": [{"text": "b"}], "interrupted": False},
    )  # fmt: skip
    assert (event.kind, event.text, event.call) == (Kind.AFTER, "a.txt\nb", "t1")
    failed = read("PostToolUseFailure", tool_name="Bash", tool_input={}, error="Exit code 3")
    assert (failed.kind, failed.text) == (Kind.FAILED, "Exit code 3")


def test_what_the_user_says_and_loads():
    assert read("UserPromptSubmit", prompt="hi").text == "hi"
    event = read("UserPromptExpansion", command_name="pdf", command_args="x", prompt="/pdf x")
    assert (event.kind, event.skill, event.text, event.args["command_args"]) == (Kind.SKILL, "pdf", "/pdf x", "x")


def test_the_course_of_a_session():
    kinds = {
        "SessionStart": Kind.SESSION, "SessionEnd": Kind.END, "SubagentStart": Kind.DELEGATE, "SubagentStop": Kind.RETURN,
        "Stop": Kind.STOP, "InstructionsLoaded": Kind.NOTICE,
    }  # fmt: skip
    for name, kind in kinds.items():
        assert read(name).kind is kind
    stop = read("Stop", last_assistant_message="bye", stop_hook_active=True)
    assert (stop.text, stop.args["stop_hook_active"]) == ("bye", True)
    assert read("InstructionsLoaded", file_path="/w/CLAUDE.md").args["file_path"] == "/w/CLAUDE.md"


@each_row("name", ["Levitate", "", "pretooluse"])
def test_an_event_that_nobody_knows_is_judged(name):
    event = read(name, tool_name="TodoWrite", tool_input={})
    assert event.kind is Kind.BEFORE
    assert all(want.problem for want in wants(event))
    assert HOST.reply(event, Verdict(Outcome.DENY, "no")).exit == 2


def test_a_payload_of_another_event_than_the_hook_was_installed_for_is_judged():
    event = HOST.read("Stop", {**COMMON, "hook_event_name": "PreToolUse", "tool_name": "TodoWrite", "tool_input": {}})
    assert event.kind is Kind.BEFORE
    assert wants(event)[0].problem


@each_row("mode", ["default", "bypassPermissions", "levitate", "", None, 3])
def test_a_mode_that_nobody_knows_changes_nothing(mode):
    event = before(permission_mode=mode)
    assert event.asks
    assert said(event, Verdict(Outcome.DENY, "no"))["hookSpecificOutput"]["permissionDecision"] == "deny"


@each_row(("entry", "asks"), [("cli", True), ("claude-vscode", True), ("", True), ("sdk-cli", False),
                                             ("sdk-ts", False), ("unknown", False)])  # fmt: skip
def test_who_can_be_asked(entry, asks):
    event = before(entry)
    assert event.asks is asks
    out = said(event, Verdict(Outcome.ASK, "a person must agree", approval="ab12"))["hookSpecificOutput"]
    assert out["permissionDecision"] == ("ask" if asks else "deny")
    assert ("ab12" in out["permissionDecisionReason"]) is not asks


def test_nobody_is_asked_in_a_mode_that_refuses_questions():
    assert not before(permission_mode="dontAsk").asks


def test_nothing_to_say_leaves_the_host_alone():
    for name in ("PreToolUse", "PostToolUse", "UserPromptSubmit", "UserPromptExpansion", "SessionStart", "Stop"):
        assert said(read(name), PASS) == {}


def test_a_deny_is_said_in_the_words_of_each_event():
    no = Verdict(Outcome.DENY, "outside")
    assert said(before(), no) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "outside",
        }
    }  # fmt: skip
    for name in ("UserPromptSubmit", "UserPromptExpansion", "Stop", "SubagentStop", "PostToolUse"):
        assert said(read(name), no) == {"decision": "block", "reason": "outside"}
    request = read("PermissionRequest", tool_name="Bash", tool_input={"command": "ls"})
    assert said(request, no)["hookSpecificOutput"]["decision"] == {"behavior": "deny", "message": "outside"}
    assert said(read("SessionStart"), no)["systemMessage"] == "outside"
    assert HOST.reply(read("ConfigChange", source="user_settings"), no)[1:] == ("outside\n", 2)


def test_no_kind_of_event_turns_a_deny_or_a_question_into_consent():
    names = [*"PreToolUse PermissionRequest ConfigChange PostToolUse PostToolUseFailure UserPromptSubmit Stop".split(),
             *"UserPromptExpansion SessionStart SessionEnd SubagentStart SubagentStop InstructionsLoaded X".split()]  # fmt: skip
    for name in names:
        for outcome in (Outcome.DENY, Outcome.ASK):
            reply = HOST.reply(read(name, "sdk-cli", tool_name="Bash", tool_input={"command": "ls"}), Verdict(outcome))
            assert reply.exit == 2 or "the guard gave no reason" in reply.stdout
            assert "allow" not in reply.stdout


def test_changes_and_notes_go_along_with_what_passes():
    verdict = Verdict(Outcome.PASS, note="be careful", changed={"command": "ls -l"})
    assert said(before(), verdict)["hookSpecificOutput"] == {
        "hookEventName": "PreToolUse", "additionalContext": "be careful", "updatedInput": {"command": "ls -l"},
        "permissionDecision": "allow", "permissionDecisionReason": "runs inside of Remit's walls",
    }  # fmt: skip
    after = read("PostToolUse", tool_name="Bash", tool_input={}, tool_response={"stdout": "key"})
    out = said(after, Verdict(Outcome.PASS, changed={"stdout": "***"}))["hookSpecificOutput"]
    assert out["updatedToolOutput"] == {"stdout": "***"}
    assert said(read("Stop"), Verdict(Outcome.PASS, note="x")) == {}


def test_a_rewritten_call_is_not_allowed_in_the_place_of_a_user_who_plans():
    event = read("PreToolUse", tool_name="Bash", tool_input={"command": "ls"}, permission_mode="plan")
    out = said(event, Verdict(Outcome.PASS, changed={"command": "wrapped"}))["hookSpecificOutput"]
    assert "permissionDecision" not in out


RULES = {"deny": ["Bash(git push:*)", "Bash(npm run *)", "Read(.env)", 3], "ask": ["Bash(make)"]}


@each_row(("command", "expected"), [
    ("git push origin main", ("deny", "Bash(git push:*)")),
    ("cd x && A=1 B=2 git push", ("deny", "Bash(git push:*)")),
    ("echo $(git push)", ("deny", "Bash(git push:*)")),
    ("npm run build", ("deny", "Bash(npm run *)")),
    ("make", ("ask", "Bash(make)")),
    ("make; git push", ("deny", "Bash(git push:*)")),
    ("make test", None), ("git status", None), ("npm runner", None), ("", None),
])  # fmt: skip
def test_rules_of_the_host_speak_of_the_command_as_it_was(tmp_path, command, expected):
    work = tmp_path / "home/project/deep"
    work.mkdir(parents=True)
    places = (tmp_path / "etc/managed-settings.json", tmp_path / "home/.claude/settings.json",
              tmp_path / "home/project/.claude/settings.json", work / ".claude/settings.local.json")  # fmt: skip
    for place in places:
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps({"permissions": RULES}))
        assert rule_about(command, str(work), tmp_path / "home", tmp_path / "etc") == expected
        place.write_text("// no JSON")


@pytest.mark.parametrize(("command", "word"), [("git push", "deny"), ("make", "ask")])
def test_a_rewritten_call_is_decided_by_the_users_own_rules_as_well(tmp_path, monkeypatch, command, word):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text(json.dumps({"permissions": RULES}))
    event = read("PreToolUse", tool_name="Bash", tool_input={"command": command}, cwd=str(tmp_path))
    out = said(event, Verdict(Outcome.PASS, changed={"command": "wrapped"}))["hookSpecificOutput"]
    assert out["permissionDecision"] == word
    assert out.get("updatedInput") == ({"command": "wrapped"} if word == "ask" else None)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
FIELDS = st.sampled_from(
    "session_id cwd permission_mode hook_event_name tool_name tool_input tool_response tool_use_id agent_id prompt".split()
)


@given(
    st.sampled_from(["PreToolUse", "PostToolUse", "Stop", "UserPromptExpansion", "X"]), st.dictionaries(FIELDS, JSON)
)
def test_no_payload_makes_it_crash_and_a_call_always_wants_something(name, payload):
    event = HOST.read(name, payload)
    for outcome in Outcome:
        reply = HOST.reply(event, Verdict(outcome, "why \ud800"))
        assert reply.exit in (0, 2)
        reply.stdout.encode()
    if event.kind is Kind.BEFORE and not isinstance(payload.get("tool_name"), str):
        assert any(want.problem for want in wants(event))


def test_the_adapters_import_little():
    heavy = "{'yaml', 're2', 'tree_sitter', 'sqlite3', 'asyncio', 'subprocess'}"
    code = (
        f"import sys, remit.guard.hosts.registry, remit.guard.hosts.toolmap; sys.exit(bool({heavy} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
