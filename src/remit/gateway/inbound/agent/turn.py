"""From an event to an answer. A model only ever proposes: every call is judged when it is about to run.

(1) the tool, in its one spelling, is allowed at this moment
(2) the arguments have its form
(3) the turn is still this worker's, and the disk says that it acts
(4) the log has the call
(5) it is carried out; if a person must answer first, the turn is suspended, and goes on from (1) when that has come
(6) the log has how it ended
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from remit.core.errors import RemitError
from remit.gateway.inbound.agent.talk import By, Call, Pause, Result, Said, Talk, Waits, whole
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
    """For whom a turn is."""

    key: str  # of the turn
    session: str
    agent: str
    speaker: Identity
    shared: bool  # several people are in the session
    tainted: bool  # words of somebody else than an operator, or of tools, had a part in the conversation
    operator: bool = False  # an operator speaks


class WaitsError(Exception):
    """A call must wait for a person: nothing was done. `asks`: within an operation, what is asked; the code of a refusal if it is refused."""

    def __init__(self, waits: Waits, due: int, asks: Callable[[], Operation[str]]) -> None:
        super().__init__(waits.name)
        self.waits, self.due, self.asks = waits, due, asks


class Suspension(NamedTuple):
    """A turn that must wait: what is kept of it, when it goes on at the latest, and what is asked."""

    pause: Pause
    due: int
    asks: Callable[[], Operation[str]]


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

    async def carry_out(self, about: About, tool: Tool, inputs: dict[str, str], waits: Waits | None) -> str:
        """Do it, and tell what came of it; RemitError if it was not done, WaitsError if a person must answer first.

        `waits`: for what it waited, which has come.
        """

    async def waited(self, about: About, error: WaitsError) -> Waits:
        """For who can not be suspended: asks, and returns when a person may have answered. RemitError if the question is refused."""

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


async def run_turn(world: World, about: About, talk: Talk, pause: Pause | None = None) -> Talk | Suspension:
    """The conversation after the turn, whose last piece is the answer; or up to where it must wait. `pause`: from where it goes on."""
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
            about = about._replace(tainted=True)  # whatever a tool told was not said by the operator
        said.append(Said(By.TOOLS, "", (), tuple(results)))
        results = []


async def run_call(world: World, about: About, call: Call, waits: Waits | None = None) -> str:
    """One call of a tool, as above: what it told, or `refused:` or `failed:` with the reason. `waits`: for what it waited, which has come."""
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
        if refused := world.refusal(about, name):  # (1) again: settings may have changed while that was written
            world.record(about, call, refused=refused)
            return f"refused: {refused}"
    world.record(about, call)  # (4)
    try:
        told = await world.carry_out(about, tool, inputs, waits)  # (5)
    except LostError:
        raise
    except WaitsError:
        await world.acts(about)  # what is suspended goes on as one that acts, whether or not this tool changes anything
        raise
    except RemitError as error:
        world.record(about, call, ended=f"failed: {error.message}")
        return f"failed: {error.message}"
    world.record(about, call, ended="done")  # (6)
    return told


def _inputs(tool: Tool, call: Call, waits: Waits | None) -> dict[str, str] | None:
    """With which the tool runs: what the model sent, or what it was when the call had to wait."""
    return tool.inputs(call.arguments if waits is None else waits.inputs)
