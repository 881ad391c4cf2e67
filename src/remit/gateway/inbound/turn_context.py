"""The gateway as a turn sees it: its tools and their rules, the outbound gateway, the guard, and the progress that users see.

Tools with outside effects go to the outbound gateway with the agent's own credential: two policy servers decide, and a
person where the policy requires it.

A workspace's guard judges tool calls by the same manifests, grants and approvals as for local agents. It comes between
the tool policy and the policy servers, and can only restrict. An unreachable, late or foreign daemon counts as a denial.
A call that needs approval is refused with the name under which a person approves it (`remit approvals`); then the agent
may retry it once. Messages of operators count as the user's prompts; text of other people and of tools does not.

Progress is a typing indicator, and the text so far in one message that is edited. It is not stored. The answer itself is
sent as a piece, once, and replaces that message; after a crash the message still ends with a mark that it is unfinished.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from remit.core import telemetry
from remit.core.errors import AuthorityError, GuardError, RemitError
from remit.gateway.fronts.client import GatewayClient
from remit.gateway.inbound import records, turns
from remit.gateway.inbound.agent.turn import (
    AgentCall,
    ConversationMessage,
    LostError,
    PendingApproval,
    StoppedError,
    Talk,
    Tool,
    TurnOrigin,
    WaitsError,
    tools,
)
from remit.gateway.inbound.channels.interface import Channel, SendResult
from remit.gateway.inbound.channels.texts import EDITED, LONGEST, literal, shortened, split
from remit.gateway.inbound.delivery import Piece, Route, queue
from remit.gateway.inbound.events import speaker_of
from remit.gateway.inbound.nodes.command_requests import DeviceCommand, approval_text, run_asked, run_command
from remit.gateway.inbound.nodes.runs import LIFETIME, Ask, change, look
from remit.gateway.inbound.nodes.runs import RunPhase as Runs
from remit.gateway.inbound.routing import ConversationKind, Identity, Scope
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation
from remit.gateway.inbound.tool_policy import Caller, allowed, names
from remit.guard.daemon.daemon_client import Daemon, starter
from remit.guard.event import Outcome, Verdict
from remit.guard.state_folder import state_folder

if TYPE_CHECKING:
    from remit.gateway.inbound.events import Event
    from remit.gateway.inbound.nodes.commands import Commands
    from remit.gateway.inbound.nodes.devices import Devices
    from remit.gateway.inbound.service import Inbound
    from remit.gateway.inbound.settings.values import GuardSettings, Platform, Settings
    from remit.gateway.inbound.turns import Turn


HOST = "gateway"


class Guarding:
    """The guard, as turns of agents use it."""

    def __init__(self, guard: Daemon, workspace: str) -> None:
        self._guard, self._workspace = guard, workspace
        self._known: set[str] = set()  # sessions that were reported to the guard
        self._calls = count(1)

    async def hears(self, about: TurnOrigin, words: str) -> None:
        """Report the start of a turn, with an operator's words as a prompt."""
        if about.session not in self._known:
            said = await self._tell("session", about)
            if said.outcome is Outcome.PASS:  # else it is reported again
                self._known.add(about.session)
        if about.operator:
            await self._tell("prompt", about, text=words)

    async def judged(self, about: TurnOrigin, tool: Tool, inputs: Mapping[str, str]) -> tuple[str, dict[str, str]]:
        """Return the call's name and its inputs without text that must not leave; GuardError if the call may not run."""
        call = f"{about.key}/{next(self._calls)}"
        said = await self._tell("before", about, tool=tool.name, args=dict(inputs), call=call)
        if said.outcome is not Outcome.PASS:
            raise GuardError(said.reason or "remit: denied", "docs/guard.md")
        changed = {**inputs, **(said.changed or {})}
        if set(changed) != set(inputs) or not all(isinstance(text, str) for text in changed.values()):
            raise GuardError("the answer of the guard is not of its form", "stop the daemon of another version")
        return call, changed

    async def ended(
        self, about: TurnOrigin, tool: Tool, call: tuple[str, Mapping[str, str]], told: str, *, failed: bool
    ) -> None:
        """Report the result of a call that ran or failed."""
        name, inputs = call
        await self._tell(
            "failed" if failed else "after", about, tool=tool.name, args=dict(inputs), call=name, text=told
        )

    async def _tell(self, event: str, about: TurnOrigin, **more: object) -> Verdict:
        return await self._guard.ask(event, {"session": about.session, "cwd": self._workspace, **more})


def guard_of(settings: GuardSettings) -> Guarding | None:
    """Return the guard of the configured workspace; None if there is none."""
    if not settings.workspace:
        return None
    state = Path(settings.state) if settings.state else state_folder()
    return Guarding(Daemon(HOST, state, start=starter(state)), settings.workspace)


