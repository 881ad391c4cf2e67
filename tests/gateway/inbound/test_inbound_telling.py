"""What the inbound gateway tells of its work: one trace from an event to its answer, counts, and alarms as counts."""

import asyncio

import pytest
from inboundworld import World
from one_at_a_time import one_turn

from remit.core import telemetry
from remit.core.telemetry import of_names
from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage
from remit.gateway.inbound.laws import Law, LawViolation
from remit.gateway.inbound.monitor import Monitor

WORDS = "words that nobody else is to read"


class Heard:
    """A listener that keeps names, and says where spans are."""

    def __init__(self):
        self.counts, self.spans, self.events = [], [], []

    def count(self, name, labels):
        self.counts.append((name, *labels))

    def event(self, code, fields):
        self.events.append((code, fields))

    def span(self, name, within):
        return Noted(self, name, within)

    def current(self):
        return None


class Noted:
    home = None

    def __init__(self, heard, name, within):
        self.heard, self.name, self.within, self.noted = heard, name, within, {}

    def note(self, **attributes):
        self.noted |= {name: str(value) for name, value in attributes.items()}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.heard.spans.append((self.name, self.within, self.noted))


@pytest.fixture
def heard():
    listener = Heard()
    telemetry.listen(listener)
    yield listener
    telemetry.listen(None)


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.store.close()


def test_an_event_its_turn_and_its_answer_are_one_trace(world, heard):
    assert world.say(WORDS) == [f"heard: {WORDS}"]
    trace = of_names("inbound", "e1")
    assert heard.spans == [
        ("remit.inbound.hear", trace, {"outcome": "heard", "code": ""}),
        ("remit.inbound.turn", trace, {}),
        ("remit.inbound.send", trace, {"outcome": "sent"}),
    ]
    assert ("remit_inbound_events", "heard", "") in heard.counts
    assert ("remit_inbound_deliveries", "sent") in heard.counts
    assert WORDS not in str((heard.spans, heard.counts, heard.events))


def test_a_tool_that_is_refused_is_counted(world, heard):
    call = AgentCall("c1", "no_such_tool", "{}")
    world.script.says = [ConversationMessage(By.AGENT, "", (call,)), ConversationMessage(By.AGENT, "done")]
    world.hear("one")
    asyncio.run(one_turn(world.inbound))
    assert ("remit_inbound_tools", "refused") in heard.counts
    assert "no_such_tool" not in str((heard.spans, heard.counts))


@pytest.mark.parametrize(("status", "how"), [("OK", "done"), ("DENY", "failed")])
def test_a_tool_that_ran_is_counted_once(world, heard, status, how):
    world.outcome = {"status": status, "reason_code": WORDS, "summary": WORDS}
    world.calls("memory_put", key="a", text="b")
    world.say("keep it")
    assert [labels for name, *labels in heard.counts if name == "remit_inbound_tools"] == [[how]]
    assert WORDS not in str(heard.counts)


def test_an_alarm_is_a_count_and_a_line(heard):
    raised = []
    monitor = Monitor(raised.append)
    monitor._raise(LawViolation(Law("delivery.at-most-once", "x"), f"key {WORDS}", "session"))
    assert heard.counts == [("remit_inbound_alarms", "delivery.at-most-once")]
    assert heard.events == [("INBOUND_ALARM", {"law": "delivery.at-most-once"})]
    assert len(raised) == 1


def test_an_alarm_is_raised_whatever_the_listener_does():
    class Failing:
        def __getattr__(self, name):
            raise RuntimeError(name)

    raised = []
    telemetry.listen(Failing())
    try:
        Monitor(raised.append)._raise(LawViolation(Law("a", "x"), "key"))
    finally:
        telemetry.listen(None)
    assert len(raised) == 1
