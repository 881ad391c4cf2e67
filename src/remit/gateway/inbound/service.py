"""The running inbound gateway: stores what comes in, runs turns and sends answers.

Settings can change while it runs: every decision uses the current ones. Agents' turns, operators' commands and sending
have a lane each, which takes due items from the store and runs a limited number at once; idle lanes poll every second,
or when rung.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from remit.core import telemetry
from remit.core.errors import RemitError
from remit.core.telemetry import Home, of_names
from remit.gateway.inbound import delivery, event_text, records, turns
from remit.gateway.inbound.agent.turn import (
    STOPPED_BY,
    By,
    ConversationMessage,
    LostError,
    StoppedError,
    Suspension,
    Talk,
    TurnRunner,
    whole,
)
from remit.gateway.inbound.channels.interface import Channel, Incoming, Received, Reply, Sending, SendResult
from remit.gateway.inbound.channels.quarantine import Quarantine, fetched
from remit.gateway.inbound.channels.texts import split
from remit.gateway.inbound.delivery import MaybeSent, NotSent, Piece, PiecePhase, SentConfirmed
from remit.gateway.inbound.delivery import PieceEvent as Delivered
from remit.gateway.inbound.event_text import Room, file_line, words_of
from remit.gateway.inbound.events import EventResult
from remit.gateway.inbound.intake import Fate, hear
from remit.gateway.inbound.limits import TOO_OFTEN, Senders, sender_of
from remit.gateway.inbound.operator_commands import command, is_stop
from remit.gateway.inbound.pairing import Outcome
from remit.gateway.inbound.routing import ConversationKind
from remit.gateway.inbound.settings.values import MODEL, Settings
from remit.gateway.inbound.stores.operations import Operation, Read, Write
from remit.gateway.inbound.stores.tables import TALKS
from remit.gateway.inbound.turn_context import Progress, TurnContext, about_of
from remit.gateway.inbound.turns import COMMANDS, ORDERS, PAUSES, TURNS, Taken, Turn, TurnPhase, lane_of

if TYPE_CHECKING:
    from remit.audit.log import Log
    from remit.gateway.inbound.agent.model_client import Thinker
    from remit.gateway.inbound.backends.client import ClientBackend
    from remit.gateway.inbound.events import Event
    from remit.gateway.inbound.monitor import Monitor
    from remit.gateway.inbound.nodes.devices import Devices
    from remit.gateway.inbound.stores.store import Store
    from remit.gateway.inbound.turn_context import Guarding, OutboundClient


_IDLE = 1.0  # seconds between polls without a ring
_AT_ONCE = 64  # items taken in one operation


class Lane:
    """One lane. `take`: takes up to so many items; `work`: runs one; a cancelled lane waits `patience` seconds for
    running items.
    """

    def __init__(
        self,
        take: Callable[[int], Awaitable[Sequence[Any]]],
        work: Callable[[Any], Awaitable[None]],
        most: int,
        patience: float = 0,
    ) -> None:
        self._take, self._work = take, work
        self._free, self._patience = most, patience
        self._going: set[asyncio.Task[None]] = set()
        self._bell = asyncio.Event()

    def ring(self) -> None:
        """Wake the lane: there may be work."""
        self._bell.set()

    def grow(self, by: int) -> None:
        """Change the number of items that run at once."""
        self._free += by
        self._bell.set()

    async def run(self) -> None:
        """Run until cancelled. An error ends the whole gateway; items that it had taken are later found as lost."""
        async with asyncio.TaskGroup() as group:
            try:
                await self._begin(group)
            except asyncio.CancelledError:
                if self._going and self._patience:
                    await asyncio.wait(self._going, timeout=self._patience)
                raise

    async def _begin(self, group: asyncio.TaskGroup) -> None:
        while True:
            self._bell.clear()
            taken = await self._take(min(self._free, _AT_ONCE)) if self._free > 0 else ()
            self._free -= len(taken)
            for one in taken:
                task = group.create_task(self._done(one))
                self._going.add(task)
                task.add_done_callback(self._going.discard)
            if not taken:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_IDLE):
                        await self._bell.wait()

    async def _done(self, one: Any) -> None:
        await self._work(one)
        self.grow(1)


# Refused requests of platforms, by channel and reason. Unsigned requests may be attacks and must not flood the log: it
# gets at most one record a minute for each channel and reason, with the count since the last one.
_PAUSE = 60  # seconds between two records of the same kind
_ORDINARY = frozenset({"KIND", "OTHERS"})  # signed, but not meant for an agent
NO_CHANNEL = "NO_CHANNEL"  # the URL names no channel


class Refusals:
    """Counts of refused requests since the start."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self._told: dict[tuple[str, str], tuple[int, int]] = {}  # the time of the last record, and the count then

    def note(self, channel: str, reason: str, now: int) -> int:
        """Count a refusal; return the count to log now, or 0."""
        key = channel, reason
        self.counts[key] += 1
        when, known = self._told.get(key, (now - _PAUSE, 0))
        if reason in _ORDINARY or now - when < _PAUSE:
            return 0
        self._told[key] = now, self.counts[key]
        return self.counts[key] - known


