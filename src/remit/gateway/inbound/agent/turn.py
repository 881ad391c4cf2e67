"""A turn: from an event to an answer. A model only proposes: each call is judged when it is about to run.

(1) the policy allows the tool, by its canonical name, at this moment
(2) the arguments have the tool's form (data/calls.table)
(3) the turn still belongs to this worker, and the store records that it acts
(4) the log has the call
(5) the tool runs; if a person must answer first, the turn is suspended and later continues from (1)
(6) the log has the result
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import DataError, RemitError, UsageError
from remit.core.shape import Record, Text
from remit.core.strictjson import strict_json
from remit.core.table import read_table
from remit.gateway.inbound.settings.values import MODEL
from remit.gateway.inbound.tool_policy import names

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.model_client import Thinker
    from remit.gateway.inbound.backends.client import ClientBackend
    from remit.gateway.inbound.routing import Identity
    from remit.gateway.inbound.stores.operations import Operation
    from remit.gateway.inbound.turn_context import TurnContext


MOST_SAID = 60
MOST_CHARACTERS = 200_000


def whole(text: str) -> str:
    """Return a text without lone surrogates, which no channel and no endpoint accepts."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


class By(StrEnum):
    """The speaker of a message."""

    PERSON = "person"
    AGENT = "agent"
    TOOLS = "tools"


class AgentCall(NamedTuple):
    """A tool call of the agent. `arguments` are JSON, as the model wrote them."""

    id: str
    tool: str
    arguments: str


class Result(NamedTuple):
    """The result of a tool."""

    id: str
    text: str


class ConversationMessage(NamedTuple):
    """One message of a conversation: a text with calls of an agent or results of tools."""

    by: By
    text: str = ""
    calls: tuple[AgentCall, ...] = ()
    results: tuple[Result, ...] = ()

    @property
    def size(self) -> int:
        """Its length in characters."""
        return (
            len(self.text) + sum(len(one.arguments) for one in self.calls) + sum(len(one.text) for one in self.results)
        )


class Talk(NamedTuple):
    """The stored conversation of a session."""

    said: tuple[ConversationMessage, ...] = ()
    tainted: bool = False  # contains text of people other than operators, or of tools

    def shortened(self) -> Talk:
        """Return the last part within the limits.

        It begins with a person's message: a result without its call is invalid.
        """
        said, size, begin = self.said, 0, len(self.said)
        for place in range(len(said) - 1, -1, -1):
            size += said[place].size
            if size > MOST_CHARACTERS or len(said) - place > MOST_SAID:
                break
            if said[place].by is By.PERSON:
                begin = place
        return Talk(said[begin:], self.tainted)


class PendingApproval(NamedTuple):
    """What a call waits for: a person's approval of a request to a device, or of a transaction."""

    name: str
    until: int
    inputs: str  # the inputs with which the tool continues, as JSON
    call: str = ""  # the guard's name for the call


class Pause(NamedTuple):
    """The state of a suspended turn: the conversation, the results of the calls before, and the number of model
    requests.
    """

    talk: Talk
    results: tuple[Result, ...]
    rounds: int
    waits: PendingApproval


TOOLS_FILE = Path(__file__).parents[1] / "data" / "calls.table"
_INPUT = Text(100_000, empty=True)
_BY = ("act", "node")


