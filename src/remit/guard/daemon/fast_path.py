"""Whether an event can be answered at once, on the event loop instead of in a thread.

It can if nothing has to be analysed, read, walked through, snapshotted or flushed for it, or if the last such walks and
snapshots took only a moment. A thread switch costs more than a snapshot of a small file.

This only affects where the answer is computed, never what it is. One result is handed on to the decision: that the
answer to a command is known and still valid.
"""

from __future__ import annotations

import time
from collections.abc import Hashable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from remit.core.capability import Change, vocabulary
from remit.core.scope import PathScope, Scope
from remit.core.scope.component import literal
from remit.guard.call_analysis.requests import SHELLS, key_of
from remit.guard.event import Event, Kind, content_digest
from remit.guard.hosts.toolmap import Role, wants
from remit.policy.judge import RUNS

if TYPE_CHECKING:
    from remit.guard.call_analysis.commands import Cache, Understanding
    from remit.guard.session.sessions import Sessions
    from remit.guard.session.state import SessionState
    from remit.guard.undo.transactions import Transactions

_LONG = frozenset({Kind.SKILL, Kind.PROMPT, Kind.SESSION, Kind.STOP, Kind.END})
_ENDS = frozenset({Kind.AFTER, Kind.FAILED})
_READ = frozenset({Role.CODE, Role.SKILL})
_WALKED = frozenset({Role.TREE, Role.NAMES})
_MANY = 20_000  # characters of a result whose words are noted
_WORK = 0.004  # seconds of work that others may be kept waiting for
_WAITED = 0.02  # seconds in a thread, which includes waiting for other threads
_ON_LOOP = 0.008  # seconds on the loop, where only the machine interferes
_TIMES = 3  # times in a row that it must have been so
_MOST = 2000  # kinds of events that are remembered


class Takes(Enum):
    """How long an answer may take."""

    A_MOMENT = "a moment"
    A_LOOK = "a look"  # files are walked through or snapshotted: it depends on their number
    LONG = "long"


class _Prepared(NamedTuple):
    """What was found out about one event."""

    event: Event
    live: SessionState
    known: dict[str, Understanding] = {}  # noqa: RUF012  by command; nobody adds to it


class FastPath:
    """Examines events before they are decided."""

    def __init__(self, sessions: Sessions, transactions: Transactions, cache: Cache) -> None:
        self._sessions = sessions
        self._transactions = transactions
        self._cache = cache
        self._newest: _Prepared | None = None
        self._pace = DecisionTimes()

    def slow(self, event: Event) -> bool:
        """Whether the answer may take more than a moment. An event that cannot be examined counts as slow."""
        try:
            takes = self._takes(event)
            slow = takes is Takes.LONG
            if takes is Takes.A_LOOK:  # waiting for an analysis that is under way elsewhere is not brief
                slow = self._sessions.analysis.locked() or not self._pace.brief(event)
        except Exception:  # noqa: BLE001  it is met again where it is denied and written down
            slow = True
        if slow:
            self._newest = None  # by the time a thread runs, everything may have changed
        return slow

    def done(self, event: Event) -> None:
        """Forget what was found out about an event, once it is decided."""
        newest = self._newest
        if newest is not None and newest.event is event:
            self._newest = None
        self._pace.ends(event)

    def live(self, event: Event) -> SessionState:
        """Return the session of the event that is being decided, looked up before or now."""
        self._pace.begins(event)
        newest = self._newest
        return newest.live if newest is not None and newest.event is event else self._sessions.of(event)

    def known(self, event: Event, language: str, text: str) -> Understanding | None:
        """Return the answer to the command of this very event, if it was just looked up."""
        newest = self._newest
        if newest is None or newest.event is not event or language != "shell":
            return None
        return newest.known.get(text)

    def _takes(self, event: Event) -> Takes:
        if event.kind in _LONG or not self._sessions.knows(event):
            return Takes.LONG
        return self._ending(event) if event.kind in _ENDS else self._beginning(event)

    def _beginning(self, event: Event) -> Takes:
        commands = []
        looks = False
        for want in wants(event):
            if want.role in _READ or _is_skill(want.target):
                return Takes.LONG
            looks = looks or want.role in _WALKED or _changes(want.capability)
            if want.role is Role.COMMAND and want.target in SHELLS:
                commands.append(want)
        live = self._sessions.of(event)
        self._newest = _Prepared(event, live)
        place = self._sessions.where.place(live, event) if commands else None
        found: dict[str, Understanding] = {}
        for want in commands:
            known = self._cache.get(("shell", want.command, place))
            if known is None:
                return Takes.LONG
            found[want.command] = known
        self._newest = _Prepared(event, live, found)
        return Takes.A_LOOK if looks or any(map(_looks, found.values())) else Takes.A_MOMENT

    def _ending(self, event: Event) -> Takes:
        live = self._sessions.of(event)
        self._newest = _Prepared(event, live)
        pending = live.pending.get(key_of(event, "" if event.call else content_digest(event)))
        if pending is None:
            return Takes.LONG if wants(event) else Takes.A_MOMENT  # the log is searched
        if len(event.text) > _MANY or self._transactions.flushes(live, pending.begun):
            return Takes.LONG
        return Takes.A_LOOK if self._transactions.kept(pending.begun) else Takes.A_MOMENT


