"""A gateway at work: from an event to the answer that goes out, what operators command, and what the log has of it."""

import asyncio
import json
import re

import pytest
from inboundworld import GATE, NOW, SETTINGS, TOOLS, World
from one_at_a_time import one_sending, one_turn, take_piece, take_turn

from remit.core.errors import AuthorityError
from remit.gateway.inbound import delivery, service, turns
from remit.gateway.inbound.agent.turn import AgentCall, By, ConversationMessage, LostError
from remit.gateway.inbound.channels.interface import Incoming, Received, Reply, Sending, SendResult
from remit.gateway.inbound.events import Direct, Event, EventResult, What
from remit.gateway.inbound.monitor import Monitor
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.nodes.commands import Device
from remit.gateway.inbound.nodes.runs import apply
from remit.gateway.inbound.pairing import Rules
from remit.gateway.inbound.routing import ChatAddress, ConversationKind, Identity, Scope, Sessions
from remit.gateway.inbound.stores.operations import listed
from remit.gateway.inbound.stores.tables import TALKS
from remit.gateway.inbound.tool_policy import Layer


@pytest.fixture
def world(tmp_path):
    made = World(tmp_path)
    yield made
    made.store.close()


def test_what_is_said_is_answered_where_it_was_said_and_remembered(world):
    assert world.hear("one").heard is EventResult.HEARD
    assert asyncio.run(one_turn(world.inbound)) is True
    assert asyncio.run(one_turn(world.inbound)) is False
    assert asyncio.run(one_sending(world.inbound)) is True
    assert asyncio.run(one_sending(world.inbound)) is False
    assert world.chat.sent == [("ann", "heard: one")]
    world.chat.sent.clear()
    assert world.say("two") == ["heard: two"]
    assert [seen for _, seen, _ in world.script.seen] == [["one"], ["one", "heard: one", "two"]]
    assert world.say("three", "bob") == ["heard: three"]
    assert world.script.seen[-1][:2] == ("be brief", ["three"])
    assert world.hear("one", event="e1").reason == "SEEN"
    assert [one.call for one in world.log if one.event == "heard"] == ["e1", "e2", "e3", "e1"]
    world.hear("without a name of its own", event="")
    assert world.log[-1].call == "m5"


def test_a_request_is_acknowledged_when_it_is_kept(world):
    event = Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"), What.SAID, "one", "m", "e")
    world.chat.received = Received((event,), Reply(202))
    incoming = Incoming((), b"", NOW)
    assert asyncio.run(world.inbound.receive("chat", incoming)) == Reply(202)
    assert asyncio.run(world.inbound.receive("other", incoming)) == Reply(404)
    assert world.work() == ["heard: one"]
    world.chat.received = Received((event._replace(event="e2"),), Reply(401), "SIGNATURE")
    assert asyncio.run(world.inbound.receive("chat", incoming)) == Reply(401)
    assert world.work() == []


def test_a_stranger_gets_a_code_of_its_own(world, monkeypatch):
    world.settings(channels={"chat": SETTINGS.channels["chat"]._replace(gate=GATE._replace(direct=Direct.PAIRED))})
    codes = iter(["AAAAAAAA", "AAAAAAAA", "AAAAAAAA", "BBBBBBBB"])
    monkeypatch.setattr(service, "new_code", lambda: next(codes, "CCCCCCCC"))
    assert world.hear("hello").heard is EventResult.PAIRING
    assert world.hear("hello", "bob").heard is EventResult.PAIRING
    told = world.work()
    assert [text.split()[-1] for text in told] == ["AAAAAAAA", "BBBBBBBB"]
    assert world.say("/pair chat AAAAAAAA", "root") == ["AAAAAAAA: approved"]
    assert world.outcomes() == ["person-approved"]
    assert world.say("hello") == ["heard: hello"]
    assert world.hear("hello", "bob").heard is EventResult.PAIRING
    assert world.say("/pair chat NONE", "root")[-1].startswith("NONE: ")
    assert world.say("/unpair chat ann", "root") == ["ann: removed"]
    assert world.outcomes() == ["person-approved", "person-denied", "person-denied"]
    assert world.hear("hello").heard is EventResult.PAIRING


def test_codes_are_long_and_of_letters_that_are_not_mistaken():
    assert re.fullmatch("[A-HJ-NP-Z2-9]{8}", service.new_code())
    assert service.new_code() != service.new_code()


def test_a_failure_is_told_and_remembered(world):
    world.script.says.append(AuthorityError("no model", ""))
    assert world.say("one") == ["I could not answer: no model."]
    assert world.say("two") == ["heard: two"]
    assert world.script.seen[-1][1] == ["one", "I could not answer: no model.", "two"]


