"""Recording a person's answer to a question: first in the log, with who gave it, then in the store.

(1) The question is still pending. (2) The record is on the disk: an answer that cannot be looked up later must not count.
(3) A grant is made for an answer that lasts longer than the session. (4) The question is answered; the first answer wins.
A denial, or an answer for more than one call, also answers the other questions that ask the same. A lasting answer is
the grant and nothing else: once it is revoked, nothing of the answer is left.
"""

from __future__ import annotations

import contextlib
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ANSWER, Entry, RecordKind
from remit.audit.entry import Outcome as Ended
from remit.core.digest import digest
from remit.core.errors import GuardError
from remit.guard.approvals.duplicate_questions import same
from remit.guard.store import (
    Approval,
    Grant,
    RememberedAnswer,
    State,
    Store,
    add_grant,
    answer_approval,
    approval,
    approvals,
    remember_answer,
    revoke_grant,
)

if TYPE_CHECKING:
    from remit.audit import Log

DAYS = 30  # how long a lasting answer holds by default
MOST_DAYS = 366
_DAY = 24 * 3600


class Answer(StrEnum):
    """The possible answers to a question."""

    ONCE = "once"
    SESSION = "session"
    ALWAYS = "always"
    DENY = "deny"


_STATES = {
    Answer.ONCE: State.ONCE,
    Answer.SESSION: State.SESSION,
    Answer.ALWAYS: State.SPENT,
    Answer.DENY: State.DENIED,
}


class AnswerEffect(NamedTuple):
    """The effect of an answer."""

    answered: tuple[Approval, ...]
    granted: tuple[Grant, ...] = ()


def can_last(question: Approval) -> bool:
    """Whether a lasting answer is possible: what the question is about can be named."""
    others, answers = question.shown.get("others"), question.shown.get("answers")
    return bool(question.shown.get("grants") or answers) and bool(not others or answers)


def seen_digest(question: Approval) -> str:
    """Return the digest of a question as it was shown. A remote approver names it, and so answers only what was seen."""
    return digest({**question._asdict(), "state": "", "who": ""})


def answer(  # noqa: PLR0913  what an answer consists of
    store: Store, log: Log, name: str, said: Answer, *, who: str, now: int, days: int = DAYS, seen: str = ""
) -> AnswerEffect:
    """Answer a question and all that ask the same. `seen` is the digest of what was shown, if the question may have
    changed since.
    """
    question = approval(store, name)
    if question is None or question.state is not State.PENDING or question.expires <= now:  # (1)
        raise GuardError(f"`{name}` is not waiting for an answer", "`remit approvals list` shows those that are")
    if seen and seen != seen_digest(question):
        raise GuardError("this is not the question that was seen", "look at it again, then answer")
    if said is Answer.ALWAYS and not can_last(question):
        raise GuardError(
            "this cannot be allowed for good: it is about this one call", "allow it once, or for the session"
        )
    if not 1 <= days <= MOST_DAYS:
        raise GuardError(f"a grant holds from 1 to {MOST_DAYS} days", "give another number of days")
    group: tuple[Approval, ...] = (question,)
    if said is not Answer.ONCE:
        key = same(question)
        group = tuple(one for one in approvals(store, State.PENDING, now) if same(one) == key)
    log.append(*(_record(one, said, who, days) for one in group), sync=True)  # (2)
    granted = _granted(store, question, now=now, expires=now + days * _DAY) if said is Answer.ALWAYS else ()  # (3)
    try:
        answered = [answer_approval(store, name, _STATES[said], now=now, who=who)]  # (4)
    except GuardError:
        for grant in granted:  # another process answered first
            revoke_grant(store, grant.id, now=now)
        raise
    if said is Answer.ALWAYS:
        _remember(store, question, now=now)
    for one in group:
        if one.id != name:
            with contextlib.suppress(GuardError):  # another process answered it meanwhile, and that answer counts
                answered.append(answer_approval(store, one.id, _STATES[said], now=now, who=who))
    return AnswerEffect(tuple(answered), granted)


def _granted(store: Store, question: Approval, *, now: int, expires: int) -> tuple[Grant, ...]:
    shown = question.shown
    return tuple(
        add_grant(
            store, one["principal"], one["entry"], now=now, expires=expires, workspace=shown["workspace"],
            content=one["content"],
        )
        for one in shown["grants"]
    )  # fmt: skip


def _remember(store: Store, question: Approval, *, now: int) -> None:
    """Remember an answer that no grant represents."""
    shown = question.shown
    for one in shown.get("answers", ()):
        remember_answer(
            store,
            RememberedAnswer(
                "",
                one["principal"],
                shown["workspace"],
                one["content"],
                one["rule"],
                one["about"],
                one["sentence"],
                now,
            ),
        )


def _record(question: Approval, said: Answer, who: str, days: int) -> Entry:
    asks = question.shown.get("asks") or [{}]
    lasts = {Answer.ONCE: "once", Answer.SESSION: "for the session", Answer.ALWAYS: f"for {days} days"}
    return Entry(
        kind=RecordKind.DECISION,
        host=question.host,
        event="approval",
        session=question.session,
        tool=question.shown.get("tool", ""),
        op=ANSWER,
        capability=asks[0].get("capability", ""),
        scope=asks[0].get("scope", ""),
        principal=question.principal,
        policy=f"approval:{question.id}",
        reason=f"{who}: no" if said is Answer.DENY else f"{who}: yes, {lasts[said]}",
        outcome=Ended.PERSON_DENIED if said is Answer.DENY else Ended.PERSON_APPROVED,
        judged=question.shown.get("judged", ""),
    )


def revoke(store: Store, log: Log, name: str, *, who: str, now: int) -> Grant:
    """End a grant. The grant ends before the log says so: a right that is recorded as revoked must be gone."""
    gone = revoke_grant(store, name, now=now)
    scope = gone.entry.get("scope", "")
    log.append(
        Entry(
            kind=RecordKind.DECISION,
            host="remit",
            event="revoke",
            op=ANSWER,
            capability=str(gone.entry.get("capability", "")),
            scope=scope if isinstance(scope, str) else " ".join(scope),
            principal=gone.principal,
            policy=f"grant:{gone.id}",
            reason=f"{who}: no more",
            outcome=Ended.PERSON_DENIED,
        ),
        sync=True,
    )
    return gone
