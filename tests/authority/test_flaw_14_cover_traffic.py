"""Flaw 14: questions that nobody asked were off by default. They are on wherever a gateway is made, and no setting turns them off."""

import asyncio
import time

import pytest
import uvloop

from remit.authority.settings import Settings
from remit.gateway.parties.servers import Servers
from remit.gateway.parties.shaping import OPEN, Shaping


def test_shaping_is_on_unless_a_program_says_otherwise():
    made = Servers(None, None, (None, None), set)
    assert made._shaping == Shaping()
    assert made._shaping.covers > 0
    assert made._shaping.slot > 0
    assert made._shaping != OPEN


def test_no_setting_turns_it_off():
    assert not {name for name in Settings._fields if "shap" in name or "cover" in name or "slot" in name}


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_nothing_leaves_before_its_slot(run):
    """A loop that rounds its waits would let it out a fraction of a millisecond early, and so show when it was asked."""
    slot, made = Shaping().slot, Servers(None, None, (None, None), set)

    async def leaving():
        out = []
        for number in range(40):
            asked = time.monotonic()
            await made._slot()
            out.append((asked, time.monotonic()))
            await asyncio.sleep(number * 0.00013)
        return out

    for asked, left in run(leaving()):
        slots = round((asked + made._shaping.wait(asked)) / slot)
        assert left >= slots * slot - 1e-6
        assert asked <= slots * slot + 1e-6
