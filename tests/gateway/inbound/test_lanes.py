"""Lanes end when they are cancelled, whatever comes at the same moment."""

import asyncio

import pytest

from remit.gateway.inbound.service import Lane


async def nothing(_):
    return ()


@pytest.mark.parametrize("rung", [False, True])
def test_a_lane_that_is_cancelled_while_it_is_rung_ends(rung):
    async def play():
        lane = Lane(nothing, nothing, 1)
        task = asyncio.create_task(lane.run())
        for _ in range(10):
            await asyncio.sleep(0)
        if rung:
            lane.ring()
        task.cancel()
        done, _ = await asyncio.wait((task,), timeout=10)
        ended = task in done and task.cancelled()
        task.cancel()
        return ended

    assert asyncio.run(play())


@pytest.mark.parametrize(("patience", "done"), [(300, ["begun", "done"]), (0, ["begun"])])
def test_what_is_on_its_way_is_finished_by_a_lane_with_patience(patience, done):
    did, todo, begun = [], ["one"], asyncio.Event()

    async def take(_):
        return [todo.pop()] if todo else ()

    async def work(_):
        did.append("begun")
        begun.set()
        for _ in range(10):
            await asyncio.sleep(0)
        did.append("done")

    async def play():
        task = asyncio.create_task(Lane(take, work, 1, patience).run())
        await begun.wait()
        task.cancel()
        await asyncio.wait((task,))
        return task.cancelled()

    assert asyncio.run(play())
    assert did == done
