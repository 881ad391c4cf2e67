"""What a policy server tells a collector and Prometheus does not depend on what was asked for: docs/leakage.md."""

import asyncio
import json
import re

import httpx
import pytest
from test_two_servers import BINDING, LAYOUT, Pair, classes, questions, run, spoken

from authority_world import NOW
from remit.authority.server.app import make_app, measures_of
from remit.authority.values.action import new_action
from remit.authority.values.opening import open_for
from remit.authority.values.request import make_request
from remit.core import telemetry
from remit.telemetry.hearing import Telemetry

ALLOWED, DENIED, OTHER = (
    "boss@example.org",
    "ross@example.net",
    "anna@example.org",
)  # in a list, in none, in a list elsewhere


class Kept(list):
    put = list.append


def asked(to, text):
    opening = open_for(make_request("SendMessage", "agent", "s", {"to": to, "text": text}))
    both = questions(LAYOUT, spoken(LAYOUT.program, opening.request, classes), BINDING.question_seed(opening))
    return both, BINDING.commitment(opening)


async def told(to, text, times=3):
    """All that the two servers tell about questions for this recipient, but times and random names."""
    listener = Telemetry("test")
    listener.spans = Kept()
    async with Pair() as pair:
        measures = [measures_of(one) for one in pair.services]
        clients = [
            httpx.AsyncClient(transport=httpx.ASGITransport(make_app(*one)), base_url="http://p")
            for one in zip(pair.services, measures, strict=True)
        ]
        telemetry.listen(listener)
        try:
            actions = [await decide(clients, to, text) for _ in range(times)]
        finally:
            telemetry.listen(None)
        figures = [(await client.get("/metrics")).text for client in clients]
        for client in clients:
            await client.aclose()
    spans = [
        (one.name, one.attributes, one.failed, bool(one.parent), one.linked)
        for one in listener.spans
        if one.name != "remit.server.check"
    ]
    checks = {(one.name, one.failed, one.linked) for one in listener.spans if one.name == "remit.server.check"}
    traces = {one.home.trace for one in listener.spans if one.name != "remit.server.check"}
    assert traces == set(actions), "a trace is the action, whose name the servers have anyway"
    return sorted(spans, key=str), checks, [samples(text) for text in figures]


async def decide(clients, to, text):
    both, commitment = asked(to, text)
    action = new_action(NOW)
    head = bytes.fromhex(action) + commitment
    bodies = [head + bytes((one.bucket,)) + one.body for one in both]
    shown = {"traceparent": "00-" + "a" * 32 + "-" + "b" * 16 + "-01"}  # a server takes no trace from anybody
    answers = await asyncio.gather(
        *(client.post("/evaluate", content=body, headers=shown) for client, body in zip(clients, bodies, strict=True))
    )
    assert [one.status_code for one in answers] == [200, 200]
    body = json.dumps({"action_id": action, "commitment": commitment.hex()})
    signed = await asyncio.gather(*(client.post("/commit", content=body, headers=shown) for client in clients))
    assert [one.status_code for one in signed] == [200, 200]
    return action


def samples(text):
    """Names, labels and counts; times are not compared, nor how many triples are left, which hangs on the dealer."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return sorted(line for line in lines if not re.match(r"remit_(seconds_(bucket|sum)|portions)", line))


@pytest.mark.parametrize("text", ["hello", "x" * 700])
def test_whatever_is_asked_for_the_same_is_told(text):
    first, second, third = (run(told(to, text)) for to in (ALLOWED, DENIED, OTHER))
    assert first == second == third
    assert len(first[0]) == 12


def test_another_size_class_is_told_because_a_server_sees_it():
    assert run(told(ALLOWED, "x", 1)) != run(told(ALLOWED, "x" * 700, 1))