def test_tools_are_those_of_the_settings_of_the_moment(world):
    world.calls("memory_put", key="a", text="b")
    assert world.say("keep it") == ["heard: "]
    assert world.acted == [("main", "MemoryWrite", {"key": "a", "text": "b"})]
    assert world.outcomes() == ["admit", "executed"]
    shown = world.script.seen[-1][2]
    assert "memory_put" in shown
    assert "exec" not in shown
    world.agent(policy=TOOLS._replace(layers={"global": Layer(deny=("group:memory",))}))
    world.calls("memory_put", key="a", text="b")
    world.say("again")
    assert len(world.acted) == 1
    assert world.outcomes() == ["admit", "executed", "deny"]
    world.settings(agents={})
    world.calls("read", path="a")
    world.say("and again")
    assert world.script.seen[-1][2] == set()
    assert world.script.seen[-1][0] == ""
    assert len(world.acted) == 1


def test_without_an_outbound_gateway_its_tools_are_not_there(world):
    world.inbound.act = None
    world.calls("memory_get", key="a")
    world.say("what?")
    assert world.script.seen[-1][2] == {"node_list", "node_run"}
    assert world.outcomes() == ["deny"]


def test_what_the_outbound_gateway_denies_is_told_as_failed(world):
    world.outcome = {"status": "DENY", "reason_code": "POLICY_DENY", "summary": "no"}
    world.calls("memory_get", key="a")
    world.say("what?")
    assert world.outcomes() == ["admit", "failed"]


def test_memory_is_for_who_is_alone(world):
    world.say("direct")
    assert "memory_get" in world.script.seen[-1][2]
    world.settings(sessions=Sessions(Scope.MAIN))
    world.say("shared")
    assert not {"memory_get", "memory_put", "memory_search"} & world.script.seen[-1][2]
    world.settings(sessions=SETTINGS.sessions, channels={"chat": SETTINGS.channels["chat"]._replace(gate=GATE._replace(rooms=frozenset({"*"}), named=frozenset({"*"})))})  # fmt: skip
    world.hear("in a room", place=ChatAddress("chat", "us", ConversationKind.GROUP, "ann", "r"), mentioned=True)
    world.work()
    assert "memory_get" not in world.script.seen[-1][2]


def test_elevated_tools_want_the_sender_too(world):
    elevated = TOOLS._replace(elevated=frozenset({"write"}), elevated_global=True, elevated_agent=True)
    world.agent(policy=elevated, sender_elevated=frozenset({Identity("chat", "ann")}))
    world.say("one")
    assert "write" in world.script.seen[-1][2]
    world.say("two", "bob")
    assert "write" not in world.script.seen[-1][2]


DEVICE = Device("d1", "linux", frozenset({"system.which"}))


@pytest.fixture
def device(world):
    async def send(text):
        told = json.loads(text)
        from remit.gateway.inbound.nodes.devices import DeviceAnswer

        connected.answered(DeviceAnswer(told["run"], 0, "out"))

    connected = world.devices.connect(DEVICE, send)
    from remit.gateway.inbound import pairing
    from remit.gateway.inbound.pairing import apply as apply_pairing

    for event in (pairing.Ask("d1", "CODE"), pairing.Approve("CODE")):
        world.store.run(apply_pairing(Rules(), "nodes", event, NOW))
    return connected


def test_devices_are_listed(world, device):
    assert world.say("/devices", "root") == ["d1  linux  system.which"]
    world.calls("node_list")
    world.script.says.append(ConversationMessage(By.AGENT, "listed"))
    assert world.say("which?") == ["listed"]
    (talk,) = [talk for _, talk in world.store.run(listed(TALKS))]
    (told,) = [result.text for said in talk.said for result in said.results]
    assert json.loads(told) == [{"device": "d1", "platform": "linux", "commands": ["system.which"]}]
    world.devices.disconnect(device)
    assert world.say("/devices", "root") == ["no device is there"]


@pytest.mark.usefixtures("device")
def test_an_operator_s_own_words_need_no_approval_and_others_do(world):
    world.calls("node_run", device="d1", command="system.which", arguments="sh")
    assert world.say("where?", "root") == ["heard: "]
    assert world.outcomes() == ["admit", "executed"]
    world.calls("node_run", device="d1", command="system.which", arguments="sh")
    (asked,) = world.say("where?")
    assert world.outcomes() == ["admit", "executed", "admit"]
    for line in ("device:    d1", "command:   system.which", 'arguments: "sh"', "asked by:  chat:ann (agent main"):
        assert line in asked
    (_, request), (_, other) = sorted(world.store.run(listed("runs")), key=lambda one: one[1].phase)
    assert {str(request.phase), str(other.phase)} == {"done", "waiting"}


