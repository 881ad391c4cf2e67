"""The proxy as a host: what it tells, what it is answered, and what its calls would do."""

import json

from each_row import each_row
from remit.guard.event import PASS, Event, Kind, Outcome, Verdict
from remit.guard.hosts.registry import find_host
from remit.guard.hosts.toolmap import Role, Want, wants

HOST = find_host("mcp")
CALL = {"session": "s", "cwd": "/w", "method": "tools/call", "tool": "mcp__x__y", "args": {"a": 1}, "call": "1"}


def test_a_call_and_its_answer():
    before = HOST.read("before", CALL | {"asks": True})
    assert before == Event(
        "mcp", Kind.BEFORE, "tools/call", "s", "/w", tool="mcp__x__y", args={"a": 1}, call="1", asks=True
    )
    after = HOST.read("after", CALL | {"text": "t"})
    assert (after.kind, after.text, after.asks) == (Kind.AFTER, "t", False)


@each_row("name", ["Before", "tools", "x"])
def test_an_event_that_nobody_knows_is_judged(name):
    assert HOST.read(name, {}).kind is Kind.BEFORE
    assert wants(HOST.read(name, {}))[0].problem


def test_values_of_another_type_are_not_there():
    event = HOST.read("before", {"session": 3, "tool": [], "args": "x", "asks": "yes", "call": None})
    assert (event.session, event.tool, event.args, event.asks, event.call) == ("", "", {}, False, "")


@each_row(
    ("verdict", "said"),
    [
        (PASS, {"outcome": "pass", "reason": "the guard gave no reason"}),
        (Verdict(Outcome.DENY, "no", approval="k"), {"outcome": "deny", "reason": "no (approval k)", "approval": "k"}),
        (Verdict(Outcome.ASK, "?"), {"outcome": "ask", "reason": "?"}),
        (
            PASS._replace(note="n", changed={"a": 2}),
            {"outcome": "pass", "reason": "the guard gave no reason", "note": "n", "changed": {"a": 2}},
        ),
    ],
)
def test_what_it_is_answered(verdict, said):
    reply = HOST.reply(HOST.read("before", CALL), verdict)
    assert (json.loads(reply.stdout), reply.stderr, reply.exit) == (said, "", 0)


@each_row("tool", ["mcp__x__y", "mcp__x__resource:file:///a", "mcp__x__sampling:"])
def test_whatever_passes_the_proxy_is_called_by_its_name(tool):
    assert wants(HOST.read("before", CALL | {"tool": tool})) == (Want("tool.invoke", Role.TOOL, tool),)


def test_all_words_of_a_call_leave_with_it():
    args = {"a": "one", "b": [{"c": "two\nlines"}], "n": 3}
    assert wants(HOST.read("before", CALL | {"args": args}))[0].content == "one\ntwo\nlines"