class Tool(NamedTuple):
    """One tool."""

    name: str
    by: str  # `act` or `node`
    what: str  # the intent, or the command for devices
    changes: bool
    about: str
    form: Record

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its inputs."""
        return self.form.schema()

    def inputs(self, arguments: str) -> dict[str, str] | None:
        """Return the arguments if they have the form, else None. Duplicate names are refused."""
        try:
            told = strict_json((arguments or "{}").encode())
        except ValueError:
            return None
        fine = not self.form.fault(told, self.name)
        inputs: dict[str, str] = told if fine else {}
        return inputs if fine and all(whole(one) == one for one in inputs.values()) else None


def read_tools(path: Path = TOOLS_FILE) -> Mapping[str, Tool]:
    """Return the tools of a table by name."""
    found: dict[str, Tool] = {}
    for row in read_table(path, 5):
        name, carried, changes, about, inputs = row.cells
        by, _, what = carried.partition(" ")
        if name in found or by not in _BY or not what or changes not in ("yes", "no"):
            raise DataError(f"{row.where}: not a tool, or it occurs twice", "tool | act INTENT | yes | about | inputs")
        words = inputs.split()
        form = Record(
            {word.rstrip("?"): _INPUT for word in words}, frozenset(word[:-1] for word in words if word[-1] == "?")
        )
        found[name] = Tool(name, by, what, changes == "yes", about, form)
    return found


@cache
def tools() -> Mapping[str, Tool]:
    """Return the shipped tools."""
    return read_tools()


MOST_ROUNDS = 12
STOPPED = "I stopped: this took too many steps."
STOPPED_BY = "I was stopped."


class TurnOrigin(NamedTuple):
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

    def __init__(self, waits: PendingApproval, due: int, asks: Callable[[], Operation[str]]) -> None:
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


async def run_turn(
    context: TurnContext, about: TurnOrigin, talk: Talk, pause: Pause | None = None
) -> Talk | Suspension:
    """Run a turn; return the conversation that ends with the answer, or the suspension. `pause`: where to continue."""
    said, results, rounds, waits = list(talk.said), [*(pause.results if pause else ())], 0, None
    if pause is not None:
        rounds, waits = pause.rounds, pause.waits
    while True:
        if waits is None:
            if context.stopping(about).is_set():
                raise StoppedError("the turn was stopped", "ask again")
            if rounds == MOST_ROUNDS:
                return Talk((*said, ConversationMessage(By.AGENT, STOPPED)), about.tainted)
            rounds += 1
            talk = Talk(tuple(said), about.tainted)
            said.append(await context.think(about, talk, context.shown(about)))
            if not said[-1].calls:
                return Talk(tuple(said), about.tainted)
        for call in said[-1].calls[len(results) :]:
            try:
                told = await run_call(context, about, call, waits)
            except WaitsError as error:
                kept = Pause(Talk(tuple(said), about.tainted), tuple(results), rounds, error.waits)
                return Suspension(kept, error.due, error.asks)
            waits = None
            results.append(Result(call.id, whole(told)))
            about = about._replace(tainted=True)  # a tool's result is not an operator's text
        said.append(ConversationMessage(By.TOOLS, "", (), tuple(results)))
        results = []


async def run_call(
    context: TurnContext, about: TurnOrigin, call: AgentCall, waits: PendingApproval | None = None
) -> str:
    """Run one tool call by the steps above; return its result, or `refused:` or `failed:` with the reason.

    `waits`: what the call waited for and now has.
    """
    name = names().tool(call.tool)
    tool = next((one for one in context.shown(about) if one.name == name), None)
    refused = context.refusal(about, name) or ("" if tool else "TOOL_UNKNOWN")  # (1)
    inputs = _inputs(tool, call, waits) if tool and not refused else None  # (2)
    if tool is None or inputs is None:
        refused = refused or "ARGUMENTS_FORM"
        context.record(about, call, refused=refused)
        return f"refused: {refused}"
    if tool.changes:
        await context.acts(about)  # (3)
        if refused := context.refusal(about, name):  # (1) again: settings may have changed during the write
            context.record(about, call, refused=refused)
            return f"refused: {refused}"
    context.record(about, call)  # (4)
    try:
        told = await context.carry_out(about, tool, inputs, waits)  # (5)
    except LostError:
        raise
    except WaitsError:
        await context.acts(
            about
        )  # a suspended turn continues as one that acts, whether or not this tool changes anything
        raise
    except RemitError as error:
        context.record(about, call, ended=f"failed: {error.message}")
        return f"failed: {error.message}"
    context.record(about, call, ended="done")  # (6)
    return told


def _inputs(tool: Tool, call: AgentCall, waits: PendingApproval | None) -> dict[str, str] | None:
    """Return the inputs of the tool: the model's arguments, or those kept while the call waited."""
    return tool.inputs(call.arguments if waits is None else waits.inputs)


class TurnRunner:
    """Runs turns with the model, or with the client program that is an agent's backend; knows those under way."""

    def __init__(self, thinker: Thinker, clients: Mapping[str, ClientBackend]) -> None:
        self.thinker = thinker
        self._clients = clients
        self._stopping: dict[str, asyncio.Event] = {}  # by session

    async def run(
        self, backend: str, context: TurnContext, about: TurnOrigin, talk: Talk, pause: Pause | None
    ) -> Talk | Suspension:
        """Run one turn; return the conversation that ends with the answer, or the suspension.

        RemitError with the reason if there is no answer.
        """
        client = self._clients.get(backend)
        if client is None and backend != MODEL:
            raise UsageError(f"`{backend}` answered for no agent when the gateway started", "start it again")
        self._stopping[about.session] = asyncio.Event()
        try:
            return await (
                run_turn(context, about, talk, pause) if client is None else client.answer(context, about, talk)
            )
        finally:
            del self._stopping[about.session]

    def stopping(self, session: str) -> asyncio.Event:
        """Return an event that is set when the session's turn must end."""
        return self._stopping.get(session) or asyncio.Event()

    def stop(self, session: str) -> None:
        """End the current turn of a session, if this gateway runs one."""
        self.stopping(session).set()