@pytest.mark.usefixtures("device")
@pytest.mark.parametrize("rate", [0.0, 1.0])
def test_whoever_watches_sees_as_much_as_it_wants(world, rate, monkeypatch):
    """The tools that a model is shown, those that act, and what devices are asked."""
    alarms, seen = [], []
    monitor = world.inbound.monitor = Monitor(alarms.append, rate, lambda: NOW)
    monitor.use(SETTINGS)
    for name in ("shows", "acts", "asks"):
        real = getattr(monitor, name)
        monkeypatch.setattr(monitor, name, lambda *told, name=name, real=real: (seen.append(name), real(*told)))
    world.calls("node_list")
    world.say("which?", "root")
    assert set(seen) == ({"shows"} if rate else set())  # it changes nothing
    world.say("/new", "root")
    seen.clear()
    world.calls("node_run", device="d1", command="system.which", arguments="sh")
    world.say("where?", "root")
    assert [one for one in seen if one != "shows"] == (["acts", "asks"] if rate else [])
    assert (alarms, world.outcomes()) == ([], ["admit", "executed", "admit", "executed"])


def test_operators_answer_for_devices_and_others_do_not(world):
    for name in ("r1", "r2"):
        world.store.run(apply(name, runs.Ask("d1", "x.y", "digest", approval=True), NOW))
    assert world.say("/approve r1", "ann") == ["heard: /approve r1"]
    assert world.say("/approve r1", "root") == ["r1: approved"]
    assert world.say("/approve r1", "root") == ["r1: RUN_USED"]
    assert world.say("/deny r2", "root") == ["r2: denied"]
    assert world.say("/approve r2", "root") == ["r2: RUN_USED"]
    assert world.say("/approve r3", "root") == ["r3: RUN_UNKNOWN"]
    assert world.outcomes() == ["person-approved", "person-denied", "person-denied", "person-denied"]
    assert world.say("/else", "root")[0].startswith("/pair CHANNEL CODE")
    found = {name: one.phase for name, one in world.store.run(listed("runs"))}
    assert found == {"r1": runs.RunPhase.READY, "r2": runs.RunPhase.DENIED}


def test_what_is_not_sent_is_tried_again_and_what_is_not_known_is_not(world):
    world.chat.went = Sending(SendResult.FAILED, 30)
    assert world.say("one") == ["heard: one"]
    world.time += 29
    assert world.work() == []
    world.time += 600
    world.chat.went = Sending(SendResult.SENT)
    assert world.work() == ["heard: one"]
    assert world.work() == []
    world.chat.went = Sending(SendResult.UNKNOWN)
    assert world.say("two") == ["heard: two", delivery.UNKNOWN]
    for _ in range(delivery.MOST_NOTICES - 1):  # each may be lost as well
        world.time += 1000
        assert world.work() == [delivery.UNKNOWN]
    world.time += 10_000
    assert world.work() == []


def test_a_channel_that_is_gone_fails_for_certain(world):
    world.hear("one")
    asyncio.run(one_turn(world.inbound))
    world.inbound.channels = {}
    assert world.work() == []
    world.inbound.channels = {"chat": world.chat}
    world.time += 600
    assert world.work() == ["heard: one"]


def test_a_turn_that_another_has_taken_is_not_answered_twice(world):
    def lost(*_):
        raise LostError("gone", "")

    world.hear("one")
    world.script.think = lost
    assert asyncio.run(one_turn(world.inbound)) is True
    assert world.store.run(listed(TALKS)) == []
    del world.script.think
    assert world.work() == []
    world.time += turns.LEASE
    assert world.work() == ["heard: one"]


def test_who_has_lost_a_turn_does_nothing(world):
    async def think(*_):
        world.time += turns.LEASE
        await world.inbound.kept(take_turn("other", world.time))
        await world.inbound.kept(take_turn("other", world.time))
        return ConversationMessage(By.AGENT, "", (AgentCall("c", "memory_put", json.dumps({"key": "a", "text": "b"})),))

    world.hear("one")
    world.script.think = think
    asyncio.run(one_turn(world.inbound))
    assert world.acted == []


def test_what_was_interrupted_while_it_acted_is_in_the_log_and_told(world):
    world.hear("one")
    key, _, _ = world.store.run(take_turn("v", NOW))
    assert world.store.run(turns.go_on(key, "v", NOW, acts=True))
    world.time += turns.LEASE
    told = world.work()
    assert told == [turns.INTERRUPTED]
    assert world.outcomes() == ["unknown"]


def test_a_piece_that_was_being_sent_is_in_the_log_as_unknown(world):
    world.hear("one")
    asyncio.run(one_turn(world.inbound))
    world.store.run(take_piece("v", NOW))
    world.time += delivery.LEASE
    assert world.work() == [delivery.UNKNOWN]
    assert world.outcomes() == ["unknown"]


def test_workers_work_until_they_are_ended(world):
    async def run():
        working = asyncio.create_task(world.inbound.run(2))
        await asyncio.sleep(0.05)
        event = Event(ChatAddress("chat", "us", ConversationKind.DIRECT, "ann"), What.SAID, "one", "m", "e")
        await world.inbound.hear(event)
        for _ in range(2000):
            if world.chat.sent:
                break
            await asyncio.sleep(0.02)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working

    asyncio.run(run())
    assert world.chat.sent == [("ann", "heard: one")]
