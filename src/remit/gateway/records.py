"""Audit log entries of the gateway: each request when it arrives, and how it ended. Arguments are redacted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.audit.entry import Entry, Outcome, RecordKind
from remit.gateway.acts import ActAnswer, Status
from remit.policy.dlp.scan import redact

if TYPE_CHECKING:
    from remit.executor.credentials.verifier import Caller
    from remit.executor.forms import Result
    from remit.gateway.acts import Act
    from remit.gateway.transactions import Outcome as End
    from remit.gateway.transactions import Transaction

_HOST, _EVENT = "gateway", "act"
_LONGEST = 500  # characters of a text
_DECIDED = {
    Status.OK: Outcome.ADMIT,
    Status.PREVIEW: Outcome.ADMIT,
    Status.CONFIRM: Outcome.ASKED,
    Status.DENY: Outcome.DENY,
}
_ENDED = {"done": Outcome.EXECUTED, "failed": Outcome.FAILED, "refused": Outcome.FAILED, "never": Outcome.FAILED}


def requested(call: str, caller: Caller, act: Act) -> Entry:
    """Return the entry for a new request."""
    step = {"tx_id": act.tx_id} if act.tx_id else {}
    return _entry(RecordKind.ENVELOPE, call, caller, act, {**_shown(act.inputs), **step})


def refused(call: str, code: str) -> Entry:
    """Return the entry for a request that was refused before caller and act were known."""
    return Entry(kind=RecordKind.DECISION, host=_HOST, event=_EVENT, call=call, outcome=Outcome.DENY, reason=code)


def decided(call: str, caller: Caller, act: Act, answer: ActAnswer) -> Entry:
    """Return the entry for an answer to a caller."""
    tx = {"tx_id": answer.tx_id} if answer.tx_id else {}
    return _entry(RecordKind.DECISION, call, caller, act, tx, answer.reason_code, _DECIDED[answer.status])


def handed(call: str, caller: Caller, act: Act, action_id: str) -> Entry:
    """Return the entry for an action that goes to the executor."""
    told = {"action_id": action_id, "tx_id": act.tx_id}
    return _entry(RecordKind.DECISION, call, caller, act, told, "handed to the executor", Outcome.ADMIT)


def ended(call: str, caller: Caller, act: Act, action_id: str, result: Result | None) -> Entry:
    """Return the entry for the executor's result.

    Its tag begins the ticket of both servers and links the entry to the proofs.
    """
    told = {"action_id": action_id, "tx_id": act.tx_id}
    if result is None:
        return _entry(RecordKind.EFFECT, call, caller, act, told, "the executor did not answer", Outcome.UNKNOWN)
    outcome = _ENDED.get(result.status, Outcome.UNKNOWN)
    return _entry(RecordKind.EFFECT, call, caller, act, {**told, "tag": result.tag}, result.code, outcome)


def accused(named: str, why: str) -> Entry:
    """Return the entry for a failed look-up; `named` is the accused policy server, or empty."""
    return Entry(
        kind=RecordKind.DECISION, host=_HOST, event="look-up", principal=named, outcome=Outcome.DENY, reason=f"{named or 'unnamed'}: {why}"
    )  # fmt: skip


def settled(name: str, one: Transaction, end: End) -> Entry:
    """Return the entry for a commit whose end the gateway missed, as the executor remembers it."""
    return Entry(
        kind=RecordKind.EFFECT, host=_HOST, event=_EVENT, session=one.session, principal=one.caller, tool=one.intent,
        arguments={"action_id": one.action_id, "tx_id": name}, outcome=_ENDED.get(end.what, Outcome.UNKNOWN),
        reason=f"{end.what}: the executor said so later",
    )  # fmt: skip


def _entry(
    kind: RecordKind, call: str, caller: Caller, act: Act, arguments: Mapping[str, Any], reason: str = "",
    outcome: Outcome | None = None,
) -> Entry:  # fmt: skip
    return Entry(
        kind=kind, host=_HOST, event=_EVENT, call=call, session=caller.session, principal=caller.name, tool=act.intent,
        arguments=arguments, reason=reason, outcome=outcome,
    )  # fmt: skip


def _shown(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: redact(value)[:_LONGEST] if isinstance(value, str) else value for name, value in inputs.items()}
