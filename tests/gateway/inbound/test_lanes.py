"""Lanes end when they are cancelled, whatever comes at the same moment."""

import asyncio

import pytest

from remit.gateway.inbound.lanes import Lane


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
