"""Questions to a person about a call: in the host's own prompt if it has one, else through a broker
(`consultation.py`).

A question binds to one call of one principal in one session. Approval for once admits the call once; approval for the
session makes grants that copy what was asked; after a denial the person is not asked about this call again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.scope import HOME
from remit.guard.approvals.broker_config import BrokerKind, read_broker
from remit.guard.approvals.broker_rules import ruled
from remit.guard.approvals.file_diff import diff
from remit.guard.audit_records import reason_for, shown_arguments
from remit.guard.hosts.toolmap import wants
from remit.guard.store import Approval, ApprovalSubject, State, Store, ask_approval, spend_approval, standing_approval
from remit.manifest.model import Decision
from remit.manifest.render import entry_value
from remit.policy.decide import Decided, session_grants
from remit.policy.dlp.scan import redact

if TYPE_CHECKING:
    from remit.guard.call_analysis.requests import CallRequests
    from remit.guard.event import Event
    from remit.guard.rules.model import Stop
    from remit.guard.session.state import SessionState
    from remit.guard.state_folder import StateFolder
    from remit.policy.limits import Situation

LASTS = 24 * 3600  # seconds that a question stays open, and that its answer can be used
_LONGEST = 2000  # characters of a word of a command
_MOST = 50  # commands and effects that are shown
OF_RIGHTS = frozenset({"not-granted", "asked-first", "untrusted-manifest"})  # rules for what a grant answers


class Agreed(NamedTuple):
    """A person's answer, found in the store."""

    approval: Approval
    for_session: bool
    denied: bool = False


class Ruling(NamedTuple):
    """An answer without asking a person: `gate` None leaves the call to a person."""

    decision: Decision | None
    reason: str = ""


def agreed(store: Store, event: Event, decided: Decided, now: int) -> Agreed | None:
    """Return a person's answer to this exact call; an answer for one call is used up by this."""
    asked = _asked(event, decided)
    standing = standing_approval(store, asked, now=now)
    if standing is not None:
        return Agreed(standing, for_session=True, denied=standing.state is State.DENIED)
    spent = spend_approval(store, asked, now=now)
    return Agreed(spent, for_session=False) if spent is not None else None


def at_once(
    places: StateFolder, live: SessionState, decided: Decided, situation: Situation, stops: Sequence[Stop]
) -> Ruling:
    """Return the broker's answer if it needs no person."""
    broker = read_broker(places)
    if broker.sort is BrokerKind.DENY_ALL:
        return Ruling(Decision.DENY, "no one answers: the broker is `deny-all`")
    if broker.sort is BrokerKind.POLICY:
        others = tuple(one.hit.sentence for one in _others(stops))
        found = ruled(broker.rules, decided, others, dict(live.policy.places), situation)
        return Ruling(None if found.decision is Decision.CONFIRM else found.decision, found.reason)
    return Ruling(None)


def question(
    store: Store,
    live: SessionState,
    event: Event,
    decided: Decided,
    drafted: CallRequests,
    now: int,
    stops: Sequence[Stop],
) -> Approval:
    """Return the question about a call. It is stored once; asking again returns the same one."""
    seen = shown(live, event, decided, drafted, now, stops)
    return ask_approval(store, _asked(event, decided), seen, now=now, expires=now + LASTS)


def shown(
    live: SessionState, event: Event, decided: Decided, drafted: CallRequests, now: int, stops: Sequence[Stop]
) -> dict[str, Any]:
    """Return what a person sees: tool, arguments, skill, each effect with its source, and the reasons to ask."""
    home = next((place.render() for name, place in live.policy.places if name == HOME), "")
    return {
        "host": event.host,
        "tool": event.tool,
        "cwd": event.cwd,
        "workspace": str(live.workspace.root),
        "skill": decided.principal,
        "arguments": shown_arguments(event.args),
        "message": redact(reason_for(decided)),
        "reasons": [redact(reason) for reason in decided.reasons],
        "others": [redact(one.hit.sentence) for one in _others(stops)],
        "answers": [
            {
                "principal": name,
                "rule": one.rule,
                "about": one.hit.about,
                "sentence": redact(one.hit.sentence),
                "content": _content(live, name),
            }
            for one in _others(stops)
            for name in decided.principal.split(" and ")
        ],
        "asks": [
            {
                "capability": one.request.capability,
                "scope": redact(one.request.scope.render()),
                "principal": one.principal,
                "source": one.source,
                "reason": redact(getattr(one.judgement, "reason", "")),
            }
            for one in decided.asks
        ],
        "does": [[one.request.capability, redact(one.request.scope.render())] for one in decided.judged[:_MOST]],
        "commands": [
            [redact(word[:_LONGEST]) for word in words]
            for known in drafted.understood
            for words in known.commands[:_MOST]
        ],
        "diff": diff(event, wants(event), home),
        "grants": [
            {"principal": one.principal, "entry": entry_value(one.entry), "content": _content(live, one.principal)}
            for one in session_grants(live.policy, decided, now)
        ],
    }


def _others(stops: Sequence[Stop]) -> tuple[Stop, ...]:
    """Return the reasons that no capability stands for: what is not understood, where data is sent, which skill is
    loaded.
    """
    return tuple(one for one in stops if one.rule not in OF_RIGHTS)


def _content(live: SessionState, principal: str) -> str:
    loaded = live.policy.skill(principal)
    return loaded.digest if loaded else ""


def _asked(event: Event, decided: Decided) -> ApprovalSubject:
    return ApprovalSubject(event.host, event.session, decided.principal, decided.subject)


__all__ = ["LASTS", "Agreed", "Ruling", "State", "agreed", "at_once", "question", "shown"]
