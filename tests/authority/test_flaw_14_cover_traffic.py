"""Flaw 14: questions that nobody asked were off by default. They are on wherever a gateway is made, and no setting turns them off."""

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import uvloop

from authority_world import BINDING, built, classes, key, server_keys
from remit.authority.policy_files import DeliveredPolicy
from remit.authority.question.layout import BUCKETS
from remit.authority.question.questions import nobody
from remit.authority.server.app import read_question, write_answer
from remit.authority.server.service import Identity, Service
from remit.authority.settings import PartySettings
from remit.gateway.parties.servers import OPEN, Accusing, Cover, Pauses, Policy, Servers, Shaping, next_cover


def made(shaping=None, parties=(None, None)):
    policy = Policy(lambda: DeliveredPolicy(built().gateway, BINDING), server_keys(), classes)
    return Servers(policy, parties, Accusing(Path("/nowhere"), None, bool), shaping)


def test_shaping_is_on_unless_a_program_says_otherwise():
    shaping = made()._shaping
    assert shaping == Shaping()
    assert shaping.covers > 0
    assert shaping.slot > 0
    assert shaping != OPEN


def test_no_setting_turns_it_off():
    assert not {name for name in PartySettings._fields if "shap" in name or "cover" in name or "slot" in name}


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run])
def test_nothing_leaves_before_its_slot(run):
    """A loop that rounds its waits would let it out a fraction of a millisecond early, and so show when it was asked."""
    slot, servers = Shaping().slot, made()

    async def leaving():
        out = []
        for number in range(40):
            asked = time.monotonic()
            await servers._slot()
            out.append((asked, time.monotonic()))
            await asyncio.sleep(number * 0.00013)
        return out

    for asked, left in run(leaving()):
        slots = round((asked + servers._shaping.wait(asked)) / slot)
        assert left >= slots * slot - 1e-6
        assert asked <= slots * slot + 1e-6


def test_what_nobody_asks_has_texts_where_texts_are_looked_into():
    windows = {"a": 12, "b": 0}
    program = SimpleNamespace(
        look_ups=[(1, "a"), (2, "b"), (3, "a")], kept=lambda name: SimpleNamespace(window=windows[name]), facts=(1, 2)
    )
    said = nobody(SimpleNamespace(program=program), 5)
    assert said.texts == {1: ("xxxxx",), 3: ("xxxxx",)}
    assert said[0] == -1
    assert said[3] == (False, False)


def test_questions_that_nobody_asks_are_drawn():
    draws = SimpleNamespace(random=lambda: 0.5, expovariate=lambda rate: rate, choice=lambda found: found[0])
    assert next_cover(Shaping(covers=3.0), Pauses(), draws) == Cover(3.0, 0, 0.05)
    assert next_cover(Shaping(larger=0.6), Pauses(), draws).bucket == len(BUCKETS) - 1
    assert next_cover(Shaping(larger=0.5), Pauses(), draws).bucket == 0


def test_pauses_are_those_of_the_last_actions():
    """What nobody asked is asked again as late as real actions are committed; one that was not committed counts as never."""
    pauses = Pauses()
    for number in range(300):
        pauses.note(f"a{number}", 10.0 * number)
        pauses.note(f"a{number}", 10.0 * number + 4.0)
    assert set(pauses._last) == {4.0}
    pauses.note("left", 4000.0)
    pauses.note("next", 4000.0 + 301)
    assert set(pauses._last) == {4.0, -1.0}
    assert not pauses._open.keys() - {"next"}


class Answers:
    """A policy server that keeps what it is asked."""

    def __init__(self, number):
        self.service = Service(Identity(number, f"p{number}", key(f"server {number}")), lambda: built().holdings)
        self.asked, self.twice = [], asyncio.Event()

    async def post(self, path, body):
        assert path == "/look-up"
        self.asked.append(bytes(body))
        if len(self.asked) > 1:
            self.twice.set()
        ticket, epoch, question = read_question(body)
        return write_answer(await self.service.look_up(self.service.holdings(epoch), ticket.hex(), question))

    async def close(self):
        self.asked.append(b"")


def test_what_nobody_asked_is_asked_of_both_and_asked_again():
    parties = (Answers(0), Answers(1))

    async def covering():
        servers = made(Shaping(slot=0.0, covers=100.0), parties)
        servers.cover()
        async with asyncio.timeout(60):
            await asyncio.gather(*(party.twice.wait() for party in parties))
        await servers.close()

    asyncio.run(covering())
    tickets = [{body[:32] for body in party.asked if body} for party in parties]
    assert len(tickets[0] & tickets[1]) > 1
    assert all(party.asked[-1] == b"" for party in parties)
