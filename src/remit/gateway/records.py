"""What the gateway writes into the log: each request when it comes, and how it ended. Arguments are kept without what must not be seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.audit.entry import Entry, Kind, Outcome
from remit.gateway.answers import Answer, Status
from remit.policy.dlp.scan import redact

if TYPE_CHECKING:
    from remit.executor.credentials.verifying import Caller
    from remit.executor.forms import Result
    from remit.gateway.acts import Act
    from remit.gateway.transactions.life import Transaction
    from remit.gateway.transactions.outcome import Outcome as End

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
    """A caller asks."""
    step = {"tx_id": act.tx_id} if act.tx_id else {}
    return _entry(Kind.ENVELOPE, call, caller, act, {**_shown(act.inputs), **step})


def refused(call: str, code: str) -> Entry:
    """Somebody was turned away before it was known who asks for what."""
    return Entry(kind=Kind.DECISION, host=_HOST, event=_EVENT, call=call, outcome=Outcome.DENY, reason=code)


def decided(call: str, caller: Caller, act: Act, answer: Answer) -> Entry:
    """What a caller is told."""
    tx = {"tx_id": answer.tx_id} if answer.tx_id else {}
    return _entry(Kind.DECISION, call, caller, act, tx, answer.reason_code, _DECIDED[answer.status])


def handed(call: str, caller: Caller, act: Act, action_id: str) -> Entry:
    """An action goes to the executor."""
    told = {"action_id": action_id, "tx_id": act.tx_id}
    return _entry(Kind.DECISION, call, caller, act, told, "handed to the executor", Outcome.ADMIT)


def ended(call: str, caller: Caller, act: Act, action_id: str, result: Result | None) -> Entry:
    """What became of it there; the tag, with which the ticket of both servers begins, ties the record to the proofs."""
    told = {"action_id": action_id, "tx_id": act.tx_id}
    if result is None:
        return _entry(Kind.EFFECT, call, caller, act, told, "the executor did not answer", Outcome.UNKNOWN)
    outcome = _ENDED.get(result.status, Outcome.UNKNOWN)
    return _entry(Kind.EFFECT, call, caller, act, {**told, "tag": result.tag}, result.code, outcome)


def accused(named: str, why: str) -> Entry:
    """A look-up failed; the policy server that is named for it, if one is."""
    return Entry(
        kind=Kind.DECISION, host=_HOST, event="look-up", principal=named, outcome=Outcome.DENY, reason=f"{named or 'unnamed'}: {why}"
    )  # fmt: skip


def settled(name: str, one: Transaction, end: End) -> Entry:
    """How a commit ended of which the gateway did not see the end, as the executor remembers it."""
    return Entry(
        kind=Kind.EFFECT, host=_HOST, event=_EVENT, session=one.session, principal=one.caller, tool=one.intent,
        arguments={"action_id": one.action_id, "tx_id": name}, outcome=_ENDED.get(end.what, Outcome.UNKNOWN),
        reason=f"{end.what}: the executor said so later",
    )  # fmt: skip


def _entry(
    kind: Kind, call: str, caller: Caller, act: Act, arguments: Mapping[str, Any], reason: str = "",
    outcome: Outcome | None = None,
) -> Entry:  # fmt: skip
    return Entry(
        kind=kind, host=_HOST, event=_EVENT, call=call, session=caller.session, principal=caller.name, tool=act.intent,
        arguments=arguments, reason=reason, outcome=outcome,
    )  # fmt: skip


def _shown(inputs: Mapping[str, Any]) -> dict[str, Any]:
    return {name: redact(value)[:_LONGEST] if isinstance(value, str) else value for name, value in inputs.items()}
