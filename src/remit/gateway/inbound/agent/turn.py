"""From an event to an answer. A model only ever proposes: every call is judged when it is about to run.

(1) the tool, in its one spelling, is allowed at this moment
(2) the arguments have its form
(3) the turn is still this worker's, and the disk says that it acts
(4) the log has the call
(5) it is carried out
(6) the log has how it ended
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from remit.core.errors import RemitError
from remit.gateway.inbound.agent.talk import By, Result, Said, Talk
from remit.gateway.inbound.tools.names import names

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Sequence

    from remit.gateway.inbound.agent.talk import Call
    from remit.gateway.inbound.agent.tools import Tool
    from remit.gateway.inbound.routing.message import Identity

MOST_ROUNDS = 12
STOPPED = "I stopped: this took too many steps."
STOPPED_BY = "I was stopped."


class About(NamedTuple):
    """For whom a turn is."""

    key: str  # of the turn
    session: str
    agent: str
    speaker: Identity
    shared: bool  # several people are in the session
    tainted: bool  # words of somebody else than the operator had a part in it


class LostError(RemitError):
    """The turn is not this worker's any more: whatever it would do or say does not count."""


class StoppedError(RemitError):
    """Somebody stopped the turn."""


class World(Protocol):
    """What a turn needs of the gateway around it."""

    def prompt(self, agent: str) -> str:
        """What the agent is told at first."""

    def shown(self, about: About) -> Sequence[Tool]:
        """The tools that the model is shown now."""

    def refusal(self, about: About, tool: str) -> str:
        """Why a tool may not run at this moment; nothing if it may."""

    async def acts(self, about: About) -> None:
        """Write down that something is about to be done; LostError if the turn is another's."""

    def record(self, about: About, call: Call, *, refused: str = "", ended: str = "") -> None:
        """Into the log."""

    async def carry_out(self, about: About, tool: Tool, inputs: dict[str, str]) -> str:
        """Do it, and tell what came of it; RemitError if it was not done."""

    async def think(self, about: About, talk: Talk, tools: Sequence[Tool]) -> Said:
        """What the model says next."""

    def allowed(self, about: About) -> frozenset[str]:
        """The names of the tools that policy leaves now, whoever carries them out."""

    def workspace(self, agent: str) -> str:
        """The folder in which all sessions of the agent work; nothing if each has its own."""

    async def show(self, about: About, text: str) -> None:
        """The answer so far, to whoever can be shown it while it is made. It may be another in the end."""

    def stopping(self, about: About) -> asyncio.Event:
        """Set when the turn is to end."""


async def run_turn(world: World, about: About, talk: Talk) -> Talk:
    """The conversation after the turn: its last piece is the answer."""
    said = list(talk.said)
    for _ in range(MOST_ROUNDS):
        if world.stopping(about).is_set():
            raise StoppedError("the turn was stopped", "ask again")
        answer = await world.think(about, Talk(tuple(said)), world.shown(about))
        said.append(answer)
        if not answer.calls:
            return Talk(tuple(said))
        results = []
        for call in answer.calls:
            results.append(Result(call.id, await run_call(world, about, call)))
            about = about._replace(tainted=True)  # whatever a tool told was not said by the operator
        said.append(Said(By.TOOLS, "", (), tuple(results)))
    return Talk((*said, Said(By.AGENT, STOPPED)))


async def run_call(world: World, about: About, call: Call) -> str:
    """One call of a tool, as above: what it told, or `refused:` or `failed:` with the reason."""
    name = names().tool(call.tool)
    tool = next((one for one in world.shown(about) if one.name == name), None)
    refused = world.refusal(about, name) or ("" if tool else "TOOL_UNKNOWN")  # (1)
    inputs = tool.inputs(call.arguments) if tool and not refused else None  # (2)
    if tool is None or inputs is None:
        refused = refused or "ARGUMENTS_FORM"
        world.record(about, call, refused=refused)
        return f"refused: {refused}"
    if tool.changes:
        await world.acts(about)  # (3)
        if refused := world.refusal(about, name):  # (1) again: settings may have changed while that was written
            world.record(about, call, refused=refused)
            return f"refused: {refused}"
    world.record(about, call)  # (4)
    try:
        told = await world.carry_out(about, tool, inputs)  # (5)
    except LostError:
        raise
    except RemitError as error:
        world.record(about, call, ended=f"failed: {error.message}")
        return f"failed: {error.message}"
    world.record(about, call, ended="done")  # (6)
    return told
