"""The running gateway (`gateway/inbound/service.py`) without its I/O: it reports what it waits for (store, model,
device, platform), and the explorer answers.

Each coroutine has a gateway object of its own: tasks of a process share store and settings, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from remit.audit.entry import Entry, Outcome
from remit.gateway.inbound import operator_commands, service
from remit.gateway.inbound.nodes import command_requests
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.turns import ORDERS, TURNS
from remit.models.explore.coroutines import Coming, CoroutineWait
from remit.models.explore.model import Patch
from remit.models.explore.worlds.inbound._lines import take_piece, take_turn

if TYPE_CHECKING:
    from remit.audit.log import Log
    from remit.gateway.inbound.agent.model_client import Thinker
    from remit.gateway.inbound.agent.turn import ConversationMessage, Talk, Tool
    from remit.gateway.inbound.channels.interface import Channel, Sending
    from remit.gateway.inbound.delivery import Piece, Route
    from remit.gateway.inbound.events import Event
    from remit.gateway.inbound.nodes.commands import Device
    from remit.gateway.inbound.nodes.devices import DeviceAnswer, Devices
    from remit.gateway.inbound.pairing import Remove
    from remit.gateway.inbound.records import Journal
    from remit.gateway.inbound.settings.values import Settings
    from remit.gateway.inbound.stores.operations import Operation
    from remit.gateway.inbound.stores.store import Store

REQUEST = "r"


class Keeps(NamedTuple):
    """The store is to run an operation."""

    operation: Operation[Any]

    def told(self) -> str:
        """For a story."""
        return f"the store: {getattr(self.operation, '__name__', '')}"


class Thinks(NamedTuple):
    """The model is asked. `shown`: the tools that it may call."""

    talk: Talk
    shown: frozenset[str]


class Runs(NamedTuple):
    """A device does something. `admitted`: the log has that it was let through."""

    name: str
    command: str
    arguments: str
    admitted: bool


class Sends(NamedTuple):
    """A platform takes a piece."""

    piece: Piece


class _Log:
    def __init__(self) -> None:
        self.entries: list[Entry] = []

    def append(self, entry: Entry) -> None:
        self.entries.append(entry)

    async def note(self, entry: Entry) -> None:
        """At once: that several are written together changes nothing of what each is."""
        self.append(entry)

    @property
    def admitted(self) -> bool:
        return any(one.outcome is Outcome.ADMIT and one.event == "call" for one in self.entries)


class _Model:
    async def think(self, _: str, talk: Talk, tools: Sequence[Tool], __: object) -> ConversationMessage:
        return cast("ConversationMessage", await CoroutineWait(Thinks(talk, frozenset(one.name for one in tools))))


class _Devices:
    def __init__(self, device: Device, log: _Log) -> None:
        self._device, self._log = device, log

    def get(self, name: str) -> Device | None:
        return self._device if name == self._device.id else None

    async def run(self, _: str, name: str, command: str, arguments: str) -> DeviceAnswer:
        return cast("DeviceAnswer", await CoroutineWait(Runs(name, command, arguments, self._log.admitted)))


class _Channel:
    async def send(self, piece: Piece) -> Sending:
        return cast("Sending", await CoroutineWait(Sends(piece)))

    async def typing(self, _: Route) -> None:
        """Nothing that a model looks at."""


class _Task:
    def cancel(self) -> None:
        """It was never begun."""


class _Asyncio:
    """What the gateway uses of `asyncio`, without a loop."""

    @staticmethod
    def create_task(coming: Coming) -> _Task:
        """Who says from time to time that a turn goes on: a lease that is over is a matter of `turns`."""
        coming.close()
        return _Task()


class _Chance:
    """Names that are made by chance. A code is new for each who asks; it is made before anything is waited for."""

    asks = ""

    @staticmethod
    def token_hex(_: int) -> str:
        return REQUEST

    @classmethod
    def new_code(cls) -> str:
        return f"code-{cls.asks}"


RIM = (
    Patch(service, "asyncio", lambda _: _Asyncio), Patch(command_requests, "secrets", lambda _: _Chance),
    Patch(service, "secrets", lambda _: _Chance), Patch(service, "new_code", lambda _: _Chance.new_code),
)  # fmt: skip


class ExploredGateway(Inbound):
    """See above."""

    def __init__(self, choices: Sequence[Settings], device: Device) -> None:
        log = _Log()
        super().__init__(
            choices[0], cast("Store", None), {"chat": cast("Channel", _Channel())}, cast("Thinker", _Model()),
            cast("Devices", _Devices(device, log)), cast("Log", log), clock=lambda: 0,
        )  # fmt: skip
        self.log = cast("Journal", log)
        self._choices = choices

    def at(self, choice: int) -> None:
        """The settings, from now on."""
        self.settings = self._choices[choice]

    async def kept(self, operation: Operation[Any]) -> Any:
        """The explorer runs it."""
        return await CoroutineWait(Keeps(operation))


def makers(
    choices: Sequence[Settings], device: Device, events: Sequence[Event]
) -> dict[str, Callable[..., tuple[Coming, Callable[[Any], None]]]]:
    """Everything that the gateway does, by its name."""

    def made(begin: Callable[[ExploredGateway, Any], Coming]) -> Callable[..., tuple[Coming, Callable[[Any], None]]]:
        def make(arg: Any) -> tuple[Coming, Callable[[Any], None]]:
            gateway = ExploredGateway(choices, device)
            return begin(gateway, arg), gateway.at

        return make

    def hear(gateway: ExploredGateway, number: int) -> Coming:
        _Chance.asks = events[number].place.peer
        return gateway.hear(events[number])

    def unpair(gateway: ExploredGateway, event: Remove) -> Coming:
        return operator_commands.pair(gateway, "chat", event, "terminal")

    async def turn(gateway: ExploredGateway, worker: str, lane: str = TURNS) -> None:
        gateway.worker = worker
        taken = await gateway.kept(take_turn(worker, gateway.now(), lane))
        if taken is not None:
            await gateway._work_turn(taken)  # noqa: SLF001  one round of its own loop

    async def send(gateway: ExploredGateway, worker: str) -> None:
        gateway.worker = worker
        taken = await gateway.kept(take_piece(worker, gateway.now()))
        if taken is not None:
            await gateway._work_send(taken)  # noqa: SLF001

    return {
        "hear": made(hear),
        "turn": made(turn),
        "order": made(lambda gateway, worker: turn(gateway, worker, ORDERS)),
        "send": made(send),
        "unpair": made(unpair),
    }
