"""Answers of a server: their form, their size, and what the tool itself promises; and what the daemon may say."""

import json
import sys

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mcp.shared.exceptions import MCPError
from mcp_server import NUMBER
from mcp_wiring import in_loop, words

from each_row import each_row
from remit.core.errors import DataError
from remit.guard.daemon.daemon_client import Daemon, _own_version, _verdict
from remit.guard.daemon.protocol import HookAnswer, answer_bytes
from remit.guard.event import Outcome
from remit.guard.mcp.consent import Choice, can_ask, choice_of
from remit.guard.mcp.results import MOST_STEPS, Bounds, check, schema_problem
from remit.guard.mcp.settings import SIDES, TABLE, load, methods

BOUNDS = Bounds(1000, 1000)


def text(value):
    return {"content": [{"type": "text", "text": value}]}


def test_a_plain_answer():
    assert check("tools/call", text("hello"), None, BOUNDS) == ("hello", "")


WRONG = [
    {},
    {"content": "hello"},
    {"content": [{"type": "text"}]},
    {"content": [{"type": "script", "text": "x"}]},
    {"content": [{"type": "text", "text": 3}]},
    {"content": [{"type": "image", "data": "x"}]},
    text("x" * 1001),
    text("\u20ac" * 400),
    {"content": [{"type": "image", "data": "A" * 1001, "mimeType": "image/png"}]},
    {"content": [], "structuredContent": {"a": "x" * 1001}},
    {"content": [], "_meta": {"a": "x" * 1001}},
]


@each_row("result", WRONG, ids=range(len(WRONG)))
def test_answers_that_are_not_handed_on(result):
    assert check("tools/call", result, None, BOUNDS).problem


def test_every_method_that_is_judged_has_a_form():
    for side in SIDES:
        for method in methods(side).values():
            if method.treatment == "judge" and "subscribe" not in method.name:
                assert check(method.name, {"nonsense": [{}]}, None, BOUNDS).problem, method.name


@each_row(("value", "fine"), [({"n": 1}, True), ({"n": "1"}, False), ({}, False), ({"n": 1, "m": 2}, False)])
def test_what_a_tool_promises(value, fine):
    assert (not check("tools/call", text("x") | {"structuredContent": value}, NUMBER, BOUNDS).problem) == fine


def test_a_promise_is_not_kept_by_silence_but_may_be_broken_by_an_error():
    assert check("tools/call", text("x"), NUMBER, BOUNDS).problem
    assert not check("tools/call", text("x") | {"isError": True}, NUMBER, BOUNDS).problem


