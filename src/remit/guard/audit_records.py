"""Log records and answers made from decisions. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.audit.entry import Entry, Inferred, Origin, RecordKind
from remit.audit.entry import Outcome as Ended
from remit.core.counting import counted
from remit.guard.event import Event, Outcome, Verdict
from remit.policy.dlp.scan import redact
from remit.policy.gate import Gate
from remit.policy.judge import Allow, Ask, Deny

if TYPE_CHECKING:
    from remit.guard.call_analysis.requests import CallRequests
    from remit.policy.decide import Decided, JudgedRequest

_LONGEST = 4000  # characters of an argument that the log keeps
_MOST_REASONS = 6
_ANSWERED = {Allow: Ended.ADMIT, Ask: Ended.ASKED, Deny: Ended.DENY}
_ENDED = {Gate.ALLOW: Ended.ADMIT, Gate.CONFIRM: Ended.ASKED, Gate.DENY: Ended.DENY}


def denied(reason: str, note: str = "") -> Verdict:
    """Return the verdict of a denied call."""
    return Verdict(Outcome.DENY, f"remit: {reason}", note=note)


def reason_for(decided: Decided) -> str:
    """Return the reason of a denial, or the question to a person, short enough to read."""
    shown = list(decided.reasons[:_MOST_REASONS])
    if len(decided.reasons) > _MOST_REASONS:
        shown.append(f"and {len(decided.reasons) - _MOST_REASONS} more")
    named = any(reason.startswith(f"`{decided.principal}` ") for reason in shown)
    whose = f"skill `{decided.principal}`: " if decided.principal and not named else ""
    return whose + "; ".join(shown)


def plain_text(text: str) -> str:
    """Return a text that can be stored: lone surrogates are replaced."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def printable(event: Event) -> Event:
    """Return an event that could not be judged, as far as it can be stored."""

    def short(text: object) -> str:
        return plain_text(str(text))[:_LONGEST]

    return event._replace(
        args={},
        host=short(event.host),
        name=short(event.name),
        session=short(event.session),
        tool=short(event.tool),
        call=short(event.call),
    )


def _where(event: Event) -> dict[str, Any]:
    """Return the fields that every record of an event has."""
    return {"host": event.host, "event": event.name, "session": event.session, "call": event.call, "tool": event.tool}


def _about(decided: Decided) -> dict[str, Any]:
    """Return the fields about a call: its main effect, which is the first, and all of them."""
    found: dict[str, Any] = {"principal": decided.principal, "inferred": tuple(map(_inferred, decided.judged))}
    if decided.judged:
        first = decided.judged[0].request
        found |= {"capability": first.capability, "scope": first.scope.render()}
    return found


def _policy(decided: Decided, first: JudgedRequest | None) -> str:
    """Return whose entry decided: that of the first request that is asked about, else of the first request."""
    if decided.gate is Gate.ALLOW and not decided.approved:
        return first.source if first else ""
    asked = next((one.source for one in decided.judged if isinstance(one.judgement, Ask)), "")
    return asked or (first.source if first else "")


def event_record(event: Event) -> Entry:
    """Return the record of an event that the host reported."""
    return Entry(kind=RecordKind.ENVELOPE, **_where(event), arguments=shown_arguments(event.args))


def note_record(event: Event, sentence: str) -> Entry:
    """Return the record of what the guard did when the host reported an event."""
    return Entry(kind=RecordKind.ENVELOPE, **_where(event), reason=redact(sentence)[:_LONGEST])


def decision_record(
    event: Event, decided: Decided, drafted: CallRequests, ended: Ended | None = None, content: str = ""
) -> Entry:
    """Return the record of a decision on a call."""
    first = decided.judged[0] if decided.judged else None
    return Entry(
        kind=RecordKind.DECISION,
        origin=Origin.SCRIPT if first and first.request in drafted.scripted else Origin.AGENT,
        **_where(event),
        op="before",
        **_about(decided),
        policy=_policy(decided, first),
        reason=redact(reason_for(decided))[:_LONGEST],
        outcome=ended or _ENDED[decided.gate],
        judged=content,
    )


def refusal_record(event: Event, reason: str, content: str = "") -> Entry:
    """Return the record of a call that was denied before its requests were judged."""
    return Entry(
        kind=RecordKind.DECISION,
        **_where(event),
        op="before",
        reason=redact(reason)[:_LONGEST],
        outcome=Ended.DENY,
        judged=content,
    )


def effect_record(
    event: Event, ended: Ended, decided: Decided | None, *, judged: str, ran: str, reason: str = ""
) -> Entry:
    """Return the record of how a call ended."""
    return Entry(
        kind=RecordKind.EFFECT,
        **_where(event),
        op="after",
        **(_about(decided) if decided else {}),
        reason=reason,
        outcome=ended,
        judged=judged,
        ran=ran,
    )


def _inferred(one: JudgedRequest) -> Inferred:
    return Inferred(one.request.capability, one.request.scope.render(), _ANSWERED[type(one.judgement)])


def shown_arguments(args: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as the log may keep them: short, and with secret values masked."""
    return {str(name): _shown(value) for name, value in args.items()}


def _shown(value: Any) -> Any:
    if isinstance(value, str):
        text = redact(value[:_LONGEST])
        return text if len(value) <= _LONGEST else f"{text}… ({counted(len(value), 'character')})"
    if isinstance(value, bool | int) or value is None:
        return value
    return redact(repr(value)[:_LONGEST])
