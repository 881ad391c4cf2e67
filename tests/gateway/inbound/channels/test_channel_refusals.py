"""Requests that are not heard are counted, and the log is told of them: once a minute, with how many there were."""

import asyncio

import pytest
from channelworld import NOW, SLACK, WORLDS
from hypothesis import given
from hypothesis import strategies as st

from remit.audit.entry import Outcome
from remit.gateway.inbound.service import Inbound, Refusals
from remit.gateway.inbound.settings.values import Settings


class Written:
    """A log."""

    def __init__(self):
        self.entries = []

    def append(self, *entries):
        self.entries += entries


@pytest.fixture
def asked():
    """Send requests to channels, each a second after the one before; what the log has of it, and the counts."""

    def ask(*requests):
        log, clock = Written(), [float(NOW)]
        inbound = Inbound(
            Settings(), None, {world.name: world.channel() for world in WORLDS}, None, None, log, clock=lambda: clock[0]
        )

        async def run():
            for name, incoming in requests:
                await inbound.receive(name, incoming)
                clock[0] += 1

        asyncio.run(run())
        return log.entries, inbound.refusals.counts

    return ask


FORGED = SLACK.signed(SLACK.fixture["direct"], secret="another")


def test_a_flood_of_forged_requests_is_one_record(asked):
    entries, counts = asked(*[("slack", FORGED)] * 50)
    assert [(one.reason, one.outcome, one.arguments) for one in entries] == [
        ("SIGNATURE", Outcome.DENY, {"channel": "slack", "times": 1})
    ]
    assert counts == {("slack", "SIGNATURE"): 50}


def test_after_a_minute_the_log_hears_how_many_there_were(asked):
    entries, _ = asked(*[("slack", FORGED)] * 62)
    assert [one.arguments["times"] for one in entries] == [1, 60]


def test_each_channel_and_reason_has_its_own(asked):
    unsigned = FORGED._replace(headers=FORGED.headers[:1])
    entries, _ = asked(("slack", FORGED), ("slack", unsigned), ("telegram", FORGED))
    assert len(entries) == len({(one.arguments["channel"], one.reason) for one in entries}) == 3


def test_a_name_of_a_channel_that_is_a_strangers_is_not_kept(asked):
    entries, counts = asked(*[(f"name-{number}", FORGED) for number in range(9)])
    assert [one.arguments["channel"] for one in entries] == [""]
    assert counts == {("", "NO_CHANNEL"): 9}


@given(st.lists(st.tuples(st.integers(0, 200), st.sampled_from(["A", "KIND"]))))
def test_the_log_is_never_told_of_more_than_there_were(steps):
    refusals, now, told = Refusals(), 0, 0
    for pause, reason in steps:
        now += pause
        told += refusals.note("c", reason, now)
    assert told <= refusals.counts["c", "A"]
    assert (told > 0) == (refusals.counts["c", "A"] > 0)
