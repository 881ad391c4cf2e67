"""From what a model proposes to what is carried out: each call is judged when it is about to run."""

import asyncio
import json

import pytest

from each_row import each_row
from remit.core.errors import AuthorityError
from remit.gateway.inbound.agent.turn import (
    MOST_ROUNDS,
    STOPPED,
    AgentCall,
    By,
    ConversationMessage,
    LostError,
    StoppedError,
    Talk,
    TurnOrigin,
    run_turn,
    tools,
)
from remit.gateway.inbound.routing import Identity

CHANGING = next(tool for tool in tools().values() if tool.changes)
INPUTS = json.dumps(dict.fromkeys(CHANGING.schema()["properties"], "x"))


class World:
    """A gateway of which everything is written down."""

    def __init__(self, *calls, denied=(), shown=(CHANGING,)):
        self.calls = list(calls)
        self.denied = set(denied)
        self._shown = shown
        self.done = []
        self.recorded = []
        self.while_acting = lambda: None
        self.carrying = lambda: "told"
        self.stopped = asyncio.Event()

    def prompt(self, agent):
        return agent

    def shown(self, _about):
        return [tool for tool in self._shown if tool.name not in self.denied]

    def refusal(self, _about, tool):
        return "TOOL_DENIED" if tool in self.denied else ""

    async def acts(self, _about):
        self.while_acting()

    def record(self, _about, _call, *, refused="", ended=""):
        self.recorded.append(refused or ended or "admitted")

    async def carry_out(self, about, tool, _inputs, _waits):
        self.done.append((tool.name, about.tainted))
        return self.carrying()

    def stopping(self, _about):
        return self.stopped

    async def think(self, _prompt, _talk, _tools):
        return (
            ConversationMessage(By.AGENT, "", (self.calls.pop(0),))
            if self.calls
            else ConversationMessage(By.AGENT, "done")
        )


def told(world):
    about = TurnOrigin("key", "session", "main", Identity("web", "ann"), shared=False, tainted=False)
    talk = asyncio.run(run_turn(world, about, Talk((ConversationMessage(By.PERSON, "please"),))))
    return [result.text for said in talk.said for result in said.results], talk.said[-1].text


def call(name=CHANGING.name, arguments=INPUTS):
    return AgentCall("1", name, arguments)


def test_what_is_allowed_is_recorded_done_and_recorded():
    world = World(call())
    assert told(world) == (["told"], "done")
    assert world.recorded == ["admitted", "done"]


@each_row(
    ("proposed", "refused"),
    [
        (call("no such tool"), "TOOL_UNKNOWN"),
        (call(arguments="no JSON"), "ARGUMENTS_FORM"),
        (call(arguments='{"other": "x"}'), "ARGUMENTS_FORM"),
        (call(arguments=INPUTS[:-1] + "," + INPUTS[1:]), "ARGUMENTS_FORM"),  # each name twice
    ],
)
def test_what_is_not_known_or_has_another_form_is_not_done(proposed, refused):
    world = World(proposed)
    assert told(world) == ([f"refused: {refused}"], "done")
    assert (world.done, world.recorded) == ([], [refused])


def test_what_is_denied_is_not_done():
    world = World(call(), denied=[CHANGING.name])
    assert told(world)[0] == ["refused: TOOL_DENIED"]
    assert world.done == []


def test_what_is_denied_while_it_is_written_down_that_it_acts_is_not_done():
    world = World(call())
    world.while_acting = lambda: world.denied.add(CHANGING.name)
    assert told(world)[0] == ["refused: TOOL_DENIED"]
    assert (world.done, world.recorded) == ([], ["TOOL_DENIED"])


def test_after_a_tool_told_something_everything_is_tainted():
    world = World(call(), call())
    told(world)
    assert [tainted for _, tainted in world.done] == [False, True]


def test_a_turn_that_is_another_s_ends_and_a_failure_is_told():
    def lost():
        raise LostError("gone", "")

    def fails():
        raise AuthorityError("no", "")

    world = World(call())
    world.carrying = fails
    assert told(world)[0] == ["failed: no"]
    assert world.recorded == ["admitted", "failed: no"]
    world = World(call())
    world.while_acting = lost
    with pytest.raises(LostError):
        told(world)
    assert world.done == []


def test_a_model_that_never_ends_is_stopped():
    world = World(*[call()] * (MOST_ROUNDS + 5))
    assert told(world)[1] == STOPPED
    assert len(world.done) == MOST_ROUNDS


def test_a_turn_that_is_stopped_does_not_think_on():
    world = World(call(), call("2"))
    world.carrying = lambda: world.stopped.set() or "told"
    with pytest.raises(StoppedError):
        told(world)
    assert len(world.done) == 1
