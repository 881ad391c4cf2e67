"""A running executor lets old marks go, and what it has forgotten is refused by its age."""

import asyncio
import contextlib

import pytest

from authority_world import NOW, case, known
from remit.audit.log import Log
from remit.authority.values.action import LIFETIME
from remit.core.errors import AuthorityError
from remit.executor.executor import Executor
from remit.executor.replay.memory import State
from remit.executor.replay.sql import SqliteMemory
from remit.executor.run import forgetting


class Clock:
    now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def office(tmp_path):
    clock, memory, log = Clock(), SqliteMemory(tmp_path / "marks.db"), Log.open(tmp_path)
    yield clock, memory, Executor("one", known(), memory, log, {}, clock)
    memory.close()
    log.close()


async def for_a_moment(executor):
    task = asyncio.create_task(forgetting(executor, every=0.01))
    await asyncio.sleep(0.1)
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


def marks(memory):
    with memory._store.look() as link:
        return [row[0] for row in link.execute("SELECT state FROM action")]


def test_a_replay_after_forgetting_is_refused_by_freshness(office):
    clock, memory, executor = office
    presented = case().presented()
    first = asyncio.run(executor.act(presented))
    assert (first.status, marks(memory)) == ("failed", [State.FAILED])  # it was accepted; it has no adapter here
    asyncio.run(for_a_moment(executor))
    assert marks(memory) == [State.FAILED], "proofs of it may still be accepted"
    assert asyncio.run(executor.act(presented)).code == "REPLAY_DENY"
    clock.now = NOW + LIFETIME + 400
    asyncio.run(for_a_moment(executor))
    assert marks(memory) == []
    assert asyncio.run(executor.act(presented)).code == "PROOF_STALE"
    again = case()
    fresh = again._replace(action_id=first.action_id, proofs=tuple(one._replace(ts=clock.now) for one in again.proofs))
    assert asyncio.run(executor.act(fresh.presented())).code == "ACTION_STALE"


def test_what_has_no_end_is_not_forgotten(office):
    clock, memory, executor = office
    memory.mark("a" * 32, "one", NOW + 10, NOW)
    clock.now = NOW + 1_000_000
    asyncio.run(for_a_moment(executor))
    assert marks(memory) == [State.STARTED]
    assert executor.reconcile() == ("a" * 32,)
    asyncio.run(for_a_moment(executor))
    assert marks(memory) == []


def test_a_store_that_fails_is_tried_again(office):
    _, memory, executor = office
    asked = []

    def fails(now):
        asked.append(now)
        raise AuthorityError("broken", "repair it")

    memory.forget = fails
    asyncio.run(for_a_moment(executor))
    assert len(asked) > 1
