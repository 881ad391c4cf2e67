"""Effects outside the gateway: preview, then commit.

Preview  (a) check that the handles may go where the request goes
         (b) both servers answer, and the gateway decides
         (c) compute the patched inputs  (d) check the handles again for these
         (e) keep the transaction; the caller gets only its name
Commit   (a) check the transaction: same caller, session and request, in time, confirmed if required, used once
         (b) both servers answer again; decision and inputs must be those of the preview
         (c) open values and spend budgets   (d) write the log
         (e) give the executor the request, secrets, answers, proofs and credential; it decides again
         (f) write the end into the log, and answer the caller

Before commit step (e) nothing has happened, and the transaction can be committed again. Afterwards it cannot, with
three exceptions: the executor was not reached, has never seen the action, or has another policy. Then it is committed
again under the same name, and executors that share a replay store execute that name at most once.

Local intents take effect here after the executor has accepted and recorded them. The end is recorded afterwards: a crash
in between leaves a commit without an end, which is unknown at the next start and is not retried. Content from outside (a
fetched page, the output of a command) is returned without keys and card numbers and marked untrusted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.authority.intents import intents
from remit.authority.patch import patched
from remit.authority.question.answers import RowsForgedError
from remit.authority.sinks import RUNTIME, sink_of
from remit.authority.values.action import COMMIT, PREVIEW, new_action
from remit.authority.values.confirmation import preview_digest
from remit.authority.values.opening import Opening, open_for
from remit.authority.values.request import Request, make_request
from remit.authority.values.sealed_values import carried
from remit.authority.wire.client import NotReachedError
from remit.core import telemetry
from remit.core.errors import AuditError, AuthorityError
from remit.core.telemetry import part
from remit.executor.accept import Presented
from remit.executor.forms import Result
from remit.gateway import records
from remit.gateway.acts import ActAnswer, RefusedError, Status, holds_any, texts_of, without
from remit.gateway.handles import HANDLE_LIFETIME, Handle, Limits, Sensitivity, Use
from remit.gateway.local import UNTRUSTED, Local, Message
from remit.gateway.parties.servers import LookUpResult, NotAskedError
from remit.gateway.rate import Rate
from remit.gateway.transactions import LIFETIME, PATIENCE, Commit, Finish, Outcome, Phase, Release, Transaction, settled
from remit.policy.dlp.classes import classes, veiled

if TYPE_CHECKING:
    from remit.audit.entry import Entry
    from remit.authority.values.outputs import Outputs
    from remit.authority.values.proof import Verifier
    from remit.bundle.keys import PublicKey
    from remit.executor.credentials.verifier import Caller
    from remit.gateway.acts import Act
    from remit.gateway.parties.executor import RemoteExecutor
    from remit.gateway.parties.servers import Servers
    from remit.gateway.transactions import StoredTransaction, Transactions


class Rules(NamedTuple):
    """The keys and limits. `redact` must be the executor's, so that an approver sees what will happen."""

    operators: Mapping[str, PublicKey]  # by kid
    approvers: Mapping[str, Verifier]  # by kid
    redact: Callable[[str], str]
    limits: Limits = Limits()  # for values shown to a channel
    lifetime: int = LIFETIME  # seconds from a preview to its commit
    patience: int = PATIENCE  # seconds that a request waits for an approver, and for its commit after that
    rate: Rate = Rate()  # of a caller's requests


_OUTSIDE = frozenset({"fetch", "webhook", "run"})
_SEARCHED = 1_000_000  # characters of a text that are searched for keys and cards in all encodings, and returned
CONTENT = "content"  # the field of an executor's result that must not be shown: it becomes a handle


class ExecutedAction(NamedTuple):
    """An action that the executor carried out or accepted."""

    caller: Caller
    intent: str
    inputs: Mapping[str, Any]  # after the policy's changes
    shown: str  # what a declassification shows
    now: int


