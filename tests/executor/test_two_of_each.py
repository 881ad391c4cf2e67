"""Two gateways and two executors: whichever is killed or restarted, each action happens once, and its outcome can be asked."""

import asyncio
from collections import Counter

import pytest
from servers import postgres_folder, redis_program
from slow_mail import messages
from two_of_each import Heard, judge, kills, marks_nothing, office, restarts, working

from by_day import many

pytestmark = pytest.mark.skipif(
    postgres_folder() is None or redis_program() is None, reason="PostgreSQL or Redis is not installed"
)


@pytest.mark.parametrize("replay", ["redis", "postgres"])
def test_whichever_is_killed_each_action_happens_once_and_its_outcome_is_known(tmp_path, replay):
    rounds, heard = many(12, least=6), Heard()
    with office(tmp_path, replay) as (made, taken):
        killed, disturb = kills(made, rounds)
        asyncio.run(working(made, heard, disturb))
        faults, figures = judge(made, taken, heard)
    assert faults == {}, figures
    assert killed["rounds"] == rounds
    assert figures["told"]["OK"] > rounds / 2


def test_a_store_that_forgets_is_noticed(tmp_path):
    with office(tmp_path, "redis", 0.2, marks_nothing) as (made, taken):
        made.parties = [one for one in made.parties if one.name.startswith("executor")]

        def twice():
            return [text for text, count in Counter(one.text for one in messages(taken)).items() if count > 1]

        async def disturb(heard):
            for seed in range(50):
                if not twice():
                    await kills(made, 1, seed=seed)[1](heard)

        asyncio.run(working(made, Heard(), disturb))
        assert twice()


def test_while_one_executor_is_away_the_other_one_acts(tmp_path):
    heard = Heard()
    with office(tmp_path, "redis") as (made, taken):

        async def disturb(_):
            for one in [one for one in made.parties if one.name.startswith("executor")]:
                one.kill()
                before = heard.counted()["OK"]
                while heard.counted()["OK"] < before + 10:  # noqa: ASYNC110  what is waited for is what is tested
                    await asyncio.sleep(0.02)
                await asyncio.to_thread(made.start, [one])

        asyncio.run(working(made, heard, disturb))
        faults, figures = judge(made, taken, heard)
    assert faults == {}, figures
    assert not {"EXECUTOR_AWAY", "STORE_FAILED"} & set(figures["answers"]), figures


def test_a_rolling_restart_under_load_loses_nothing_and_doubles_nothing(tmp_path):
    heard = Heard()
    with office(tmp_path, "postgres") as (made, taken):
        asyncio.run(working(made, heard, restarts(made)))
        faults, figures = judge(made, taken, heard)
    assert faults == {}, figures
    assert set(figures["told"]) == {"OK"}, figures
    assert figures["left"] == figures["asked"], figures
