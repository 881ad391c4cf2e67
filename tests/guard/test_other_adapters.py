"""The adapters of Codex, Gemini, Copilot, opencode and OpenClaw, on what the real ones told."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recorded_hosts import COMMAND, SESSION, TOLD, WORK

from each_row import each_row
from remit.guard.event import PASS, Kind, Outcome, Verdict
from remit.guard.hosts.registry import HOSTS as ALL
from remit.guard.hosts.registry import Codex

HOSTS = {host.name: host for host in ALL if host.name in TOLD}
CALLS = [(host, name, payload) for host, told in TOLD.items() for name, payload in told]
BEFORE = {
    "codex": "PreToolUse",
    "gemini": "BeforeTool",
    "copilot": "preToolUse",
    "opencode": "tool.execute.before",
    "openclaw": "before_tool_call",
}
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
_FIELDS = st.sampled_from(
    "session_id sessionId cwd tool_name toolName tool_input toolArgs input output event context params args parts info".split()
)


def test_every_host_is_recorded():
    assert set(TOLD) | {"claude-code", "mcp", "gateway"} == {host.name for host in ALL}


def first_call(host):
    return next(HOSTS[host].read(name, payload) for name, payload in TOLD[host] if name == BEFORE[host])


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_told_is_read(host, snapshot):
    events = [HOSTS[host].read(name, payload) for name, payload in TOLD[host]]
    assert [event._asdict() | {"args": dict(event.args)} for event in events] == snapshot


@each_row("host", HOSTS)
def test_a_call_has_its_session_and_command(host):
    event = first_call(host)
    assert (event.kind, event.session, event.args["command"]) == (Kind.BEFORE, SESSION, COMMAND)


@each_row(("host", "folder"), [("gemini", "sub"), ("openclaw", "sub"), ("opencode", "/elsewhere")])
def test_a_command_with_a_folder_of_its_own_is_judged_there(host, folder):
    assert first_call(host).cwd == (folder if folder.startswith("/") else f"{WORK}/{folder}")


@each_row("host", HOSTS)
@each_row("name", ["", "SomethingNew", "PreToolUse/Other", "tool.execute.later"])
def test_an_event_that_nobody_knows_is_judged(host, name):
    event = HOSTS[host].read(name, {})
    assert event.kind is Kind.BEFORE
    assert refuses(HOSTS[host].reply(event, Verdict(Outcome.DENY)))


@pytest.mark.parametrize("host", ["codex", "gemini"])
def test_a_payload_of_another_event_than_the_command_says_is_judged(host):
    event = HOSTS[host].read("SessionStart", {"hook_event_name": BEFORE[host], "tool_name": "Bash"})
    assert event.kind is Kind.BEFORE


@each_row("host", HOSTS)
@each_row("outcome", [Outcome.ASK, Outcome.DENY])
@each_row("reason", ["", " \n", "not in the manifest"])
def test_a_refusal_always_has_a_reason(host, outcome, reason):
    reply = HOSTS[host].reply(first_call(host), Verdict(outcome, reason))
    assert refuses(reply)
    assert "reason" in reply.stdout or "manifest" in reply.stdout


def test_codex_and_gemini_and_opencode_are_never_answered_ask():
    """Codex runs the tool then; Gemini without a terminal hangs; opencode has no such answer."""
    for host in ("codex", "gemini", "opencode"):
        event = first_call(host)
        assert not event.asks
        assert "ask" not in HOSTS[host].reply(event, Verdict(Outcome.ASK, "?")).stdout


@each_row("host", HOSTS)
def test_nothing_to_say_leaves_the_rules_of_the_host_alone(host):
    for name, payload in TOLD[host]:
        reply = HOSTS[host].reply(HOSTS[host].read(name, payload), PASS)
        assert (reply.exit, json.loads(reply.stdout)) == (0, {})


@each_row(("host", "name", "payload"), CALLS)
@each_row("outcome", [Outcome.ASK, Outcome.DENY])
def test_answers_to_every_event_are_refusals(host, name, payload, outcome):
    adapter = HOSTS[host]
    assert refuses(adapter.reply(adapter.read(name, payload), Verdict(outcome, "no")))


@pytest.mark.parametrize("host", HOSTS)
def test_changed_arguments_replace_those_of_the_call(host, snapshot):
    reply = HOSTS[host].reply(first_call(host), Verdict(Outcome.PASS, changed={"command": "true"}))
    assert json.loads(reply.stdout) == snapshot


def test_codex_is_answered_only_with_fields_that_it_knows():
    """A field too many is a failed hook for Codex, and the tool runs."""
    event = first_call("codex")
    for verdict in (Verdict(Outcome.DENY, "no", "a1"), Verdict(Outcome.PASS, note="n", changed={"command": "true"})):
        answer = json.loads(Codex().reply(event, verdict).stdout)
        assert set(answer) == {"hookSpecificOutput"}
        assert set(answer["hookSpecificOutput"]) <= {
            "hookEventName", "permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext",
        }  # fmt: skip


@pytest.mark.parametrize("host", HOSTS)
@given(name=st.sampled_from(sorted(BEFORE.values())), payload=st.dictionaries(_FIELDS | st.text(), _JSON, max_size=5))
def test_no_payload_breaks_an_adapter(host, name, payload):
    event = HOSTS[host].read(name, payload)
    assert all(
        isinstance(field, str) for field in (event.session, event.cwd, event.tool, event.call, event.agent, event.text)
    )
    assert refuses(HOSTS[host].reply(event, Verdict(Outcome.DENY, "no")))


def refuses(reply):
    """Whether an answer is one that hosts take for a refusal."""
    if reply.exit == 2:
        return bool(reply.stderr.strip())
    answer = json.loads(reply.stdout)
    specific = answer.get("hookSpecificOutput", {})
    return bool(
        (specific.get("permissionDecision") == "deny" and specific.get("permissionDecisionReason"))
        or (answer.get("permissionDecision") in {"deny", "ask"} and answer.get("permissionDecisionReason"))
        or (answer.get("decision") in {"deny", "block"} and answer.get("reason"))
        or answer.get("deny")
        or answer.get("ask")
        or (answer.get("continue") is False and answer.get("stopReason"))
    )
