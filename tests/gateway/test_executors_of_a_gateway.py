"""Which executor a gateway asks, and whom it believes, when one of several is away, silent or another one than it should be."""

import asyncio
import json

import pytest

from authority_world import STORE
from each_row import each_row
from remit.authority.settings import read_settings
from remit.authority.wire.client import NotReachedError, Response
from remit.core.errors import AuthorityError
from remit.executor.accept import Presented
from remit.executor.forms import Result
from remit.gateway.deployment.folders import make_folder
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.parties.executor import RemoteExecutor, executors_of

NOTHING = Presented(b"", b"", "", b"", (), (), None)
MOST_SECONDS = 3600  # of an effect: see its settings
AWAY, SILENT = NotReachedError("away", ""), AuthorityError("silent", "")
DONE, REFUSED, STORE_FAILED = Result("done"), Result("refused", "PROOF_STALE"), Result("refused", "STORE_FAILED")


class Executor:
    """Says the same to whatever is presented."""

    def __init__(self, says, store=STORE):
        self.says, self.store, self.asked = says, store, []

    async def ask(self, path, _):
        self.asked.append(path)
        if isinstance(self.says, Exception):
            raise self.says
        if path == "/store":
            return Response(200, json.dumps({"store": self.store}).encode())
        if path == "/outcome":
            return Response(200, b'{"outcome": "never"}')
        status = 200 if self.says.status == "done" else 503 if self.says.code == "STORE_FAILED" else 403
        return Response(status, json.dumps(self.says.to_json()).encode())


def presented(*executors):
    """What becomes of an action, after the first executor has named the store."""
    one = RemoteExecutor(*executors)
    one._store = STORE
    return asyncio.run(one.execute(NOTHING, {}))


@each_row(
    ("first", "second", "told"),
    [(DONE, AWAY, "done"), (AWAY, DONE, "done"), (SILENT, DONE, "done"), (STORE_FAILED, DONE, "done"),
     (REFUSED, DONE, "PROOF_STALE"), (AWAY, REFUSED, "PROOF_STALE"), (STORE_FAILED, AWAY, "STORE_FAILED"),
     (AWAY, STORE_FAILED, "STORE_FAILED")],
)  # fmt: skip
def test_the_next_one_is_asked_if_the_first_did_nothing_or_may_have_heard(first, second, told):
    found = presented(Executor(first), Executor(second))
    assert told in (found.status, found.code)


@each_row("second", [REFUSED, STORE_FAILED, AWAY, SILENT, Result("refused", "REPLAY_DENY")])
def test_a_refusal_does_not_say_what_a_silent_one_did(second):
    with pytest.raises(AuthorityError) as found:
        presented(Executor(SILENT), Executor(second))
    assert not isinstance(found.value, NotReachedError)


def test_one_with_another_store_is_presented_nothing():
    other = Executor(DONE, "6" * 32)
    with pytest.raises(NotReachedError):
        presented(Executor(AWAY), other)
    assert other.asked == ["/store"]


def test_who_answered_last_is_asked_first():
    first, second = Executor(AWAY), Executor(DONE)
    one = RemoteExecutor(first, second)
    assert asyncio.run(one.store()) == STORE
    for _ in range(3):
        assert asyncio.run(one.execute(NOTHING, {})).status == "done"
        assert asyncio.run(one.outcome("0" * 32)) == "never"
    assert len(first.asked) == 1


class Slow:
    """An executor that answers when it was asked some times how far the action is, by when it says something else."""

    def __init__(self, *states):
        self.states, self.ended, self.asked = list(states), asyncio.Event(), []

    async def ask(self, path, _):
        self.asked.append(path)
        if path == "/exec":
            await self.ended.wait()
            return Response(200, json.dumps(Result("done", summary="at last").to_json()).encode())
        state = self.states.pop(0)
        if not self.states:
            self.ended.set()
        if isinstance(state, Exception):
            raise state
        return Response(200, json.dumps({"outcome": state}).encode())


def waited_for(executor):
    return asyncio.run(RemoteExecutor(executor, patience=0.01).execute(NOTHING._replace(action_id="0" * 32), {}))


def test_a_command_that_takes_long_is_waited_for_and_its_output_is_told():
    """After 15 seconds its output was lost, and whether it was run could not be told."""
    slow = Slow("started", "started", "started", "started")
    assert waited_for(slow).summary == "at last"
    assert slow.asked.count("/outcome") >= 4


@each_row("states", [("done",) * 9, ("never",) * 9, ("started", AWAY, "started"), (SILENT, "started")])
def test_an_executor_that_does_not_say_that_it_is_under_way_is_not_waited_for(states):
    slow = Slow(*states)
    with pytest.raises(AuthorityError) as found:
        waited_for(slow)
    assert not isinstance(found.value, NotReachedError), "it may have happened"
    assert len(slow.asked) <= 3


def test_gateway_and_agent_wait_as_long_as_an_effect_may_take(tmp_path):
    policy = tmp_path / "p"
    policy.write_text("policy p\nintent FinalizeOutput\nallow always\n")
    make_folder(tmp_path / "u", policy)
    (client,) = executors_of(read_settings(tmp_path / "u" / "gateway.json"))._clients
    assert client._seconds > MOST_SECONDS
    assert GatewayClient("/nowhere", "x")._client._seconds > MOST_SECONDS
