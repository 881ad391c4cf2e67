"""An executor that was held up between accepting and marking: the model `acceptance` found that it acted a second time."""

import asyncio

import pytest

from authority_world import NOW, case, known
from remit.audit.log import Log
from remit.executor.acting import Executor
from remit.executor.effects.form import Done
from remit.executor.replay.memory import State
from remit.executor.replay.sqlite import SqliteMemory


@pytest.mark.parametrize(("held_up", "ends", "effects"), [(0, "done", 1), (400, "refused", 0)])
def test_it_marks_by_the_time_of_the_mark(held_up, ends, effects, tmp_path):
    one, happened, times = case(), [], iter((NOW,))
    memory, log = SqliteMemory(tmp_path / "marks.db"), Log.open(tmp_path)
    action_id = one.proofs[0].context.action_id

    class Sends:
        def happen(self, accepted):
            happened.append(accepted.action_id)
            return Done("sent")

    def clock():
        now = next(times, NOW + held_up)
        if now == NOW + 400:  # meanwhile another executor did it, and what is old was forgotten
            memory.mark(action_id, "other", NOW + 221, NOW)
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
