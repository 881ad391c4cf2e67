"""Which executor a gateway asks, and whom it believes, when one of several is away, silent or another one than it should be."""

import asyncio
import json

import pytest

from authority_world import STORE
from remit.authority.wire.asking import NotReachedError, Told
from remit.core.errors import AuthorityError
from remit.executor.accept import Presented
from remit.executor.forms import Result
from remit.gateway.parties.executor import RemoteExecutor

NOTHING = Presented(b"", b"", "", b"", (), (), None)
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
            return Told(200, json.dumps({"store": self.store}).encode())
        if path == "/outcome":
            return Told(200, b'{"outcome": "never"}')
        status = 200 if self.says.status == "done" else 503 if self.says.code == "STORE_FAILED" else 403
        return Told(status, json.dumps(self.says.to_json()).encode())


def presented(*executors):
    """What becomes of an action, after the first executor has named the store."""
    one = RemoteExecutor(*executors)
    one._store = STORE
    return asyncio.run(one.execute(NOTHING, {}))


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [(DONE, AWAY, "done"), (AWAY, DONE, "done"), (SILENT, DONE, "done"), (STORE_FAILED, DONE, "done"),
     (REFUSED, DONE, "PROOF_STALE"), (AWAY, REFUSED, "PROOF_STALE"), (STORE_FAILED, AWAY, "STORE_FAILED"),
     (AWAY, STORE_FAILED, "STORE_FAILED")],
)  # fmt: skip
def test_the_next_one_is_asked_if_the_first_did_nothing_or_may_have_heard(first, second, told):
    found = presented(Executor(first), Executor(second))
    assert told in (found.status, found.code)


@pytest.mark.parametrize("second", [REFUSED, STORE_FAILED, AWAY, SILENT, Result("refused", "REPLAY_DENY")])
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
