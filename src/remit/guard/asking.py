"""How a person is asked about a call: in the host's own prompt where it has one, else through a question that is kept.

A question binds to one call of one principal in one session. Who agrees once admits it once; who agrees for the session gives
grants that copy what was asked about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from remit.guard.answers import reason_for, shown_arguments
from remit.guard.store import Asked, State, ask_approval, spend_approval, standing_approval

if TYPE_CHECKING:
    from remit.guard.drafting import Drafted
    from remit.guard.event import Event
    from remit.guard.store import Approval, Store
    from remit.policy.decide import Decided

LASTS = 24 * 3600  # seconds that a question stays open, and an answer to it usable


class Agreed(NamedTuple):
    """A person's word, found in the store."""

    approval: Approval
    for_session: bool


def agreed(store: Store, event: Event, decided: Decided, now: int) -> Agreed | None:
    """Whether a person agreed to this very call; an answer for one call is used up by this."""
    asked = _asked(event, decided)
    standing = standing_approval(store, asked, now=now)
    if standing is not None:
        return Agreed(standing, for_session=True)
    spent = spend_approval(store, asked, now=now)
    return Agreed(spent, for_session=False) if spent is not None else None


def question(store: Store, event: Event, decided: Decided, drafted: Drafted, now: int) -> Approval:
    """The question about a call, put once; asked again, it is the same one."""
    return ask_approval(store, _asked(event, decided), shown(event, decided, drafted), now=now, expires=now + LASTS)


def shown(event: Event, decided: Decided, drafted: Drafted) -> dict[str, Any]:
    """What a person sees: tool, arguments, skill, each thing that it would do with its source, and the reasons to ask."""
    return {
        "host": event.host,
        "tool": event.tool,
        "cwd": event.cwd,
        "skill": decided.principal,
        "arguments": shown_arguments(event.args),
        "message": reason_for(decided),
        "reasons": list(decided.reasons),
        "asks": [
            {
                "capability": one.request.capability,
                "scope": one.request.scope.render(),
                "principal": one.principal,
                "source": one.source,
                "reason": getattr(one.judgement, "reason", ""),
            }
            for one in decided.asks
        ],
        "does": [[one.request.capability, one.request.scope.render()] for one in decided.judged],
        "commands": [list(words) for known in drafted.understood for words in known.commands],
    }


def _asked(event: Event, decided: Decided) -> Asked:
    return Asked(event.host, event.session, decided.principal, decided.subject)


__all__ = ["LASTS", "Agreed", "State", "agreed", "question", "shown"]