def complete(local: Local, settled: ExecutedAction, result: Result) -> ActAnswer:
    """Perform what is left to do and return the answer."""
    own = _OWN.get(settled.intent)
    if own is not None:
        return own(local, settled)
    effect = intents()[settled.intent].effect
    if effect == "reveal":
        return _sealed(local, settled, result)
    if effect in _OUTSIDE:
        return ActAnswer(Status.OK, result.summary, {**_outside(result.data), **UNTRUSTED})
    return ActAnswer(Status.OK, result.summary, dict(result.data))


def _outside(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return outside data without keys and card numbers, cut to the length that can be searched."""
    told = {name: veiled(value[:_SEARCHED]) if isinstance(value, str) else value for name, value in data.items()}
    if any(isinstance(value, str) and len(value) > _SEARCHED for value in data.values()):
        told["cut"] = True
    return told


def lies_here(intent: str) -> bool:
    """Return whether the gateway performs the intent itself.

    Then the executor records the acceptance, and the gateway the outcome.
    """
    return intent in _OWN


def _sealed(local: Local, settled: ExecutedAction, result: Result) -> ActAnswer:
    """Keep a file's content as a handle. Content with keys or card numbers can never be shown to the agent."""
    caller, now = settled.caller, settled.now
    text = result.data.get(CONTENT)
    if not isinstance(text, str):
        raise RefusedError("NOT_TEXT")
    high = bool(classes(text) & {"key", "card"})
    sensitivity, sinks = (Sensitivity.HIGH, frozenset[str]()) if high else (Sensitivity.LOW, frozenset({RUNTIME}))
    until = min(now + HANDLE_LIFETIME, caller.until)
    name = local.handles.mint(text.encode(), Handle(caller.session, caller.name, sensitivity, sinks, until), now)
    data = {"handle": name, "sensitivity": str(sensitivity), "sinks": sorted(sinks), "characters": len(text)}
    return ActAnswer(Status.OK, "a handle for the content", data, (name,))


def _shown(_: Local, settled: ExecutedAction) -> ActAnswer:
    return ActAnswer(Status.OK, "shown", {"text": settled.shown})


def _written(local: Local, settled: ExecutedAction) -> ActAnswer:
    local.notes.write(settled.caller.name, settled.inputs["key"], settled.inputs["text"])
    return ActAnswer(Status.OK, "remembered")


def _deleted(local: Local, settled: ExecutedAction) -> ActAnswer:
    gone = local.notes.delete(settled.caller.name, settled.inputs["key"])
    return ActAnswer(Status.OK, "forgotten" if gone else "there was nothing")


def _sent(local: Local, settled: ExecutedAction) -> ActAnswer:
    inputs, caller = settled.inputs, settled.caller
    local.notes.send(caller.session, Message(caller.name, inputs["text"]), inputs["to"])
    return ActAnswer(Status.OK, f"sent to `{inputs['to']}`")


_OWN: Mapping[str, Callable[[Local, ExecutedAction], ActAnswer]] = {
    "Declassify": _shown,
    "MemoryWrite": _written,
    "MemoryDelete": _deleted,
    "SendInterAgentMessage": _sent,
}


_HANDLE = "handle"  # the input that names a handle
_AWAY = "EXECUTOR_AWAY"
_OTHER_POLICY = "PROGRAM_UNKNOWN"
_AGAIN = {_AWAY, _OTHER_POLICY}  # nothing happened, and the same action may be committed again


class AuthenticatedAct(NamedTuple):
    """One authenticated request: caller, credential, act, its name in the log, and the time."""

    caller: Caller
    credential: Any  # as JSON
    act: Act
    call: str
    now: int


class OpenedHandle(NamedTuple):
    """The value of the handle in the inputs, for the executor or (in `shown`) for the agent."""

    secrets: dict[str, bytes]
    shown: str = ""  # what a declassification shows


class Effects:
    """Previews and commits the effects that leave the gateway."""

    def __init__(
        self, rules: Rules, policy: Servers, executor: RemoteExecutor, transactions: Transactions, local: Local,
        record: Callable[[Entry], None],
    ) -> None:  # fmt: skip
        self._rules = rules
        self._policy = policy
        self._executor = executor
        self._transactions = transactions
        self._local = local
        self._record = record

    async def preview(self, asked: AuthenticatedAct) -> ActAnswer:
        """Evaluate the policy for a request and keep a transaction for its commit."""
        caller, act = asked.caller, asked.act
        request = _request(asked)
        self._check_handle(asked, request.inputs)  # (a)
        action_id = new_action(asked.now)
        telemetry.current().belongs(part(action_id, PREVIEW))
        opening = open_for(request, await self._store())
        found = await self._found(opening, action_id)  # (b)
        outputs = found.outputs
        _refuse_unseen(act, outputs)
        inputs = self._patched(request, found)  # (c)
        self._check_handle(asked, inputs)  # (d)
        commitment = found.given.binding.commitment(opening).hex()
        seconds = self._rules.patience if outputs.confirm else self._rules.lifetime
        made = Transaction(
            caller.name, caller.session, act.intent, action_id, opening.nonce.hex(), commitment,
            asked.now + seconds, bytes(outputs).hex(), outputs.confirm, preview_digest(request, inputs),
        )  # fmt: skip
        changed = sorted(key for key in inputs if inputs[key] != request.inputs[key])
        before = {key: self._rules.redact(str(request.inputs[key])) for key in changed}
        name = self._transactions.begin(made, inputs, asked.now, before)  # (e)
        data = {"inputs": inputs, "changed": changed, "seconds": seconds}
        if outputs.confirm:
            return ActAnswer(
                Status.CONFIRM, "an approver must confirm it; then commit it", data, (), "CONFIRM_MISSING", name
            )
        return ActAnswer(Status.PREVIEW, "it would happen like this: commit it", data, (), "", name)

    async def commit(self, asked: AuthenticatedAct) -> ActAnswer:
        """Commit a transaction; if the executor has a later policy, load that policy and try once more."""
        before = self._policy.given.epoch
        try:
            return await self._commit(asked)
        except RefusedError as no:
            if no.refused.code != _OTHER_POLICY or not await self._policy.renew(before):
                raise
        return await self._commit(asked)

    async def _commit(self, asked: AuthenticatedAct) -> ActAnswer:
        act = asked.act
        known = self._transactions.get(act.tx_id)
        if known is None:
            raise RefusedError("TX_UNKNOWN")
        opening = open_for(_request(asked), await self._store(), bytes.fromhex(known.nonce))
        commitment = self._policy.given.binding.commitment(opening).hex()
        event = Commit(asked.caller.name, asked.caller.session, commitment)
        code = self._transactions.apply(act.tx_id, event, asked.now)  # (a)
        if code == "TX_USED":
            return await self._outcome(asked)
        if code:
            if code == "CONFIRM_MISSING":
                return ActAnswer(Status.CONFIRM, "an approver must confirm it; then commit it", {}, (), code, act.tx_id)
            raise RefusedError(code)
        try:
            telemetry.current().belongs(part(known.action_id, COMMIT), part(known.action_id, PREVIEW))
            found = await self._found(opening, known.action_id)  # (b)
            inputs = self._as_previewed(opening.request, found, known)
            opened = self._open_handle(asked, inputs, known.action_id)  # (c)
            sealed = carried(found.given.binding, opening, inputs, opened.secrets)
            self._record(records.handed(asked.call, asked.caller, act, known.action_id))  # (d)
        except BaseException:
            self._transactions.apply(act.tx_id, Release(), asked.now)
            raise
        # an approver may have confirmed since the transaction was looked up
        confirmed = self._transactions.get(act.tx_id)
        word = confirmed.confirmation if confirmed else None
        presented = Presented(
            opening.request.spelling(), opening.nonce, known.action_id, found.salt, found.proofs, found.answers, asked.credential, word
        )  # fmt: skip
        settled = ExecutedAction(asked.caller, act.intent, inputs, opened.shown, asked.now)
        answer = await self._hand_over(asked, known, presented, sealed, settled)
        return without(answer, [value.decode("utf-8", "replace") for value in opened.secrets.values()])

    async def _store(self) -> str:
        """Return the name of the replay store that marks used actions."""
        try:
            return await self._executor.store()
        except AuthorityError as error:
            raise RefusedError("AUTHORITY_DOWN", error.message) from None

    async def _found(self, opening: Opening, action_id: str) -> LookUpResult:
        """Return the current answers of both servers; raise RefusedError unless the policy allows the request."""
        try:
            found = await self._policy.look_up(opening, action_id)
        except NotAskedError as error:
            raise RefusedError("INPUTS_FORM", error.message) from None
        except RowsForgedError as error:
            raise RefusedError("ROWS_FORGED", error.message) from None
        except AuthorityError as error:
            raise RefusedError("AUTHORITY_DOWN", error.message) from None
        if not found.outputs.allow:
            raise RefusedError("POLICY_DENY", found.why)
        return found

    def _as_previewed(self, request: Request, found: LookUpResult, known: Transaction) -> dict[str, Any]:
        """Return the patched inputs; refuse unless they and the decision are those of the preview."""
        inputs = self._patched(request, found)
        if (bytes(found.outputs).hex(), preview_digest(request, inputs)) != (known.outputs, known.preview):
            raise RefusedError("POLICY_CHANGED")
        return inputs

    async def _hand_over(
        self, asked: AuthenticatedAct, known: Transaction, presented: Presented, secrets: Mapping[str, bytes], settled: ExecutedAction
    ) -> ActAnswer:  # fmt: skip
        result: Result | None = None
        answer: ActAnswer | None = None
        refusal: RefusedError | None = None
        try:
            result = await self._executed(presented, secrets)  # (e)
            if result is not None and result.status == "done":
                answer = complete(self._local, settled, result)  # a local effect happens before its end is recorded
        except RefusedError as no:
            refusal = no
            if result is not None and lies_here(settled.intent):
                result = result._replace(status="failed", code=no.refused.code)
        except Exception:  # noqa: BLE001  after any other error it is unknown whether the effect happened, and the answer says so
            result = None
        finally:  # also after cancellation: until it is settled, it must not be committed again
            self._end(asked, known, result)  # (f)
        if refusal is not None:
            raise refusal
        if result is None or result.status not in ("done", "failed", "refused"):
            raise RefusedError("OUTCOME_UNKNOWN")
        if answer is None:
            raise RefusedError(result.code or "NOT_DONE", result.summary)
        if holds_any(answer, [*texts_of(list(presented.proofs)), presented.nonce.hex(), result.tag]):
            raise RefusedError("PROOF_HELD")
        return answer

    async def _executed(self, presented: Presented, secrets: Mapping[str, bytes]) -> Result | None:
        """Return the executor's result, or what it remembers of the action if the answer was lost; None if unknown for
        now.
        """
        try:
            result = await self._executor.execute(presented, secrets)
            if result.code != "REPLAY_DENY":
                return result
        except NotReachedError as error:
            return Result("refused", _AWAY, error.message)
        except AuthorityError:
            pass
        became = await self._executor.outcome(presented.action_id)
        if became == "never":
            return Result("refused", _AWAY, "the executor has not seen it")
        words = "its answer was lost, and the executor remembers that"
        return None if became == "started" else Result(became, "", words, action_id=presented.action_id)

    async def _outcome(self, asked: AuthenticatedAct) -> ActAnswer:
        """Return how a transaction ended that is committed a second time."""
        kept = self._transactions.entry(asked.act.tx_id)
        if kept is not None and kept.transaction.phase is Phase.TAKEN:
            with contextlib.suppress(AuthorityError):
                await self.settle(kept, asked.now)
            kept = self._transactions.entry(asked.act.tx_id)
        if kept is None or kept.transaction.phase is Phase.TAKEN:
            raise RefusedError("TX_BUSY")
        if kept.transaction.phase is Phase.OPEN:
            raise RefusedError(_AWAY)
        what, code, summary = kept.ended
        if what == "done":
            words = summary or "it was carried out before"
            return ActAnswer(Status.OK, words, {"outcome": what}, (), "TX_DONE", asked.act.tx_id)
        if what == "unknown":
            raise RefusedError("OUTCOME_UNKNOWN")
        raise RefusedError(code or "NOT_DONE", summary)

    async def settle(self, kept: StoredTransaction, now: int) -> bool:
        """Ask the executor how a handed-over action ended; return whether that is known now."""
        one = kept.transaction
        end = settled(await self._executor.outcome(one.action_id), kept.at, now)
        if end is None:
            return False
        if end.what == "never" and now < one.until:
            self._transactions.apply(kept.id, Release(), now)
            return True
        if end.what == "done" and lies_here(one.intent):  # accepted there, not performed here
            end = Outcome("unknown")
        if not self._transactions.apply(kept.id, Finish(), now, end):
            self._record(records.settled(kept.id, one, end))
        return True

    def _end(self, asked: AuthenticatedAct, known: Transaction, result: Result | None) -> None:
        """Record the end.

        The effect may have happened already, so an error here is OUTCOME_UNKNOWN, never "nothing happened".
        """
        try:
            if result is not None:
                away, end = result.code in _AGAIN, Outcome(result.status, result.code, result.summary)
                self._transactions.apply(
                    asked.act.tx_id, Release() if away else Finish(), asked.now, None if away else end
                )
            self._record(records.ended(asked.call, asked.caller, asked.act, known.action_id, result))
        except (AuthorityError, AuditError):
            raise RefusedError("OUTCOME_UNKNOWN") from None

    def _patched(self, request: Request, found: LookUpResult) -> dict[str, Any]:
        """Return the inputs after the policy's changes; the executor computes the same ones."""
        try:
            return patched(found.given.layout.program, request, found.outputs, self._rules.redact)
        except AuthorityError as error:
            raise RefusedError("POLICY_DENY", error.message) from None

    def _use(self, asked: AuthenticatedAct, inputs: dict[str, Any]) -> tuple[str, Use] | None:
        """Return the handle in the inputs and the sink of its value, or None."""
        if _HANDLE not in inputs:
            return None
        sink = sink_of(intents()[asked.act.intent], inputs)
        return inputs[_HANDLE], Use(asked.caller.session, asked.caller.name, sink)

    def _check_handle(self, asked: AuthenticatedAct, inputs: dict[str, Any]) -> None:
        if used := self._use(asked, inputs):
            self._local.handles.check(*used, asked.now)

    def _open_handle(self, asked: AuthenticatedAct, inputs: dict[str, Any], action_id: str) -> OpenedHandle:
        """Open the handle's value for the executor, or for the agent: redacted and within the budget of its channel."""
        used = self._use(asked, inputs)
        if used is None:
            return OpenedHandle({})
        name, use = used
        value = self._local.handles.use(name, use, asked.now)
        if use.sink != RUNTIME:
            return OpenedHandle({name: value})
        try:
            shown = self._rules.redact(value.decode("utf-8"))
        except UnicodeDecodeError:
            raise RefusedError("NOT_TEXT") from None
        self._local.handles.spend(action_id, asked.caller.channel, self._rules.limits, len(shown.encode()))
        return OpenedHandle({}, shown)


def _refuse_unseen(act: Act, outputs: Outputs) -> None:
    """Refuse to show a value to an agent unless the policy requires an approver to see it first."""
    if intents()[act.intent].effect == "show" and not outputs.confirm:
        raise RefusedError("HANDLE_SHOWN")


def _request(asked: AuthenticatedAct) -> Request:
    try:
        return make_request(asked.act.intent, asked.caller.name, asked.caller.session, asked.act.inputs)
    except AuthorityError as error:
        raise RefusedError("INPUTS_FORM", error.message) from None
