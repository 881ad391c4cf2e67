"""What a policy server tells a collector and Prometheus does not depend on what was asked for: docs/leakage.md."""

import asyncio
import re
import secrets

import httpx
import pytest
from test_two_servers import BINDING, LAYOUT, Pair, classes, run, spoken

from authority_world import NOW, STORE
from remit.authority.question.questions import ask
from remit.authority.server.app import make_app, measures_of, write_question
from remit.authority.values.action import new_action
from remit.authority.values.opening import LookUp, open_for
from remit.authority.values.request import make_request
from remit.core import telemetry
from remit.telemetry.listener import Telemetry

ALLOWED, DENIED, OTHER = (
    "boss@example.org",
    "ross@example.net",
    "anna@example.org",
)  # in a list, in none, in a list elsewhere


class Kept(list):
    put = list.append


def asked(to, text):
    opening = open_for(make_request("SendMessage", "agent", "s", {"to": to, "text": text}), STORE)
    look = LookUp(opening, new_action(NOW), secrets.token_bytes(32))
    both = ask(LAYOUT, spoken(LAYOUT.program, opening.request, classes), BINDING.question_seed(look)).questions
    return both, BINDING.ticket(look)


async def told(to, text, times=3):
    """All that the two servers tell about questions for this recipient, but times and random names."""
    listener = Telemetry("test")
    listener.spans = Kept()
    pair = Pair()
    measures = [measures_of(one) for one in pair.services]
    clients = [
        httpx.AsyncClient(transport=httpx.ASGITransport(make_app(*one)), base_url="http://p")
        for one in zip(pair.services, measures, strict=True)
    ]
    telemetry.listen(listener)
    try:
        tickets = [await looked_up(clients, to, text) for _ in range(times)]
    finally:
        telemetry.listen(None)
    figures = [(await client.get("/metrics")).text for client in clients]
    for client in clients:
        await client.aclose()
    spans = [(one.name, one.attributes, one.failed, bool(one.parent), one.linked) for one in listener.spans]
    traces = {one.home.trace for one in listener.spans}
    assert traces == set(tickets), "a trace is the ticket, which the servers have anyway"
    return sorted(spans, key=str), [samples(text) for text in figures]


async def looked_up(clients, to, text):
    both, ticket = asked(to, text)
    shown = {"traceparent": "00-" + "a" * 32 + "-" + "b" * 16 + "-01"}  # a server takes no trace from anybody
    answers = await asyncio.gather(
        *(
            client.post("/look-up", content=write_question(ticket, LAYOUT.epoch, one), headers=shown)
            for client, one in zip(clients, both, strict=True)
        )
    )
    assert [one.status_code for one in answers] == [200, 200]
    return ticket.hex()[:32]


def samples(text):
    """Names, labels and counts; times are not compared."""
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    return sorted(line for line in lines if not re.match(r"remit_seconds_(bucket|sum)", line))


@pytest.mark.parametrize("text", ["hello", "x" * 700])
def test_whatever_is_asked_for_the_same_is_told(text):
    first, second, third = (run(told(to, text)) for to in (ALLOWED, DENIED, OTHER))
    assert first == second == third
    assert len(first[0]) == 6


def test_another_size_class_is_told_because_a_server_sees_it():
    assert run(told(ALLOWED, "x", 1)) != run(told(ALLOWED, "x" * 700, 1))
