"""Values come along for the handles that a request names, and for nothing else: sealed for its caller, session, inputs and destination."""

import asyncio

import pytest

from authority_world import BINDING, NOW, STORE, case, known
from remit.audit.entry import Outcome, RecordKind
from remit.audit.log import Log
from remit.authority.values.opening import BindingKey, open_for
from remit.authority.values.request import make_request
from remit.authority.values.sealed_values import carried
from remit.executor.accept import accept
from remit.executor.accepted_request import Accepted
from remit.executor.effects.adapter import EffectDone
from remit.executor.executor import Executor
from remit.executor.replay.sql import SqliteMemory

POLICY = """
policy  values
list    domains  api.example.org other.example.org
intent  UseCredential
allow   domain in domains
intent  PostWebhook
allow   domain in domains
intent  Declassify
allow   always
confirm always
"""
HANDLE, OTHER, TOKEN = "a" * 32, "b" * 32, b"s3cret"
INPUTS = {"handle": HANDLE, "url": "https://api.example.org/v1", "text": "hello"}
CASE = case("UseCredential", INPUTS, text=POLICY)
OPENING = open_for(CASE.request, STORE, CASE.nonce)


def sealed(handle=HANDLE, *, binding=BINDING, caller="agent", session="session-1", nonce=CASE.nonce, **inputs):
    told = INPUTS | inputs
    opening = open_for(make_request("UseCredential", caller, session, told), STORE, nonce)
    return carried(binding, opening, told, {handle: TOKEN})


def asked(secrets, one=CASE):
    return accept(known(POLICY), one.presented(), NOW, secrets)


def test_the_value_of_a_named_handle_is_used():
    found = asked(sealed())
    assert isinstance(found, Accepted)
    assert found.secrets == {HANDLE: TOKEN}
    assert TOKEN.decode() not in repr(found)
    assert TOKEN not in sealed()[HANDLE]


REFUSED = {
    "no value": {},
    "a value in plain": {HANDLE: TOKEN},
    "an empty value": {HANDLE: b""},
    "of another handle": sealed(OTHER),
    "of another handle besides": sealed() | sealed(OTHER),
    "of another handle under this name": {HANDLE: sealed(OTHER)[OTHER]},
    "for another host": sealed(url="https://other.example.org/v1"),
    "for another path": sealed(url="https://api.example.org/v2"),
    "for another text": sealed(text="goodbye"),
    "for another caller": sealed(caller="mallory"),
    "for another session": sealed(session="session-2"),
    "for another action": sealed(nonce=bytes(32)),
    "under another key": sealed(binding=BindingKey(bytes(32))),
    "cut short": {HANDLE: sealed()[HANDLE][:-1]},
    "changed": {HANDLE: bytes((sealed()[HANDLE][0] ^ 1,)) + sealed()[HANDLE][1:]},
}


@pytest.mark.parametrize("name", REFUSED)
def test_any_other_value_is_refused(name):
    assert asked(REFUSED[name]).code.name == "SECRET_DIFFERS"


def test_a_value_is_tied_to_where_it_goes_and_not_to_the_request_alone():
    """A patch may send a request elsewhere: then the value is of that place."""
    elsewhere = carried(BINDING, OPENING, INPUTS | {"url": "https://proxy.example.org/"}, {HANDLE: TOKEN})
    assert asked(elsewhere).code.name == "SECRET_DIFFERS"


@pytest.mark.parametrize(("intent", "inputs"), [("PostWebhook", {"url": INPUTS["url"], "text": "x"}), ("Declassify", {"handle": HANDLE})])  # fmt: skip
def test_a_request_that_sends_no_value_takes_none(intent, inputs):
    one = case(intent, inputs, text=POLICY)
    assert isinstance(asked({}, one), Accepted)
    values = carried(BINDING, open_for(one.request, STORE, one.nonce), one.request.inputs, {HANDLE: TOKEN})
    assert asked(values, one).code.name == "SECRET_DIFFERS"


@pytest.mark.parametrize(("secrets", "ends"), [(sealed(), "done"), (sealed(OTHER), "refused")])
def test_what_is_refused_leaves_no_mark_and_a_record(secrets, ends, tmp_path):
    seen = []

    class Posts:
        def happen(self, accepted):
            seen.append(accepted.secrets)
            return EffectDone("posted")

    memory, log = SqliteMemory(tmp_path / "marks.db"), Log.open(tmp_path)
    executor = Executor("one", known(POLICY), memory, log, {"UseCredential": Posts()}, lambda: NOW)
    try:
        result = asyncio.run(executor.act(CASE.presented(), secrets))
        assert result.status == ends
        assert seen == ([{HANDLE: TOKEN}] if ends == "done" else [])
        marked = memory.mark(CASE.action_id, "two", NOW + 100, NOW)
        assert marked is (ends == "refused")
        records = [one.entry for one in log.records()]
        assert TOKEN.decode() not in str(records)
    finally:
        memory.close()
        log.close()
    assert [(one.kind, one.outcome) for one in records] == (
        [(RecordKind.DECISION, Outcome.ADMIT), (RecordKind.EFFECT, Outcome.EXECUTED)]
        if ends == "done"
        else [(RecordKind.DECISION, Outcome.DENY)]
    )
