"""Questions that wait for a person: of the guard and of the gateway, as in `remit approvals`.

An answer carries the digest of the question that was shown. The guard compares it with the current question, so that an
old page cannot answer something else.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.log import Log
from remit.core.digest import digest
from remit.core.errors import GuardError, RemitError
from remit.gateway.deployment.waiting_requests import SHORT, confirm_there, refuse_there, waiting_there
from remit.guard.approvals.answers import DAYS, Answer, answer, revoke, seen_digest
from remit.guard.approvals.duplicate_questions import Folded, fold
from remit.guard.approvals.watchers import watching
from remit.guard.audit_key import audit_signer
from remit.guard.state_folder import StateFolder, checked
from remit.guard.store import Grant, State, Store, all_grants, approval, approvals, open_store
from remit.report.approval_page import answers_for
from remit.report.approval_view import (
    OTHERS,
    Part,
    also,
    argument_parts,
    called,
    entry_words,
    headline,
    question_parts,
    told,
    whose,
)
from remit.report.gateway_view import changed_head, difference, waiting_head, waiting_parts

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from remit.gateway.transactions import Waiting
    from remit.web.console.settings import ConsoleSettings

_REFRESH = 2.0  # seconds between two queries of the gateway
KEYS = {Answer.DENY: "d", Answer.ONCE: "o", Answer.SESSION: "s", Answer.ALWAYS: "a"}
LASTING = (1, 7, DAYS, 90, 366)  # days that a page offers


class Diff(NamedTuple):
    """A diff with its heading."""

    head: str
    lines: tuple[str, ...]


class QueuedQuestion(NamedTuple):
    """One question as a page shows it."""

    id: str
    seen: str  # digest of what is shown
    head: tuple[str, ...]  # the tool, the principal, and the question
    parts: tuple[tuple[str, tuple[Part, ...]], ...]
    diffs: tuple[Diff, ...]
    others: tuple[str, ...]  # further calls with the same question
    size: int  # the number of calls that wait
    answers: tuple[Answer, ...]
    lasting: tuple[str, ...]  # what a lasting answer would grant
    skill: bool  # for a skill as it is now, else for the agent
    since: int  # 0: unknown
    until: int = 0  # expiry; 0: not soon


class QueueState(NamedTuple):
    """What waits now. `problem`: why the gateway's questions are missing."""

    asked: tuple[QueuedQuestion, ...]
    problem: str = ""


