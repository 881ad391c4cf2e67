"""Flaw 14: questions that nobody asked were off by default. They are on wherever a gateway is made, and no setting turns them off."""

import asyncio
import json
import time
from types import SimpleNamespace

import pytest
import uvloop

from authority_world import database
from remit.authority.question.layout import BUCKETS
from remit.authority.settings import Settings
from remit.gateway.parties.servers import Servers, _nobody
from remit.gateway.parties.shaping import OPEN, Cover, Shaping, next_cover


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


def test_what_nobody_asks_has_texts_where_texts_are_looked_into():
    windows = {"a": 12, "b": 0}
    program = SimpleNamespace(
        look_ups=[(1, "a"), (2, "b"), (3, "a")], kept=lambda name: SimpleNamespace(window=windows[name]), facts=(1, 2)
    )
    said = _nobody(SimpleNamespace(program=program), 5)
    assert said.texts == {1: "xxxxx", 3: "xxxxx"}
    assert said[0] == -1
    assert said[3] == (False, False)


def test_questions_that_nobody_asks_are_drawn():
    draws = SimpleNamespace(random=lambda: 0.5, expovariate=lambda rate: rate)
    assert next_cover(Shaping(covers=3.0, delay=0.25), draws) == Cover(3.0, 0, 4.0)
    assert next_cover(Shaping(committed=0.5), draws).committed == -1.0
    assert next_cover(Shaping(larger=0.6), draws).bucket == len(BUCKETS) - 1
    assert next_cover(Shaping(larger=0.5), draws).bucket == 0


class Hears:
    """A policy server that keeps what it is asked, and tells when there was a commit."""

    def __init__(self):
        self.asked, self.committed = [], asyncio.Event()

    async def post(self, path, body):
        self.asked.append((path, bytes(body)))
        if path == "/commit":
            self.committed.set()
        return b'{"outputs": ""}'

    async def close(self):
        self.asked.append(("closed", b""))


def test_what_nobody_asked_is_asked_of_both_and_committed_to_both():
    parties = (Hears(), Hears())
    shaping = Shaping(slot=0.0, covers=100.0, committed=1.0, delay=0.01)

    async def covering():
        made = Servers(database().layout, None, parties, set, shaping)
        made.cover()
        async with asyncio.timeout(20):
            await asyncio.gather(*(party.committed.wait() for party in parties))
        await made.close()

    asyncio.run(covering())
    for party in parties:
        asked = {(body[:16].hex(), body[16:48].hex()) for path, body in party.asked if path == "/evaluate"}
        commits = [json.loads(body) for path, body in party.asked if path == "/commit"]
        assert {(one["action_id"], one["commitment"]) for one in commits} <= asked
        assert party.asked[-1][0] == "closed"