def _looks(known: Understanding) -> bool:
    """Whether an effect of a command requires a snapshot, a flush, a search or a read."""
    return any(_changes(part.capability) or _walks(part.scope) for part in known.parts)


def _changes(capability: str) -> bool:
    """Whether a snapshot or a flush precedes it."""
    found = vocabulary().get(capability)
    return found is not None and found.change is not Change.NONE and capability not in RUNS


def _walks(scope: Scope) -> bool:
    """Whether files have to be searched, or a skill is read."""
    if not isinstance(scope, PathScope):
        return False
    return any(literal(part) is None or _is_skill(part) for part in scope.parts)


def _is_skill(path: str) -> bool:
    """Whether a path may be part of a skill, whose text is examined before it is read."""
    return "skill" in path.casefold()


class _Timed(NamedTuple):
    event: Event
    on_loop: bool
    work: float = 0.0
    passed: float = 0.0


class DecisionTimes:
    """How long recent events of each sort took to decide: where the next one is decided depends on it, not how."""

    def __init__(self) -> None:
        self._brief: dict[Hashable, int] = {}  # times in a row
        self._timed: dict[int, _Timed] = {}

    def brief(self, event: Event) -> bool:
        """Whether an event of this sort was quick the last times. It is measured on the loop if so, else in a thread."""
        if len(self._timed) > _MOST:
            self._timed.clear()
        brief = self._brief.get(_sort(event), 0) >= _TIMES
        self._timed[id(event)] = _Timed(event, brief)
        return brief

    def begins(self, event: Event) -> None:
        """Start measuring, in this thread."""
        timed = self._timed.get(id(event))
        if timed is not None and timed.event is event:
            work = 0.0 if timed.on_loop else time.thread_time()
            self._timed[id(event)] = timed._replace(work=work, passed=time.monotonic())

    def ends(self, event: Event) -> None:
        """Stop measuring."""
        timed = self._timed.pop(id(event), None)
        if timed is None or timed.event is not event or not timed.passed:
            return
        passed = time.monotonic() - timed.passed
        moment = passed < (_ON_LOOP if timed.on_loop else _WAITED)
        moment = moment and (timed.on_loop or time.thread_time() - timed.work < _WORK)
        if len(self._brief) > _MOST:
            self._brief.clear()
        sort = _sort(event)
        self._brief[sort] = self._brief.get(sort, 0) + 1 if moment else 0


def _sort(event: Event) -> Hashable:
    """Return the sort of an event, for equal expected times: one tool in one folder, and for commands the same command."""
    command = event.args.get("command", "")
    return event.kind is Kind.BEFORE, event.tool, event.cwd, command if isinstance(command, str) else ""
