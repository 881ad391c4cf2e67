"""An executor that was held up between accepting and marking: the model `acceptance` found that it acted a second time, and the theory `marks` that
it did so where another one's clock is ahead."""

import asyncio

import pytest

from authority_world import NOW, case, known
from remit.audit.log import Log
from remit.authority.values.action import LIFETIME, born
from remit.executor.effects.adapter import EffectDone
from remit.executor.executor import Executor
from remit.executor.replay.memory import State
from remit.executor.replay.sql import SqliteMemory


@pytest.mark.parametrize(("held_up", "ends", "effects"), [(0, "done", 1), (LIFETIME + 400, "refused", 0)])
def test_it_marks_by_the_time_of_the_mark(held_up, ends, effects, tmp_path):
    one, happened, times = case(), [], iter((NOW,))
    memory, log = SqliteMemory(tmp_path / "marks.db"), Log.open(tmp_path)
    action_id = one.action_id

    class Sends:
        def happen(self, accepted):
            happened.append(accepted.action_id)
            return EffectDone("sent")

    def clock():
        now = next(times, NOW + held_up)
        if now == NOW + LIFETIME + 400:  # meanwhile another executor did it, and what is old was forgotten
            memory.mark(action_id, "other", NOW + LIFETIME + 221, NOW)
            memory.finish(action_id, "other", State.DONE)
            assert memory.forget(now) == 1
        return now

    try:
        result = asyncio.run(
            Executor("one", known(), memory, log, {"SendMessage": Sends()}, clock).act(one.presented())
        )
        assert (result.status, len(happened)) == (ends, effects)
    finally:
        memory.close()
        log.close()


@pytest.mark.parametrize("ahead", [0, 1, 5])
def test_a_clock_that_is_ahead_forgets_no_earlier(ahead, tmp_path):
    """The one that is held up marks in the last second in which it may, by a clock that is behind; the other has acted and would forget."""
    one, happened = case(), []
    memory, log = SqliteMemory(tmp_path / "marks.db"), Log.open(tmp_path)
    here = known()
    expires = born(one.action_id) + LIFETIME + here.lifetime + 2 * here.skew + 1
    times = iter((NOW,))

    class Sends:
        def happen(self, accepted):
            happened.append(accepted.action_id)
            return EffectDone("sent")

    effects = {"SendMessage": Sends()}
    assert ahead <= here.skew
    fast = Executor("fast", here, memory, log, effects, lambda: NOW)
    forgetting = Executor("fast", here, memory, log, effects, lambda: expires - 1 + ahead)

    def slow_clock():
        now = next(times, expires - 1)
        if now == expires - 1:
            forgetting.forget()
        return now

    try:
        first = asyncio.run(fast.act(one.presented()))
        second = asyncio.run(Executor("slow", here, memory, log, effects, slow_clock).act(one.presented()))
        assert (first.status, second.status, second.code) == ("done", "refused", "REPLAY_DENY")
        assert len(happened) == 1
    finally:
        memory.close()
        log.close()