class OutboundClient:
    """A client of the outbound gateway for each agent that has a credential."""

    def __init__(self, socket: str, credentials: Mapping[str, str]) -> None:
        self._askers = {agent: GatewayClient(socket, text) for agent, text in credentials.items()}

    async def preview(self, agent: str, intent: str, inputs: dict[str, str]) -> dict[str, Any]:
        """Preview an intent; return the answer as JSON: final, to be committed, or to be confirmed by a person first."""
        return await self._asker(agent).act(_act(intent, inputs))

    async def commit(self, agent: str, intent: str, inputs: dict[str, str], transaction: str) -> dict[str, Any]:
        """Commit a previewed transaction; return the answer as JSON."""
        return await self._asker(agent).act({**_act(intent, inputs), "constraints": {"tx_id": transaction}})

    def _asker(self, agent: str) -> GatewayClient:
        asker = self._askers.get(agent)
        if asker is None:
            raise AuthorityError("the agent has no credential", "set `credential_file` under [agents.NAME]")
        return asker

    async def close(self) -> None:
        """Close the connections."""
        for asker in self._askers.values():
            await asker.__aexit__(None, None, None)


def _act(intent: str, inputs: dict[str, str]) -> dict[str, Any]:
    return {"intent_id": intent, "inputs": inputs}


PROGRESS_PAUSE = 3.0  # seconds between updates: Telegram allows twenty edits a minute in a group
UNFINISHED = " …"


class Progress:
    """The progress of one turn."""

    def __init__(self, channel: Channel, kind: Platform, route: Route, trace: str) -> None:
        self._channel, self._kind, self._route, self._trace = channel, kind, route, trace
        self._alone = asyncio.Lock()
        self._text = self._shown = self._message = ""
        self._edits, self._over = kind in EDITED, False

    async def says(self, text: str) -> None:
        """Set the text so far."""
        self._text = text
        await self._channel.show(self._route, self._trace, text)

    async def run(self) -> None:
        """Update until cancelled."""
        while not self._over:
            await self._channel.typing(self._route)
            await self.step()
            await asyncio.sleep(PROGRESS_PAUSE)

    async def step(self) -> None:
        """Show new text."""
        async with self._alone:
            text = shortened(self._text, LONGEST[self._kind] - len(UNFINISHED))
            if self._over or not self._edits or not text.strip() or text == self._shown:
                return
            piece = Piece("", self._route, text + UNFINISHED, "", replaces=self._message)
            sent = await self._channel.send(piece)
            self._shown, self._message = text, self._message or sent.message
            self._edits = sent.went is SendResult.SENT and bool(self._message)  # no retry: the answer will come

    async def ended(self) -> str:
        """Stop updates; return the message that the answer replaces, or an empty string."""
        self._over = True
        async with self._alone:
            return self._message


_PAUSE = 0.5  # seconds between polls of a turn that cannot be suspended
_LOOK = 2  # seconds between checks whether a person has confirmed a transaction


# Text that an operator passes on is not the operator's own: forwarded messages, and mails that quote others below a
# line.
_OF_OTHERS = re.compile(
    r"^\s*(?:forwarded|pressed):|^\s*-{2,}.{0,60}(?:original|forwarded|weitergeleitet|urspr\u00fcngliche).{0,60}-{2,}",
    re.IGNORECASE | re.MULTILINE,
)


def about_of(settings: Settings, key: str, turn: Turn, event: Event, *, tainted: bool) -> TurnOrigin:
    """Return the context of a turn. `tainted`: whether the conversation so far is."""
    place, channel = event.place, settings.channels.get(event.place.channel)
    speaker = speaker_of(event)
    shared = place.kind is ConversationKind.GROUP or settings.sessions.scope_of(place.channel) is Scope.MAIN
    operator = channel is not None and speaker in channel.gate.operators and not _OF_OTHERS.search(event.text)
    who = Identity(place.channel, speaker)
    return TurnOrigin(key, turn.session, turn.agent, who, shared, tainted or not operator, operator)


def allowed_now(settings: Settings, about: TurnOrigin) -> frozenset[str]:
    """Return the tools that the current policy allows in a turn."""
    agent, policy = settings.agents.get(about.agent), settings.policy(about.agent, about.speaker.channel, about.session)
    if agent is None or policy is None:
        return frozenset()
    elevated = about.speaker in agent.sender_elevated
    return allowed(names(), policy, Caller(elevated, about.shared, elevated))