T = TypeVar("T")
_ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no similar characters; 32, so that each is equally likely
_CODE = 8  # characters of a code: 40 bits
_HOUR = 3600.0
_SENDING = 5.0  # seconds to finish sendings on shutdown, so that they are not reported as possibly lost
FAILED = "I could not answer: {reason}."
NOTHING = "I have nothing to say to this."  # when the model gives no text


_codes: list[str] = []  # unused codes: one system call for each would cost as much as an event


def new_code() -> str:
    """Return a new pairing code."""
    if not _codes:
        letters = "".join(_ALPHABET[byte % len(_ALPHABET)] for byte in secrets.token_bytes(_CODE * 64))
        _codes.extend(letters[at : at + _CODE] for at in range(0, len(letters), _CODE))
    return _codes.pop()


class FinishedTurn(NamedTuple):
    """A finished turn: the conversation to store, if any, and the answer."""

    talk: Talk | None
    text: str


class Inbound:
    """A running gateway."""

    def __init__(  # noqa: PLR0913  all its parts
        self, settings: Settings, store: Store, channels: Mapping[str, Channel], thinker: Thinker, devices: Devices,
        log: Log, act: OutboundClient | None = None, clock: Callable[[], float] = time.time, monitor: Monitor | None = None,
        guard: Guarding | None = None, clients: Mapping[str, ClientBackend] | None = None, quarantine: Quarantine | None = None,
    ) -> None:  # fmt: skip
        self.settings = settings
        self.store = store
        self.channels = channels
        self.runner = TurnRunner(thinker, clients or {})
        self.devices = devices
        self.log = records.Journal(log)
        self.act = act
        self.monitor = monitor
        self.guard = guard
        self._quarantine = quarantine
        self.refusals = Refusals()
        self._senders = Senders()
        self._clock = clock
        self.worker = secrets.token_hex(8)  # this gateway's name in the store
        self._lanes: list[Lane] = []

    def now(self) -> int:
        """Return the time in seconds."""
        return int(self._clock())

    async def kept(self, operation: Operation[T]) -> T:
        """Run an operation; returns when it is on the disk."""
        return await self.store.kept(operation)

    async def receive(self, name: str, incoming: Incoming) -> Reply:
        """Handle a platform's request. It is acknowledged after its events are stored."""
        channel = self.channels.get(name)
        if channel is None:
            await self._refused("", NO_CHANNEL)  # the name is untrusted and not stored
            return Reply(404)
        received = channel.receive(incoming)
        fates = await self.take(name, received, again=True)
        if any(fate.reason == TOO_OFTEN for fate in fates):  # the platform is to send it again later
            return Reply(429)
        return received.reply

    async def take(self, name: str, received: Received, *, again: bool = False) -> list[Fate]:
        """Store what a channel received; returns when it may be acknowledged.

        `again`: the platform repeats events above the rate limit; otherwise they wait here.
        """
        if received.refused:
            await self._refused(name, received.refused)
            return []
        fates = [await self.hear(event) for event in received.events]
        for event, fate in zip(received.events, fates, strict=True):
            if fate.reason == TOO_OFTEN and not again:
                await self._senders.wait(self, event)
        return fates

    async def _refused(self, name: str, reason: str) -> None:
        if times := self.refusals.note(name, reason, self.now()):
            await self.log.note(records.refused(name, reason, times))

    async def hear(self, event: Event, *, waited: bool = False) -> Fate:
        """Handle one event. `waited`: it has already waited for the rate limit."""
        if not waited and not self._senders.may_speak(self.settings, event, self.now()):
            await self._refused(event.place.channel, TOO_OFTEN)
            return Fate(EventResult.DROPPED, TOO_OFTEN)
        with telemetry.span("remit.inbound.hear", _trace(event.trace or event.event)) as span:
            fate = await self.kept(hear(self.settings, event, new_code(), self.now()))
            while fate.heard is EventResult.PAIRING and fate.reason == Outcome.CODE_USED:
                fate = await self.kept(hear(self.settings, event, new_code(), self.now()))
            await self.log.note(records.heard(event, fate))
            span.note(outcome=fate.heard, code=fate.reason)
        telemetry.count("remit_inbound_events", fate.heard, fate.reason)
        if fate.heard in (EventResult.HEARD, EventResult.COMMAND) and is_stop(event.text):
            self.runner.stop(fate.session)
        self.ring()
        return fate

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Free a slot of the lane while a turn that cannot be suspended waits for a person."""
        for lane in self._lanes[:1]:
            lane.grow(1)
        try:
            yield
        finally:
            for lane in self._lanes[:1]:
                lane.grow(-1)

    def ring(self) -> None:
        """Wake the lanes: there may be work."""
        for lane in self._lanes:
            lane.ring()

    async def run(self, workers: int | None = None) -> None:
        """Work until cancelled. `workers`: overrides the settings."""
        most, worker = workers or self.settings.limits.workers, self.worker
        self._lanes = [
            Lane(lambda count: self.kept(turns.take_many(worker, self.now(), TURNS, count)), self._work_turn, most),
            Lane(lambda count: self.kept(turns.take_many(worker, self.now(), ORDERS, count)), self._work_turn, most),
            Lane(
                lambda count: self.kept(delivery.take_many(worker, self.now(), count)), self._work_send, most, _SENDING
            ),
        ]
        async with asyncio.TaskGroup() as group:
            for lane in self._lanes:
                group.create_task(lane.run())
            group.create_task(self._forget())
            group.create_task(self._senders.hear_late(self))
            group.create_task(turns.live(self, self.worker))

    async def _forget(self) -> None:
        while True:
            await asyncio.sleep(_HOUR)
            await asyncio.to_thread(self.store.sweep, self.now())

    async def _work_turn(self, taken: Taken) -> None:
        key, turn, event = taken
        if turn.phase not in (TurnPhase.TAKEN, TurnPhase.ACTING):
            self.log.append(records.interrupted(turn.session, key))
            self.ring()
            return
        progress = self._progress(event) if turn.agent != COMMANDS else None
        beside = [asyncio.create_task(self._keep(key))]
        if progress is not None:
            beside.append(asyncio.create_task(progress.run()))
        try:
            with telemetry.span("remit.inbound.turn", _trace(turn.trace)):
                came = await self._answered(key, turn, event, progress)
                ended = await self._suspended(key, came) if isinstance(came, Suspension) else came
            message = "" if progress is None else await progress.ended()
        except LostError:
            return
        finally:
            for task in beside:
                task.cancel()
        if ended is not None:
            await self._finish(taken, ended, message)
        self.ring()

    async def _suspended(self, key: str, ended: Suspension) -> FinishedTurn | None:
        """Suspend the turn and free its worker. If its question is refused, return that as the answer."""
        refused = await self.kept(turns.suspend(key, self.worker, ended.pause, ended.due, ended.asks()))
        if refused == turns.TURN_LOST:
            raise LostError("the turn is another's", "nothing to do")
        return _failed(ended.pause.talk, refused) if refused else None

    async def _finish(self, taken: Taken, ended: FinishedTurn, message: str) -> None:
        """Store the answer and end the turn. `message`: the partial answer that it replaces."""
        key, turn, event = taken
        first, *more = self._split(event, whole(ended.text) or NOTHING)
        route = turns.back_to(event)
        answers = (
            Piece(turn.session, route, first, turn.trace, replaces=message),
            *(Piece(turn.session, route, one, turn.trace) for one in more),
        )
        also = (Write(TALKS, turn.session, ended.talk.shortened()),) if ended.talk is not None else ()
        if turn.phase is TurnPhase.ACTING:  # it was suspended before
            also = (*also, Write(PAUSES, key, None))
        await self.kept(turns.finish(key, self.worker, self.now(), answers, also, lane_of(turn)))

    def _progress(self, event: Event) -> Progress | None:
        """Return the progress display of a turn, or None."""
        name = event.place.channel
        channel, settings = self.channels.get(name), self.settings.channels.get(name)
        return (
            None
            if channel is None or settings is None
            else Progress(channel, settings.kind, turns.back_to(event), event.trace or event.event)
        )

    def _split(self, event: Event, text: str) -> tuple[str, ...]:
        """Split an answer into messages that the platform accepts."""
        channel = self.settings.channels.get(event.place.channel)
        return split(channel.kind, text) if channel is not None else (text,)

    async def _keep(self, key: str) -> None:
        while True:
            await asyncio.sleep(turns.LEASE / 4)
            await self.kept(turns.go_on(key, self.worker, self.now()))

    async def _answered(
        self, key: str, turn: Turn, event: Event, progress: Progress | None
    ) -> FinishedTurn | Suspension:
        """Run the turn. A failure becomes the answer, so that the user does not wait in vain."""
        if turn.agent == COMMANDS or is_stop(event.text):
            return FinishedTurn(None, await command(self, event, turn.session))
        pause = await self.kept(turns.paused(key)) if turn.phase is TurnPhase.ACTING else None
        if turn.phase is TurnPhase.ACTING and pause is None:
            return FinishedTurn(None, FAILED.format(reason="what I had waited for is gone"))
        found = pause.talk if pause is not None else await self.kept(_read(turn.session))
        known = found or Talk()
        room = Room()
        if pause is None and event.place.kind is ConversationKind.GROUP:
            room = await self.kept(event_text.look(turn.session))
        about = about_of(self.settings, key, turn, event, tainted=known.tainted or bool(room.lines))
        talk = known
        if pause is None:
            talk = Talk(
                (
                    *known.said,
                    ConversationMessage(
                        By.PERSON, "\n".join(filter(None, [words_of(event, room), *await self._files(event)]))
                    ),
                ),
                about.tainted,
            )
        try:
            if self.guard is not None and pause is None:
                await self.guard.hears(about, event.text)
            agent = self.settings.agents.get(about.agent)
            backend, context = agent.backend if agent else MODEL, TurnContext(self, progress)
            ended = await self.runner.run(backend, context, about, talk, pause)
        except LostError:
            raise
        except RemitError as error:
            return _failed(talk, error.message, stopped=isinstance(error, StoppedError))
        except Exception as error:  # noqa: BLE001  one conversation must not end all others
            telemetry.event("INBOUND_TURN_FAILED", detail=type(error).__name__)
            return _failed(talk, f"an error in the gateway: {type(error).__name__}")
        if room.lines:  # a crash before this repeats the lines with the next message
            await self.kept(event_text.forget(turn.session, room, self.now()))
        return ended if isinstance(ended, Suspension) else FinishedTurn(ended, ended.said[-1].text)

    async def _files(self, event: Event) -> list[str]:
        """Return the lines about attached files for the agent."""
        channel, quarantine = self.channels.get(event.place.channel), self._quarantine
        if channel is None or quarantine is None:
            return []
        return [file_line(one, await fetched(channel, quarantine, one, sender_of(event))) for one in event.files]

    async def _work_send(self, taken: tuple[str, Piece]) -> None:
        key, piece = taken
        if piece.phase is not PiecePhase.TAKEN:
            self.log.append(records.interrupted(piece.session, key))
            self.ring()
            return
        channel = self.channels.get(piece.route.channel)
        if channel is None:
            await self.kept(delivery.apply(key, NotSent(self.worker), self.now()))
            return
        with telemetry.span("remit.inbound.send", _trace(piece.trace)) as span:
            sent = await self._sent(channel, key, piece)
            span.note(outcome=sent.went)
        telemetry.count("remit_inbound_deliveries", sent.went)
        ended: Delivered = MaybeSent(self.worker)
        if sent.went is not SendResult.UNKNOWN:
            ended = SentConfirmed(self.worker) if sent.went is SendResult.SENT else NotSent(self.worker, sent.pause)
        await self.kept(delivery.apply(key, ended, self.now()))

    async def _sent(self, channel: Channel, key: str, piece: Piece) -> Sending:
        """Send a piece, checked by the monitor."""
        monitor = self.monitor
        if monitor is None:
            return await _sent(channel, piece)
        if monitor.wants():
            monitor.going_out(key, piece, await self.kept(delivery.look(key)))
        with monitor.sending(key, piece.session) as stayed:
            sent = await _sent(channel, piece)
            if sent.went is SendResult.FAILED:
                stayed()
        return sent


async def _sent(channel: Channel, piece: Piece) -> Sending:
    """Send a piece; if the message that it replaces is gone, as a new one."""
    sent = await channel.send(piece)
    if piece.replaces and sent.went is SendResult.FAILED and not sent.pause:
        return await channel.send(piece._replace(replaces=""))
    return sent


def _trace(name: str) -> Home:
    """Return the trace of an event, from its arrival to the answer."""
    return of_names("inbound", name)


def _failed(talk: Talk, reason: str, *, stopped: bool = False) -> FinishedTurn:
    """Return a failure as the answer. Unanswered tool calls are dropped, since a model could not continue with them."""
    text = STOPPED_BY if stopped else FAILED.format(reason=reason)
    end = max((number for number, one in enumerate(talk.said, 1) if one.by is By.PERSON), default=0)
    return FinishedTurn(Talk((*talk.said[:end], ConversationMessage(By.AGENT, text)), talk.tainted), text)


def _read(session: str) -> Operation[Talk | None]:
    found: Talk | None = yield Read(TALKS, session)
    return found
