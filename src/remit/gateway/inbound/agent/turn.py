"""A turn: from an event to an answer. A model only proposes: each call is judged when it is about to run.

(1) the policy allows the tool, by its canonical name, at this moment
(2) the arguments have the tool's form
(3) the turn still belongs to this worker, and the store records that it acts
(4) the log has the call
(5) the tool runs; if a person must answer first, the turn is suspended and later continues from (1)
(6) the log has the result
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from remit.core.errors import RemitError
from remit.gateway.inbound.agent.conversation import By, Call, Pause, Result, Said, Talk, Waits, whole
from remit.gateway.inbound.tools.names import names

if TYPE_CHECKING:
    import asyncio

    from remit.gateway.inbound.agent.tools import Tool
    from remit.gateway.inbound.routing.message import Identity
    from remit.gateway.inbound.stores.operations import Operation

MOST_ROUNDS = 12
STOPPED = "I stopped: this took too many steps."
STOPPED_BY = "I was stopped."


class About(NamedTuple):
    """The context of a turn."""

    key: str  # identifies the turn
    session: str
    agent: str
    speaker: Identity
    shared: bool  # several people are in the session
    tainted: bool  # text of people other than operators, or of tools, is in the conversation
    operator: bool = False  # the speaker is an operator


class WaitsError(Exception):
    """A call must wait for a person; nothing was done.

    `asks`: operation that stores the question and returns the reason code if it is refused.
    """

    def __init__(self, waits: Waits, due: int, asks: Callable[[], Operation[str]]) -> None:
        super().__init__(waits.name)
        self.waits, self.due, self.asks = waits, due, asks


class Suspension(NamedTuple):
    """A suspended turn: its state, when it continues at the latest, and the question."""

    pause: Pause
    due: int
    asks: Callable[[], Operation[str]]


class LostError(RemitError):
    """The turn no longer belongs to this worker: nothing that it does or says counts."""


class StoppedError(RemitError):
    """The turn was stopped by a command."""


class World(Protocol):
    """The gateway as a turn sees it."""

    def prompt(self, agent: str) -> str:
        """Return the agent's system prompt."""

    def shown(self, about: About) -> Sequence[Tool]:
        """Return the tools that the model is offered now."""

    def refusal(self, about: About, tool: str) -> str:
        """Return the reason code if a tool may not run at this moment, else an empty string."""

    async def acts(self, about: About) -> None:
        """Record that the turn is about to act; LostError if it belongs to another worker."""

    def record(self, about: About, call: Call, *, refused: str = "", ended: str = "") -> None:
        """Write a call into the log."""

    async def carry_out(self, about: About, tool: Tool, inputs: dict[str, str], waits: Waits | None) -> str:
        """Run the tool and return its result; RemitError if it was not run, WaitsError if a person must answer first.

        `waits`: what the call waited for and now has.
        """

    async def waited(self, about: About, error: WaitsError) -> Waits:
        """For turns that cannot be suspended: ask, and return when a person may have answered.

        RemitError if the question is refused.
        """

    async def think(self, about: About, talk: Talk, tools: Sequence[Tool]) -> Said:
        """Return the model's next message."""

    def allowed(self, about: About) -> frozenset[str]:
        """Return the names of the tools that the policy allows now, whichever program runs them."""

    def workspace(self, agent: str) -> str:
        """Return the folder shared by all sessions of the agent; empty if each has its own."""

    async def show(self, about: About, text: str) -> None:
        """Show the partial answer where the channel allows it. The final answer may differ."""

    def stopping(self, about: About) -> asyncio.Event:
        """Return an event that is set when the turn must end."""


async def run_turn(world: World, about: About, talk: Talk, pause: Pause | None = None) -> Talk | Suspension:
    """Run a turn; return the conversation that ends with the answer, or the suspension. `pause`: where to continue."""
    said, results, rounds, waits = list(talk.said), [*(pause.results if pause else ())], 0, None
    if pause is not None:
        rounds, waits = pause.rounds, pause.waits
    while True:
        if waits is None:
            if world.stopping(about).is_set():
                raise StoppedError("the turn was stopped", "ask again")
            if rounds == MOST_ROUNDS:
                return Talk((*said, Said(By.AGENT, STOPPED)), about.tainted)
            rounds += 1
            talk = Talk(tuple(said), about.tainted)
            said.append(await world.think(about, talk, world.shown(about)))
            if not said[-1].calls:
                return Talk(tuple(said), about.tainted)
        for call in said[-1].calls[len(results) :]:
            try:
                told = await run_call(world, about, call, waits)
            except WaitsError as error:
                kept = Pause(Talk(tuple(said), about.tainted), tuple(results), rounds, error.waits)
                return Suspension(kept, error.due, error.asks)
            waits = None
            results.append(Result(call.id, whole(told)))
            about = about._replace(tainted=True)  # a tool's result is not an operator's text
        said.append(Said(By.TOOLS, "", (), tuple(results)))
        results = []


async def run_call(world: World, about: About, call: Call, waits: Waits | None = None) -> str:
    """Run one tool call by the steps above; return its result, or `refused:` or `failed:` with the reason.

    `waits`: what the call waited for and now has.
    """
    name = names().tool(call.tool)
    tool = next((one for one in world.shown(about) if one.name == name), None)
    refused = world.refusal(about, name) or ("" if tool else "TOOL_UNKNOWN")  # (1)
    inputs = _inputs(tool, call, waits) if tool and not refused else None  # (2)
    if tool is None or inputs is None:
        refused = refused or "ARGUMENTS_FORM"
        world.record(about, call, refused=refused)
        return f"refused: {refused}"
    if tool.changes:
        await world.acts(about)  # (3)
        if refused := world.refusal(about, name):  # (1) again: settings may have changed during the write
            world.record(about, call, refused=refused)
            return f"refused: {refused}"
    world.record(about, call)  # (4)
    try:
        told = await world.carry_out(about, tool, inputs, waits)  # (5)
    except LostError:
        raise
    except WaitsError:
        await world.acts(
            about
        )  # a suspended turn continues as one that acts, whether or not this tool changes anything
        raise
    except RemitError as error:
        world.record(about, call, ended=f"failed: {error.message}")
        return f"failed: {error.message}"
    world.record(about, call, ended="done")  # (6)
    return told


def _inputs(tool: Tool, call: Call, waits: Waits | None) -> dict[str, str] | None:
    """Return the inputs of the tool: the model's arguments, or those kept while the call waited."""
    return tool.inputs(call.arguments if waits is None else waits.inputs)