HOSTILE = [
    {"$ref": "https://evil.example/schema"},
    {"$ref": "file:///etc/passwd"},
    {"$ref": "#"},
    {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"},
    {"properties": {"a": {"pattern": "(?=x)"}}},
    {"patternProperties": {"(?!a)": {}}},
    {"unevaluatedProperties": False},
    {"type": "nonsense"},
    {"type": 3},
    {"properties": []},
]


@each_row("schema", HOSTILE, ids=range(len(HOSTILE)))
def test_a_schema_that_cannot_be_applied_is_a_problem(schema):
    assert "cannot be applied" in schema_problem(schema, {"a": "aaaa"})


class Work:
    """Counts the functions that are called, and refuses a search by Python's own engine, which may go back without end."""

    def __init__(self, most, pattern):
        self.most, self.pattern, self.calls, self.wrong = most, pattern, 0, ""

    def __call__(self, _frame, event, arg):
        if event == "c_call" and getattr(getattr(arg, "__self__", None), "pattern", "") == self.pattern:
            self.wrong = f"`{self.pattern}` is searched by `{type(arg.__self__)}`"
        if event == "call":
            self.calls += 1
        if self.calls > self.most or self.wrong:
            raise RuntimeError(self.wrong or f"more than {self.most} calls")  # it ends here, instead of in years


def test_hostile_schemas_take_bounded_work():
    layers = {f"a{i}": {"allOf": [{"$ref": f"#/$defs/a{i + 1}"}] * 10} for i in range(20)} | {"a20": {}}
    work = Work(100 * MOST_STEPS, "^(a+)+$")
    schema_problem({"type": "object"}, {})  # what is imported once
    sys.setprofile(work)
    try:
        endless = schema_problem({"$defs": layers, "$ref": "#/$defs/a0"}, {})
        pattern = schema_problem({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 5000 + "!"})
    finally:
        sys.setprofile(None)
    assert work.calls > MOST_STEPS  # it did count
    assert "without end" in endless
    assert "does not match" in pattern


def test_patterns_and_additional_properties():
    schema = {
        "properties": {"a": {"type": "integer"}},
        "patternProperties": {"^x": {"type": "string"}},
        "additionalProperties": {"type": "boolean"},
    }
    assert not schema_problem(schema, {"a": 1, "x1": "s", "b": True})
    assert schema_problem(schema, {"x1": 1})
    assert schema_problem(schema, {"b": 1})
    assert not schema_problem({"additionalProperties": True, "pattern": "^a"}, "abc")


@in_loop
async def test_answers_of_a_real_server_that_are_too_large_or_not_as_promised(world):
    world.options = {"bounds": Bounds(1000, 1000)}
    async with world.client() as client:
        assert (await client.call_tool("number", {"n": 3})).structured_content == {"n": 3}
        broken = await client.call_tool("number", {"n": "three"})
        large = await client.call_tool("echo", {"text": "x" * 2000})
        binary = await client.call_tool("image", {"size": 2000})
        small = await client.call_tool("image", {"size": 100})
    assert "not as the tool promises" in words(broken)
    assert "more than 1000 bytes of text" in words(large)
    assert "more than 1000 bytes of data" in words(binary)
    assert small.content[0].data == "A" * 100
    assert len(world.told(kind="failed")) == 3


@in_loop
async def test_a_call_that_is_too_large_to_be_judged_is_refused(world):
    async with world.client() as client:
        result = await client.call_tool("echo", {"text": "\u20ac" * 3_000_000})
    assert "too large to check" in words(result)
    assert world.offer.calls == []


SAID = [
    b"",
    b"remit1 0 2 0\n{}",
    b"remit1 0 4 0\nnull",
    b'remit1 0 21 0\n{"outcome": "allowed"}',
    b"remit1 1 0 0\n",
    b"remit1 0 100 0\n{}",
    b"nonsense",
]


def read_verdict(data):
    return _verdict(_own_version(data))


@each_row("data", SAID)
def test_what_is_no_answer_of_the_daemon_is_none(data):
    with pytest.raises(Exception, match=r"."):
        read_verdict(data)


@given(st.binary(max_size=60))
def test_no_bytes_are_an_agreement_by_accident(data):
    try:
        said = read_verdict(data)
    except Exception:
        return
    assert said.outcome is not Outcome.PASS


def test_answers_of_the_daemon():
    value = {"outcome": "pass", "reason": "r", "changed": {"a": 1}}
    assert read_verdict(answer_bytes(HookAnswer(0, json.dumps(value).encode()))).changed == {"a": 1}
    with pytest.raises(Exception, match="told so"):
        read_verdict(answer_bytes(HookAnswer(2, b"", b"told so")))
    for wrong in ({"changed": 3}, {"reason": 3}, {"note": None}):
        with pytest.raises(Exception, match="not of its form"):
            read_verdict(answer_bytes(HookAnswer(0, json.dumps({"outcome": "pass", **wrong}).encode())))


def test_whoever_else_listens_at_the_socket_denies(listener, state):
    async def main():
        said = await Daemon("mcp", state.folder, seconds=0.3).ask("before", {})
        assert said.outcome is Outcome.DENY
        assert "did not answer within 0.3 seconds" in said.reason
        assert (await Daemon("mcp", state.folder).ask("before", {"x": float("nan")})).outcome is Outcome.DENY

    anyio.run(main)


def test_a_socket_that_others_can_use_is_not_asked(listener, state):
    state.socket.chmod(0o666)
    said = anyio.run(Daemon("mcp", state.folder, seconds=1).ask, "before", {})
    assert said.outcome is Outcome.DENY
    assert "open to others" in said.reason


@each_row(
    ("capabilities", "able"),
    [({"elicitation": {}}, True), ({"elicitation": {"form": {}}}, True), ({"elicitation": {"url": {}}}, False),
     ({}, False), (None, False), ({"elicitation": True}, False)],
)  # fmt: skip
def test_who_can_ask(capabilities, able):
    assert can_ask(capabilities) == able


@given(st.dictionaries(st.sampled_from(["action", "content", "answer"]), st.text() | st.just({"answer": "yes"})))
def test_whatever_is_not_a_plain_yes_is_a_no(result):
    assert choice_of(result) is Choice.DENY


def test_the_table_of_methods_refuses_what_it_does_not_explain(tmp_path):
    assert load(TABLE)["client"]["tools/call"].tool("s", {"name": "x"}) == "mcp__s__x"
    path = tmp_path / "m.table"
    for line in ("[nobody]\na | pass | - | m", "[client]\na | wave | - | m", "[client]\na | judge | - | m",
                 "[client]\na | pass | {x} | m", "[client]\na | judge | {x}{y} | m", "[client]\na | pass | - | -",
                 "[client]\na | pass | - | m\na | pass | - | m"):  # fmt: skip
        path.write_text(line + "\n")
        with pytest.raises(DataError):
            load(path)


@in_loop
async def test_an_error_of_the_server_is_handed_on_as_it_is(world):
    async with world.client() as client:
        with pytest.raises(MCPError) as caught:
            await client.call_tool("progress", {"fail": True})
    assert caught.value.error.code == -32123
    assert caught.value.error.data == {"x": 1}
    assert world.told(kind="failed")[0]["text"] == 'it failed\n{"x": 1}'


@in_loop
async def test_an_error_that_is_too_large_or_that_the_guard_withholds(world):
    world.options = {"bounds": Bounds(1000, 1000)}
    async with world.client() as client:
        large = await client.call_tool("progress", {"fail": "x" * 2000})
        secret = await client.call_tool("progress", {"fail": "SECRET"})
    assert "more than 1000 bytes" in words(large)
    assert words(secret) == "the answer holds a secret"
