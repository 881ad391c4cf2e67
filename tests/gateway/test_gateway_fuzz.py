"""Whatever is sent: an answer with a code, never an error, and nothing happens. REMIT_REQUESTS sets how many requests."""

import asyncio
import itertools
import json
import os

import pytest
from gatekeys import credential_of
from gateworld import World
from hypothesis import given, settings
from hypothesis import strategies as st

from by_day import many
from each_row import each_row
from remit.authority.codes import codes
from remit.authority.intents import intents

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=40), st.binary(max_size=8),
    st.sampled_from(["boss@example.org", "https://example.org/", "0" * 32, "../x", "/etc/passwd", "SendMessage", "\ud800", "\0"]),
)  # fmt: skip
KEYS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["intent_id", "inputs", "constraints", "tx_id", "handle", "to", "text", "url", "path", "caller", "session",
                     "user_confirm", "contextual_targets", "key", "name"]),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5), max_leaves=12
)
NAMES = st.one_of(st.sampled_from(sorted(intents())), VALUES)
ACTS = st.one_of(
    VALUES,
    st.fixed_dictionaries(
        {"intent_id": NAMES, "inputs": st.dictionaries(KEYS, LEAVES, max_size=4) | VALUES}, optional={"constraints": VALUES, "caller": VALUES}
    ),
)  # fmt: skip
REQUESTS = int(os.environ.get("REMIT_REQUESTS", many(1000)))
NUMBERS = itertools.count(2)
KNOWN = {*codes("gateway"), *codes("executor")}


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    made = World(tmp_path_factory.mktemp("fuzz"))
    yield made
    made.close()


def answered(world, said, who=None):
    answer = asyncio.run(world.gateway.act(world.alice if who is None else who, said))
    told = json.dumps(answer.to_json())
    assert answer.status != "DENY" or answer.reason_code in KNOWN, told
    if "the session is over" in told:  # the request ended it, as it may
        world.alice = credential_of("alice", session=f"s{next(NUMBERS)}")
    return answer


def test_every_request_has_an_answer(shared):
    allowed = {"PREVIEW", "CONFIRM"}

    @settings(max_examples=REQUESTS, deadline=None)
    @given(ACTS)
    def run(said):
        answer = answered(shared, said)
        if answer.status != "DENY":
            served = intents()[said["intent_id"]]
            assert served.fault(said["inputs"]) == ""
            assert (answer.status in allowed) == (served.effect != "none")

    run()
    assert shared.happened == []
    assert shared.presented == []


def test_every_run_of_bytes_has_an_answer(shared):
    @settings(max_examples=REQUESTS // 2, deadline=None)
    @given(st.one_of(st.binary(max_size=200), ACTS.map(lambda value: json.dumps(value, default=str).encode())))
    def run(data):
        answered(shared, data)

    run()
    assert shared.happened == []


@each_row(
    ("data", "code"),
    [
        (b"", "BAD_FORM"),
        (b"{}", "BAD_FORM"),
        (b"[" * 100_000, "BAD_FORM"),
        (b"\xff", "BAD_FORM"),
        (b'{"intent_id":"MemoryList","inputs":{}}', ""),
        (b'{"intent_id":"MemoryList","intent_id":"MemoryRead","inputs":{}}', "BAD_FORM"),
        (b'{"intent_id":"MemoryRead","inputs":{"key":"a","key":"b"}}', "BAD_FORM"),
        (b'{"intent_id":"MemoryRead","inputs":{"key":1.5}}', "BAD_FORM"),
        (b'{"intent_id":"MemoryRead","inputs":{"key":NaN}}', "BAD_FORM"),
        (b'{"intent_id":"MemoryRead","inputs":{"key":' + b"9" * 5000 + b"}}", "BAD_FORM"),
        (b'{"intent_id":"MemoryRead","inputs":{"key":"' + b"9" * 300_000 + b'"}}', "TOO_LARGE"),
        (b'{"intent_id":"Nothing","inputs":{}}', "INTENT_UNKNOWN"),
        (b'{"intent_id":["MemoryList"],"inputs":{}}', "INTENT_UNKNOWN"),
        (b'{"intent_id":"MemoryList","inputs":[]}', "INPUTS_FORM"),
        (b'{"intent_id":"MemoryList","inputs":{},"constraints":null}', "BAD_FORM"),
        (b'{"intent_id":"MemoryList","inputs":{},"constraints":{"tx_id":"x"}}', "BAD_FORM"),
    ],
)
def test_what_is_not_an_act(data, code, shared):
    assert answered(shared, data).reason_code == code


@settings(max_examples=many(150), deadline=None)
@given(text=st.text(max_size=60))
def test_no_text_is_a_credential(text, shared):
    assert answered(shared, {"intent_id": "MemoryList", "inputs": {}}, text).reason_code in (
        "TOKEN_FORM",
        "TOKEN_MISSING",
    )