class Queue:
    """The questions of one state folder, with the person who answers here. Shared by threads."""

    def __init__(self, settings: ConsoleSettings, clock: Callable[[], float] = time.time) -> None:
        self._state = settings.state
        self._gateway = settings.authority
        self._clock = clock
        self._opened: tuple[StateFolder, Store] | None = None
        self._turn = threading.Lock()
        self._answered = 0
        self.who = settings.who  # as in the log; empty: no answers here
        self.why_not = settings.why_not

    def look(self) -> QueueState:
        """Return what waits."""
        _, store = self._open()
        now = int(self._clock())
        asked = tuple(_guards(one) for one in fold(approvals(store, State.PENDING, now)))
        try:  # an error of the gateway must not block answers to the guard
            return QueueState((*asked, *(_gateways(one, now) for one in waiting_there(self._gateway))))
        except RemitError as error:
            return QueueState(asked, f"the gateway's questions: {error.message}")

    def marker(self) -> tuple[int, int, int]:
        """Return a value that changes when something else may wait.

        The gateway does not report changes, so it is polled.
        """
        _, store = self._open()
        return store.changes_of_others(), self._answered, int(self._clock() / _REFRESH)

    def answer(self, name: str, said: Answer, *, seen: str, days: int = DAYS) -> str:
        """Give an answer; return its effect as text. GuardError if it is void."""
        if not self.who:
            raise GuardError(self.why_not or "nobody answers here", "answer with `remit approvals` in a terminal")
        if not seen:
            raise GuardError("the answer does not say to what", "load the page again")
        places, store = self._open()
        there = [one for one in waiting_there(self._gateway) if one.id == name]
        try:
            return self._sign(there[0], said, seen) if there else self._say(places, store, name, said, seen, days)
        finally:
            self._answered += 1

    def _say(self, places: StateFolder, store: Store, name: str, said: Answer, seen: str, days: int) -> str:
        try:
            with Log.open(places.folder, audit_signer) as log:
                now = int(self._clock())
                done = answer(store, log, name, said, who=self.who, now=now, days=days, seen=seen)
        except GuardError as error:
            found = approval(store, name)
            if found is None or found.state is State.PENDING:
                raise
            first = f"{found.state}, by {found.who}" if found.who else str(found.state)
            raise GuardError(f"another person was faster: it is {first}", error.remedy) from None
        return told(said, len(done.answered))

    def _sign(self, one: Waiting, said: Answer, seen: str) -> str:
        if seen != _waiting_digest(one):
            raise GuardError("this is not the question that was seen", "look at it again, then answer")
        match said:
            case Answer.DENY:
                refuse_there(self._gateway, one, self.who)
                return f"{one.id[:SHORT]} denied"
            case Answer.ONCE:
                confirm_there(self._gateway, one, self.who)
                return f"{one.id[:SHORT]} signed; the agent can let it happen now"
            case _:
                raise GuardError("what waits at the gateway is confirmed once", "sign for it once, or deny it")

    def grants(self) -> tuple[Grant, ...]:
        """Return the current lasting grants."""
        _, store = self._open()
        now = int(self._clock())
        return tuple(one for one in all_grants(store) if one.holds(now))

    def revoke(self, name: str) -> str:
        """Revoke a grant."""
        if not self.who:
            raise GuardError(self.why_not or "nobody answers here", "say `remit approvals revoke` in a terminal")
        places, store = self._open()
        with Log.open(places.folder, audit_signer) as log:
            gone = revoke(store, log, name, who=self.who, now=int(self._clock()))
        return f"{gone.id} revoked"

    def watched(self) -> AbstractContextManager[None]:
        """Return a context in which the questions count as watched, so that hooks wait for an answer; if answers can be
        given here.
        """
        return watching(self._open()[0]) if self.who else contextlib.nullcontext()

    def close(self) -> None:
        """Close the store."""
        with self._turn:
            if self._opened:
                self._opened[1].close()
            self._opened = None

    def _open(self) -> tuple[StateFolder, Store]:
        with self._turn:
            if self._opened is None:
                if not self._state.exists():
                    message = f"the guard has no state folder `{self._state}` yet"
                    raise GuardError(message, "`remit guard install HOST` puts it before an agent")
                places = checked(self._state)
                self._opened = places, open_store(places.database)
            return self._opened


def _guards(folded: Folded) -> QueuedQuestion:
    """Return a question of the guard, folded with equal ones."""
    first, others = folded.first, folded.questions[1:]
    shown = first.shown
    diff = tuple(shown.get("diff") or ())
    return QueuedQuestion(
        first.id,
        seen_digest(first),
        (shown["tool"], whose(first.principal), headline(folded)),
        _grouped((*question_parts(first), *argument_parts(first), *also(others))),
        (Diff("", diff),) if diff else (),
        tuple(called(one.shown) for one in others[:OTHERS]),
        folded.size,
        answers_for(folded),
        tuple(entry_words(one["entry"]) for one in shown.get("grants", ())),
        bool(first.principal),
        first.created,
    )


def _gateways(one: Waiting, now: int) -> QueuedQuestion:
    """Return a request that waits at the gateway for a signature."""
    changes = ((name, difference(one, name)) for name in one.before)
    diffs = tuple(Diff(changed_head(name), tuple(lines)) for name, lines in changes if lines)
    parts = _grouped(part for part in waiting_parts(one, now) if part.name != "until")
    head = (waiting_head(one),)
    return QueuedQuestion(  # a signature grants nothing lasting
        one.id, _waiting_digest(one), head, parts, diffs, (), 1, answers_for(one), (), False, 0, one.transaction.until
    )


def _waiting_digest(one: Waiting) -> str:
    return digest([one.id, one.transaction.preview, one.inputs, one.before, one.shows])


def _grouped(parts: Iterable[Part]) -> tuple[tuple[str, tuple[Part, ...]], ...]:
    """Group parts under their headings."""

    def numbered() -> Iterator[tuple[int, Part]]:
        number = 0
        for part in parts:
            number += bool(part.name)
            yield number, part

    groups = (tuple(part for _, part in group) for _, group in groupby(numbered(), lambda one: one[0]))
    return tuple((group[0].name, group) for group in groups)


def day_after(days: int, now: float) -> str:
    """Return the day on which a lasting answer expires."""
    return datetime.fromtimestamp(now + days * 86400, UTC).strftime("%Y-%m-%d")
