"""The executor: accept, mark, record, act, record, in this order, so that no action happens twice.

(a) accept   the predicate; a refusal is recorded and changes nothing. Proofs of another policy: a later one is taken first, if there is one
(b) mark     no executor with this store has a later policy; the action is on disk as started before anything happens; a
             second attempt is refused
(c) record   the log has the admitted action, on disk
(d) act      the effect
(e) record   the log has the end, the mark is finished, and only then the caller gets the result

A crash after (b) leaves a started mark. At the next start it gets the end that the log has, or else unknown. In
either case it does not happen again. If the end cannot be recorded, the caller gets the outcome unknown.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from remit.audit.entry import Entry, Outcome, RecordKind
from remit.audit.queries import Filter
from remit.authority.codes import codes
from remit.authority.intents import intents
from remit.authority.values.action import born
from remit.core import telemetry
from remit.core.digest import digest
from remit.core.errors import AuditError, AuthorityError, RemitError
from remit.executor.accept import ExecutorConfiguration, Presented, RefusalReason, accept
from remit.executor.accepted_request import Accepted
from remit.executor.effects.adapter import Effect, EffectDone, NotDoneError
from remit.executor.forms import Result
from remit.executor.replay.memory import Memory, State

if TYPE_CHECKING:
    from remit.audit.log import Log

_HOST, _EVENT = "executor", "act"
_NONE: Mapping[str, bytes] = MappingProxyType({})
_OTHER_POLICY = "PROGRAM_UNKNOWN"
_HANDS = 16  # effects at a time
_OUTCOMES = {State.DONE: Outcome.EXECUTED, State.FAILED: Outcome.FAILED, State.UNKNOWN: Outcome.UNKNOWN}
_STATES = {outcome: state for state, outcome in _OUTCOMES.items()}
_BEFORE = 300  # seconds by which the clocks of log and gateway may differ
_STATUS = {State.DONE: "done", State.FAILED: "failed", State.UNKNOWN: "unknown"}


class Executor:
    """One executor. Its name stays the same over restarts, and no two running executors share it."""

    def __init__(
        self, name: str, known: ExecutorConfiguration, memory: Memory, log: Log, effects: Mapping[str, Effect],
        clock: Callable[[], float] = time.time, later: Callable[[ExecutorConfiguration], ExecutorConfiguration | None] = lambda _: None,
    ) -> None:  # fmt: skip
        """Create an executor. `later` returns the configuration of a later policy, if there is one."""
        self._name = name
        self._later = later
        self._known = known
        self._memory = memory
        self._log = log
        self._effects = effects
        self._hands = ThreadPoolExecutor(_HANDS, "effect")  # they may take long: marks and records must not wait
        self._clock = clock

    @property
    def epoch(self) -> int:
        """The epoch of the policy that proofs must name."""
        return self._known.layout.epoch

    @property
    def store(self) -> str:
        """The name of the replay store, which tickets must name."""
        return self._known.store

    def outcome(self, action_id: str) -> str:
        """Return the outcome of an action: done, failed, unknown, started; or never, if this store has no mark of it."""
        found = self._memory.state(action_id)
        return "never" if found is None else str(found)

    def unfinished(self) -> int:
        """Return how many actions of this executor have no end yet."""
        return len(self._memory.unfinished(self._name))

    def reconcile(self) -> tuple[str, ...]:
        """Finish started actions after a restart, with the end that the log has, or else as unknown."""
        left = self._memory.unfinished(self._name)
        ended = self._ended(left)
        for action_id in left:
            if action_id not in ended:
                reason = "the executor stopped between the mark and the end"
                self._log.append(_entry(RecordKind.EFFECT, Outcome.UNKNOWN, action_id, reason=reason), sync=True)
            self._memory.finish(action_id, self._name, ended.get(action_id, State.UNKNOWN))
        return left

    def _ended(self, left: Collection[str]) -> dict[str, State]:
        """Return all ends in the log since some actions began: the store may have failed after they were recorded."""
        if not left:
            return {}
        since = min(self._clock(), *map(born, left)) - _BEFORE
        found = self._log.records(Filter(kind=RecordKind.EFFECT, since=int(since * 1_000_000)))
        ends = ((one.entry.call, one.entry.outcome) for one in found)
        return {call: _STATES[outcome] for call, outcome in ends if outcome in _STATES}

    def forget(self) -> int:
        """Remove marks of actions that have expired, and return how many. Freshness refuses these actions from now on.

        Executors that share a store may have slower clocks, by which a delayed action can still be marked, so the removal waits for these.
        """
        return self._memory.forget(int(self._clock()) - self._known.skew)

    async def renew(self) -> bool:
        """Load a later policy, if there is one. Proofs of the earlier one are refused from then on."""
        found = await asyncio.to_thread(self._later, self._known)
        if found is not None and found.layout.epoch > self.epoch:
            self._known = found
        return found is not None

    async def act(self, presented: Presented, secrets: Mapping[str, bytes] = _NONE) -> Result:
        """Run all steps for a presented request. An error of store or log is a refusal: nothing has happened then."""
        found = accept(self._known, presented, int(self._clock()), secrets)  # (a)
        if isinstance(found, RefusalReason) and found.code.name == _OTHER_POLICY and await self._renewed():
            found = accept(self._known, presented, int(self._clock()), secrets)
        if isinstance(found, RefusalReason):
            return self._refused(found.code.name, found.detail)
        telemetry.current().note(intent=found.request.intent)

        def begin() -> str:
            return self._begin(found)

        try:
            if code := await asyncio.to_thread(begin):  # (b), (c)
                return self._refused(code, "", found)
        except (AuthorityError, AuditError) as error:
            return Result("refused", "STORE_FAILED", str(error), action_id=found.action_id)
        state, done = await self._happen(found)
        if state is State.UNKNOWN:
            telemetry.event("ACTION_UNKNOWN", intent=found.request.intent, call=found.action_id)
        end = _entry(RecordKind.EFFECT, _OUTCOMES[state], found.action_id, found, done.summary, done.record)
        if not await asyncio.to_thread(self._conclude, end, state):  # (e)
            summary = "its end could not be recorded: it is not known to anybody but the world"
            return Result("unknown", "", summary, action_id=found.action_id, tag=found.tag.hex())
        return Result(_STATUS[state], "", done.summary, done.data, found.action_id, found.tag.hex())

    async def _renewed(self) -> bool:
        try:
            return await self.renew()
        except RemitError:  # the new policy cannot be used: the current one stays
            return False

    def _begin(self, accepted: Accepted) -> str:
        """Mark and record, and return the code of a refusal, if any. Uses the time of the mark: after a delay since (a),
        another executor may have acted and its mark may be gone.
        """
        if self._memory.advance(accepted.epoch) > accepted.epoch:
            return _OTHER_POLICY
        if not self._memory.mark(accepted.action_id, self._name, accepted.expires, int(self._clock())):
            return "REPLAY_DENY"
        self._record(_admitted(accepted))
        return ""

    async def _happen(self, accepted: Accepted) -> tuple[State, EffectDone]:
        """Perform the effect of an accepted request."""
        if type(accepted) is not Accepted:
            raise AuthorityError("nothing happens that was not accepted", "present it with two proofs")
        effect = self._effects.get(accepted.request.intent)
        if effect is None:
            return State.FAILED, EffectDone("this executor is not set up for it: see effects.json")

        def happen() -> EffectDone:
            return effect.happen(accepted)  # (d)

        try:
            return State.DONE, await asyncio.get_running_loop().run_in_executor(self._hands, happen)
        except NotDoneError as error:
            return State.FAILED, EffectDone(str(error))
        except Exception as error:  # noqa: BLE001  whether it happened is not known, and that is what is recorded
            return State.UNKNOWN, EffectDone(f"it is not known whether it happened: {type(error).__name__}")

    def _conclude(self, end: Entry, state: State) -> bool:
        """Return whether the end was recorded. A mark that cannot be finished gets its end at the next start."""
        try:
            self._record(end)
        except AuditError:
            return False
        with contextlib.suppress(AuthorityError):
            self._memory.finish(end.call, self._name, state)
        return True

    def _record(self, entry: Entry) -> None:
        self._log.append(entry, sync=True)

    def _refused(self, code: str, detail: str, accepted: Accepted | None = None) -> Result:
        action_id = accepted.action_id if accepted else ""
        reason = f"{code}: {detail or codes('executor')[code].meaning}"
        try:
            self._log.append(_entry(RecordKind.DECISION, Outcome.DENY, action_id, accepted, reason))
        except AuditError as error:
            return Result("refused", "STORE_FAILED", str(error), action_id=action_id)
        return Result("refused", code, detail or codes("executor")[code].meaning, action_id=action_id)


def _admitted(accepted: Accepted) -> Entry:
    outcome = Outcome.PERSON_APPROVED if accepted.confirmed_by else Outcome.ADMIT
    return _entry(RecordKind.DECISION, outcome, accepted.action_id, accepted, accepted.confirmed_by)


def _entry(
    kind: RecordKind, outcome: Outcome, action_id: str, accepted: Accepted | None = None, reason: str = "",
    record: Mapping[str, Any] = MappingProxyType({}),
) -> Entry:  # fmt: skip
    """Return a log record. Its tag is the beginning of the ticket that both servers signed."""
    if accepted is None:
        return Entry(kind=kind, host=_HOST, event=_EVENT, call=action_id, outcome=outcome, reason=reason)
    request, judged = accepted.request, digest(accepted.inputs)
    return Entry(
        kind=kind, host=_HOST, event=_EVENT, call=action_id, outcome=outcome, reason=reason,
        session=request.session, principal=request.caller, tool=request.intent, op=intents()[request.intent].effect,
        arguments={**record, "tag": accepted.tag.hex()}, judged=judged, ran=judged if kind is RecordKind.EFFECT else "",
    )  # fmt: skip