class TurnContext:
    """The gateway as one turn, its tools and its commands on devices see it."""

    def __init__(self, inbound: Inbound, progress: Progress | None) -> None:
        self._inbound = inbound
        self._progress = progress
        self._about: TurnOrigin | None = None
        self._tool = ""  # the running tool
        self.devices: Devices = inbound.devices

    def prompt(self, agent: str) -> str:
        """Return the agent's system prompt."""
        found = self._inbound.settings.agents.get(agent)
        return found.prompt if found else ""

    def workspace(self, agent: str) -> str:
        """Return the folder shared by all sessions of the agent."""
        found = self._inbound.settings.agents.get(agent)
        return found.workspace if found else ""

    def shown(self, about: TurnOrigin) -> Sequence[Tool]:
        """Return the tools that are allowed now and can run."""
        may = self.allowed(about)
        found = [one for one in tools().values() if one.name in may and (one.by != "act" or self._inbound.act)]
        monitor = self._inbound.monitor
        if monitor is not None and monitor.wants():
            monitor.shows(self._inbound.settings, about, frozenset(one.name for one in found))
        return found

    def refusal(self, about: TurnOrigin, tool: str) -> str:
        """Return the reason code if a tool may not run by the current settings, else an empty string."""
        return "" if tool in self.allowed(about) else "TOOL_DENIED"

    def allowed(self, about: TurnOrigin) -> frozenset[str]:
        """Return the names of the tools that the policy allows now, whichever program runs them."""
        return allowed_now(self._inbound.settings, about)

    async def waited(self, about: TurnOrigin, error: WaitsError) -> PendingApproval:
        """For turns that cannot be suspended: ask, and return when a person may have answered.

        RemitError if the question is refused. A running client keeps its slot, so another one is freed meanwhile.
        """
        inbound = self._inbound
        refused = await inbound.kept(_asked(error.asks()))
        if refused:
            raise AuthorityError(refused, "docs/gateway.md has the codes")
        with inbound.aside():
            while inbound.now() < error.due and not self.stopping(about).is_set():
                await asyncio.sleep(_PAUSE)
                request = await inbound.kept(look(error.waits.name))
                if request is not None and request.phase is not Runs.WAITING:
                    break
        return error.waits

    async def acts(self, about: TurnOrigin) -> None:
        """Record on the disk that the turn is about to act; LostError if it belongs to another worker."""
        inbound = self._inbound
        if not await inbound.kept(turns.go_on(about.key, inbound.worker, inbound.now(), acts=True)):
            raise LostError("the turn is another's", "nothing to do")

    def record(self, about: TurnOrigin, call: AgentCall, *, refused: str = "", ended: str = "") -> None:
        """Write into the log."""
        self._inbound.log.append(records.ended(about, call, ended) if ended else records.called(about, call, refused))
        if refused or ended:
            telemetry.count("remit_inbound_tools", "refused" if refused else ended.partition(":")[0])

    async def think(self, about: TurnOrigin, talk: Talk, tools: Sequence[Tool]) -> ConversationMessage:
        """Return the model's next message."""
        return await self._inbound.runner.thinker.think(
            self.prompt(about.agent), talk, tools, partial(self.show, about)
        )

    async def show(self, about: TurnOrigin, text: str) -> None:
        """Show the partial answer; StoppedError if the turn must end."""
        if self.stopping(about).is_set():
            raise StoppedError("the turn was stopped", "ask again")
        if self._progress is not None:
            await self._progress.says(text)

    def stopping(self, about: TurnOrigin) -> asyncio.Event:
        """Return the event that stops the session's turn."""
        return self._inbound.runner.stopping(about.session)

    async def carry_out(
        self, about: TurnOrigin, tool: Tool, inputs: dict[str, str], waits: PendingApproval | None
    ) -> str:
        """Run a tool through the outbound gateway or on a device, and return its result.

        RemitError if it was not run, WaitsError if a person must answer first. `waits`: what the call waited for and
        now has.
        """
        self._about, self._tool = about, tool.name
        await self._watched(about, tool)
        with telemetry.span("remit.inbound.tool") as span:
            span.note(tool=tool.name)
            return await self._guarded(about, tool, inputs, waits)

    async def _guarded(
        self, about: TurnOrigin, tool: Tool, inputs: dict[str, str], waits: PendingApproval | None
    ) -> str:
        """Run a tool after the guard's judgement, if a guard is configured. The guard comes before all others."""
        guard = self._inbound.guard
        if guard is None:
            return await self._carried_out(about, tool, inputs, waits)
        call = await guard.judged(about, tool, inputs) if waits is None else (waits.call, inputs)
        try:
            told = await self._carried_out(about, tool, call[1], waits)
        except WaitsError as error:
            error.waits = error.waits._replace(call=call[0])
            raise
        except RemitError as error:
            await guard.ended(about, tool, call, error.message, failed=True)
            raise
        await guard.ended(about, tool, call, told, failed=False)
        return told

    async def _carried_out(
        self, about: TurnOrigin, tool: Tool, inputs: dict[str, str], waits: PendingApproval | None
    ) -> str:
        if tool.by == "act":
            return await self._acted(about, tool, inputs, waits)
        if tool.what == "list":
            return json.dumps(
                [
                    {"device": one.id, "platform": one.platform, "commands": sorted(one.declared)}
                    for one in self.devices.all()
                ]
            )
        wanted = DeviceCommand(inputs["device"], inputs["command"], inputs.get("arguments", ""), about.tainted)
        return await (run_command(self, wanted) if waits is None else run_asked(self, wanted, waits.name))

    async def _watched(self, about: TurnOrigin, tool: Tool) -> None:
        """Let the monitor check the tool that is about to run."""
        monitor = self._inbound.monitor
        if monitor is None:
            return
        if tool.changes and monitor.wants():
            monitor.acts(about, await self.kept(turns.look(about.key)))
        monitor.runs(self._inbound.settings, about, tool.name)

    async def _acted(self, about: TurnOrigin, tool: Tool, inputs: dict[str, str], waits: PendingApproval | None) -> str:
        act = self._inbound.act
        if act is None:
            raise AuthorityError("no outbound gateway is set", "docs/gateway.md")
        if waits is None:
            told = await act.preview(about.agent, tool.what, inputs)
            if told.get("status") == "CONFIRM":
                waits = PendingApproval(str(told["tx_id"]), self.now() + LIFETIME, json.dumps(inputs))
                raise WaitsError(waits, self.now() + _LOOK, _nothing)
            if told.get("status") == "PREVIEW":
                told = await act.commit(about.agent, tool.what, inputs, str(told["tx_id"]))
        else:
            told = await act.commit(about.agent, tool.what, inputs, waits.name)
            if told.get("reason_code") == "CONFIRM_MISSING" and self.now() < waits.until:
                raise WaitsError(waits, self.now() + _LOOK, _nothing)
        if told.get("status") == "DENY":
            raise AuthorityError(str(told.get("reason_code", "DENY")), str(told.get("summary", "")))
        return json.dumps({name: told.get(name) for name in ("status", "summary", "data", "artifacts")})

    def refusal_now(self) -> str:
        """Return the refusal of the running tool by the current settings."""
        assert self._about is not None
        return self.refusal(self._about, self._tool)

    def commands(self) -> Commands:
        """Return the current settings for devices."""
        return self._inbound.settings.nodes

    def now(self) -> int:
        """Return the time in seconds."""
        return self._inbound.now()

    async def kept(self, operation: Operation[Any]) -> Any:
        """Run an operation."""
        return await self._inbound.kept(operation)

    def asked_by(self) -> tuple[str, str]:
        """Return the speaker and the turn."""
        assert self._about is not None
        return f"{self._about.speaker.channel}:{self._about.speaker.peer}", self._about.key

    def waiting(self, name: str, wanted: DeviceCommand, ask: Ask) -> WaitsError:
        """Return the suspension with a message to every operator of every channel about the request."""
        assert self._about is not None
        now, told = self.now(), dict(self._telling(name, approval_text(name, wanted, ask, self._about)))
        inputs = {"device": wanted.device, "command": wanted.command, "arguments": wanted.arguments}
        until = now + LIFETIME
        return WaitsError(
            PendingApproval(name, until, json.dumps(inputs)), until, lambda: _asking(name, ask, told, now)
        )

    def _telling(self, name: str, text: str) -> Iterator[tuple[str, Piece]]:
        for channel, settings in self._inbound.settings.channels.items():
            for operator in sorted(settings.gate.operators):
                for number, one in enumerate(split(settings.kind, literal(settings.kind, text))):
                    piece = Piece("", Route(channel, settings.account, operator), one, name)
                    yield f"approval\x1f{name}\x1f{channel}\x1f{operator}\x1f{number:04}", piece

    async def asks(self, name: str) -> None:
        """Let the monitor check the stored request."""
        monitor = self._inbound.monitor
        if monitor is not None and monitor.wants():
            monitor.asks(name, await self.kept(look(name)))


def _asking(name: str, ask: Ask, told: dict[str, Piece], now: int) -> Operation[str]:
    """Within an operation: store the request and queue the messages to all who may approve it."""
    refused = yield from change(name, ask, now)
    if not refused:
        for key, piece in told.items():
            yield from queue(key, piece, now)
    return refused


def _asked(asks: Operation[str]) -> Operation[str]:
    yield Begin()
    refused = yield from asks
    yield Commit()
    return refused


def _nothing() -> Operation[str]:
    """Within an operation: do nothing, as the outbound gateway asks for the confirmation itself."""
    yield from ()
    return ""
