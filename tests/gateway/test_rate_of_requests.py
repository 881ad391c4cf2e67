"""A caller who asks too often is refused with one code, others are served, and a flood of refusals is no flood of records."""

import asyncio
import json

import pytest
from gatekeys import credential_of
from gateworld import World
from hypothesis import given
from hypothesis import strategies as st
from starlette.testclient import TestClient

from each_row import each_row
from remit.authority.settings import read_settings
from remit.core.errors import UsageError
from remit.gateway import rate as room
from remit.gateway.deployment.folders import make_folder
from remit.gateway.fronts.http import make_app, measures_of
from remit.gateway.rate import Bucket, Buckets, Rate, RateAnswer, step
from remit.gateway.run import rules_of

RATES = st.builds(Rate, st.integers(1, 5000), st.integers(1, 20))
GAPS = st.lists(st.one_of(st.integers(0, 3), st.integers(0, 90_000), st.integers(-5000, 0)), max_size=60)


def times(gaps, start=1_000_000):
    now = start
    for gap in gaps:
        now += gap
        yield now


@given(RATES, GAPS)
def test_in_no_time_is_more_served_than_the_rate_and_a_burst(rate, gaps):
    bucket, served, latest = Bucket(), [], 0
    for now in times(gaps):
        bucket, asked = step(bucket, rate, now)
        latest = max(latest, now)
        if not asked.early:
            served.append(latest)
    for first in range(len(served)):
        for last in range(first, len(served)):
            minutes = (served[last] - served[first]) / 60_000
            assert last - first + 1 <= rate.burst + minutes * rate.minute + 1e-6


@given(RATES, GAPS)
def test_who_waits_as_long_as_it_is_told_is_served_and_not_sooner(rate, gaps):
    bucket, now = Bucket(), 1_000_000
    for moment in times(gaps):
        now = max(now, moment)
        bucket, asked = step(bucket, rate, now)
        if asked.early:
            assert step(bucket, rate, now + asked.early)[1].early == 0
            assert step(bucket, rate, now + asked.early - 1)[1].early > 0


@given(RATES, st.integers(0, 100))
def test_a_clock_that_goes_back_gives_nothing(rate, back):
    bucket = Bucket()
    for _ in range(rate.burst):
        bucket, asked = step(bucket, rate, 1000)
        assert asked == RateAnswer(0, first=False)
    bucket, asked = step(bucket, rate, 1000 - back)
    assert asked.early > 0
    assert asked.first
    assert not step(bucket, rate, 1000 - back)[1].first


def test_full_buckets_are_not_kept(monkeypatch):
    monkeypatch.setattr(room, "_MOST", 10)
    buckets = Buckets(Rate(60, 2))
    for number in range(100):
        buckets.ask(f"caller {number}", number * 1000)
    assert len(buckets._kept) <= 10
    for _ in range(3):
        last = buckets.ask("one", 200_000)
    for number in range(100):
        buckets.ask(f"at once {number}", 200_000)
    assert last.early  # and a bucket that is not full is never thrown away
    assert buckets.ask("one", 200_000).early


LIST = {"intent_id": "MemoryList", "inputs": {}}


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path, rate=Rate(minute=60, burst=3))
    yield made
    made.close()


def codes_of(world, times, who=None):
    return [world.act("MemoryList", who=who).reason_code for _ in range(times)]


def test_one_caller_too_often(world):
    assert codes_of(world, 5) == ["", "", "", "RATE_LIMIT", "RATE_LIMIT"]
    assert codes_of(world, 3, credential_of("bob")) == ["", "", ""]  # others are served
    assert world.answers[4].data == {"seconds": 1}
    world.now += 1
    assert codes_of(world, 2) == ["", "RATE_LIMIT"]


def test_another_session_is_no_other_caller(world):
    assert codes_of(world, 3) == ["", "", ""]
    assert codes_of(world, 1, credential_of("alice", session="another")) == ["RATE_LIMIT"]


def test_the_first_refusal_in_a_row_is_recorded(world):
    codes_of(world, 103)
    reasons = [one.entry.reason for one in world.logs[0].records()]
    assert reasons.count("RATE_LIMIT") == 1
    world.now += 1
    codes_of(world, 103)
    reasons = [one.entry.reason for one in world.logs[0].records()]
    assert reasons.count("RATE_LIMIT") == 2


def test_nothing_happens_for_who_asks_too_often(world):
    first = world.act("SendMessage", {"to": "boss@example.org", "text": "hello"})
    codes_of(world, 2)
    refused = world.act("SendMessage", {"to": "boss@example.org", "text": "hello"}, first.tx_id)
    assert refused.reason_code == "RATE_LIMIT"
    assert world.happened == []
    world.now += 1
    assert world.act("SendMessage", {"to": "boss@example.org", "text": "hello"}, first.tx_id).status == "OK"


def test_over_http(world):
    client = TestClient(make_app(world.gateway, measures_of(world.gateway)), raise_server_exceptions=False)
    told = [client.post("/act", json=LIST, headers={"authorization": f"Bearer {world.alice.text()}"}) for _ in range(4)]
    assert [one.status_code for one in told] == [200, 200, 200, 429]
    assert told[3].headers["retry-after"] == "1"
    assert told[3].json()["reason_code"] == "RATE_LIMIT"
    assert "retry-after" not in told[0].headers


def settings_with(folder, **changes):
    make_folder(folder / "up", None)
    path = folder / "up" / "gateway.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    return read_settings(path)


def test_it_stands_in_the_settings(tmp_path):
    assert rules_of(settings_with(tmp_path)).rate == Rate()
    assert rules_of(settings_with(tmp_path, rate={"minute": 600, "burst": 20})).rate == Rate(600, 20)


@each_row(
    "rate", [{}, {"minute": 0, "burst": 1}, {"minute": 1}, {"minute": 1, "burst": 0}, 5, {"minute": True, "burst": 1}]
)
def test_a_rate_of_another_form_is_refused(rate, tmp_path):
    with pytest.raises(UsageError):
        settings_with(tmp_path, rate=rate)


def test_many_at_once_get_no_more(world):
    async def all_at_once():
        return await asyncio.gather(*(world.gateway.act(world.alice, LIST) for _ in range(30)))

    told = asyncio.run(all_at_once())
    assert sum(one.status == "OK" for one in told) == 3
