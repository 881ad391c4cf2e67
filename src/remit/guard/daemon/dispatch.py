"""Dispatch of questions: quick ones are decided at once, slow ones in a thread while others are answered."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Hashable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

from remit.core import telemetry
from remit.core.errors import GuardError
from remit.core.telemetry import Home, of_names, read_parent
from remit.guard.daemon.protocol import Hosts, answer_event, denial, read_event
from remit.guard.event import Event, Host, Outcome, Verdict

if TYPE_CHECKING:
    from remit.guard.daemon.protocol import HookAnswer, Question
    from remit.guard.daemon.server import Connection


Mine: TypeAlias = Callable[[str, str], bool]  # whether a session, by its host and name, is decided in this process


class Engine(Protocol):
    """An engine for many sessions. Two threads may call it at once, but never for the same session."""

    def decide(self, event: Event) -> Verdict:
        """Return the answer to one event. It never raises: any failure is a denial."""

    def slow(self, event: Event) -> bool:
        """Whether the answer may take more than a millisecond or two, so that others must not wait for it."""

    def consult(self, event: Event, verdict: Verdict) -> bool:
        """Ask the broker, in a thread, about a denied event with an approval; True: it was answered, decide again."""

    def close(self) -> None:
        """Release everything: the daemon ends."""


class DenyAll:
    """Denies everything with one reason, and ends the daemon: the next one may find the cause repaired."""

    def __init__(self, reason: str, end: Callable[[], None]) -> None:
        self.reason = reason
        self._end = end

    def decide(self, _event: Event) -> Verdict:
        """Deny the event."""
        self._end()
        return Verdict(Outcome.DENY, self.reason)

    def slow(self, _event: Event) -> bool:
        """Return False."""
        return False

    def consult(self, _event: Event, _verdict: Verdict) -> bool:
        """Return False: the broker is not asked."""
        return False

    def close(self) -> None:
        """Do nothing: no resources are held."""


class SessionQueues:
    """One queue for each session with work under way."""

    def __init__(self) -> None:
        self._queues: dict[Hashable, deque[Callable[[], bool]]] = {}

    def free(self, key: Hashable) -> bool:
        """Whether no work of this session is under way."""
        return key not in self._queues

    def take(self, key: Hashable) -> None:
        """Start work in a session that is free. Every `take` needs a `leave`."""
        assert key not in self._queues
        self._queues[key] = deque()

    def wait(self, key: Hashable, work: Callable[[], bool]) -> None:
        """Queue work. It returns whether it is done; if not, it calls `leave` itself when it is."""
        self._queues[key].append(work)

    def enter(self, key: Hashable) -> asyncio.Future[None]:
        """Queue now; the future completes when the turn has come. Every `enter` needs a `leave`."""
        turn = asyncio.get_running_loop().create_future()

        def begin() -> bool:
            if turn.cancelled():
                return True
            turn.set_result(None)
            return False

        if key in self._queues:
            self.wait(key, begin)
        else:
            self.take(key)
            turn.set_result(None)
        return turn

    def leave(self, key: Hashable) -> None:
        """End the turn, and run the queued work that completes at once."""
        waiting = self._queues[key]
        while waiting:
            if not waiting.popleft()():
                return
        del self._queues[key]


_LARGE = 64 * 1024  # bytes of JSON that are parsed in a worker thread: parsing them would keep the others waiting
_WORKERS = 4
_ASKERS = 32

Result = TypeVar("Result")


class Dispatch:
    """The engine, and the questions under way."""

    def __init__(self, engine: Engine, hosts: Hosts, mine: Mine, decides: Callable[[], None]) -> None:
        self._engine = engine
        self._hosts = hosts
        self._mine = mine
        self._decides = decides
        self._lanes = SessionQueues()
        self._workers = ThreadPoolExecutor(_WORKERS, "remit-decide")
        self._askers = ThreadPoolExecutor(_ASKERS, "remit-ask")  # they wait for people: worker threads must not
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether any question is under way."""
        return bool(self._tasks)

    def close(self) -> None:
        """Abandon what is under way, and take nothing new."""
        self._closed = True
        self._workers.shutdown(wait=False, cancel_futures=True)
        self._askers.shutdown(wait=False, cancel_futures=True)
        for task in self._tasks:
            task.cancel()

    def take(self, asker: Connection, question: Question, body: bytes) -> None:
        """Answer a question, now or later; it is always answered."""
        try:
            if len(body) > _LARGE:
                self._later(asker, self._large(asker, question, body))
            else:
                host, event = read_event(self._hosts, question, body, confined=asker.confined)
                if self._mine(event.host, event.session):
                    self._event(asker, host, event)
                else:
                    asker.hand_on(event, question, body)
        except Exception as error:  # noqa: BLE001  whatever it is, the answer is no
            asker.answer(faulty(error))

    def _event(self, asker: Connection, host: Host, event: Event) -> None:
        session = _session(event)
        if not self._lanes.free(session):
            self._lanes.wait(session, partial(self._waited, asker, host, event))
        elif not self._now(asker, host, event):
            # Queue now: a task would queue too late relative to an event that arrives at the same moment.
            self._lanes.take(session)

    def _waited(self, asker: Connection, host: Host, event: Event) -> bool:
        """Run the turn of a queued event; return whether it is done."""
        if asker.gone or self._closed:  # nothing is consumed or recorded for a call that the hook has refused meanwhile
            asker.answer(denial("the daemon ends" if self._closed else "nobody waits"))
            return True
        return self._now(asker, host, event)

    def _now(self, asker: Connection, host: Host, event: Event) -> bool:
        """Answer an event whose turn it is. False: a thread does so, and the next turn begins when it is done."""
        try:
            if self._engine.slow(event):
                self._later(asker, self._slowly(asker, host, event))
                return False
            verdict = self._decide(event)
            if verdict.approval:
                self._later(asker, self._consulted(asker, host, event, verdict))
            else:
                asker.answer(answer_event(host, event, verdict))
        except Exception as error:  # noqa: BLE001  whatever it is, the answer is no
            asker.answer(faulty(error))
        return True

    async def _slowly(self, asker: Connection, host: Host, event: Event) -> HookAnswer:
        try:
            verdict = await self._in_worker(self._decide, event)
        finally:
            self._lanes.leave(_session(event))
        return await self._consulted(asker, host, event, verdict)

    def _decide(self, event: Event) -> Verdict:
        self._decides()
        if not telemetry.heard():
            return self._engine.decide(event)
        return watched(event, self._engine.decide)

    async def _in_turn(self, asker: Connection, event: Event, turn: asyncio.Future[None]) -> Verdict:
        try:
            await turn
            if asker.gone:  # nothing is consumed or recorded for a call that the hook has refused meanwhile
                raise GuardError("nobody waits", "")
            if self._engine.slow(event):
                return await self._in_worker(self._decide, event)
            return self._decide(event)
        finally:
            if turn.done() and not turn.cancelled():
                self._lanes.leave(_session(event))

    async def _consulted(self, asker: Connection, host: Host, event: Event, verdict: Verdict) -> HookAnswer:
        """Ask for a person's approval while other calls of the session go on, then decide the call again."""
        if verdict.approval:
            loop = asyncio.get_running_loop()
            with telemetry.span("remit.guard.consult", trace_of(event)) as span:
                span.note(host=event.host, kind=event.kind)
                answered = await loop.run_in_executor(self._askers, self._engine.consult, event, verdict)
                span.note(outcome="answered" if answered else "silent")
            if answered:
                verdict = await self._in_turn(asker, event, self._lanes.enter(_session(event)))
        return answer_event(host, event, verdict)

    async def _large(self, asker: Connection, question: Question, body: bytes) -> HookAnswer | None:
        read = partial(read_event, confined=asker.confined)
        host, event = await self._in_worker(read, self._hosts, question, body)
        if not self._mine(event.host, event.session):
            asker.hand_on(event, question, body)
            return None
        verdict = await self._in_turn(asker, event, self._lanes.enter(_session(event)))
        return await self._consulted(asker, host, event, verdict)

    async def _in_worker(self, work: Callable[..., Result], *args: object) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._workers, partial(work, *args))

    def _later(self, asker: Connection, work: Coroutine[Any, Any, HookAnswer | None]) -> None:
        task = asyncio.get_running_loop().create_task(_guarded(asker, work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _guarded(asker: Connection, work: Coroutine[Any, Any, HookAnswer | None]) -> None:
    try:
        answer = await work
        if answer is not None:  # otherwise another worker gives it
            asker.answer(answer)
    except asyncio.CancelledError:
        asker.answer(denial("the daemon ends"))
    except BaseException as error:  # noqa: BLE001  whatever it is, the answer is no
        asker.answer(faulty(error))


def _session(event: Event) -> tuple[str, str]:
    return event.host, event.session


def watched(event: Event, decide: Callable[[Event], Verdict]) -> Verdict:
    """Make a decision, traced and counted."""
    with telemetry.span("remit.guard.decide", trace_of(event)) as span:
        verdict = decide(event)
        span.note(host=event.host, kind=event.kind, tool=event.tool, outcome=verdict.outcome)
        telemetry.count("remit_guard_decisions", event.host, event.kind, verdict.outcome)
        if verdict.outcome is Outcome.DENY:
            telemetry.event("GUARD_DENIED", host=event.host, kind=event.kind, tool=event.tool)
    return verdict


def trace_of(event: Event) -> Home:
    """Return the trace of the host, else that of the call, which links decisions before, during and after it."""
    return read_parent(event.parent) or of_names("guard", event.host, event.session, event.call)


def faulty(error: BaseException) -> HookAnswer:
    """Return the answer to an event that could not be decided."""
    telemetry.count("remit_guard_faults")
    telemetry.event("GUARD_FAULT", detail=str(error))
    return denial(error)
