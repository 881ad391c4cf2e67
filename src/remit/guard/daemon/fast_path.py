"""Whether an event can be answered at once, on the event loop instead of in a thread.

It can if nothing has to be analysed, read, walked through, snapshotted or flushed for it.

This only affects where the answer is computed, never what it is. One result is handed on to the decision: that the
answer to a command is known and still valid.
"""

from __future__ import annotations

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
_LOOKED = frozenset({Role.CODE, Role.SKILL, Role.TREE, Role.NAMES})
_MANY = 20_000  # characters of a result whose words are noted


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

    def slow(self, event: Event) -> bool:
        """Whether the answer may take more than a moment. An event that cannot be examined counts as slow."""
        try:
            slow = self._is_slow(event)
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

    def live(self, event: Event) -> SessionState:
        """Return the session of the event that is being decided, looked up before or now."""
        newest = self._newest
        return newest.live if newest is not None and newest.event is event else self._sessions.of(event)

    def known(self, event: Event, language: str, text: str) -> Understanding | None:
        """Return the answer to the command of this very event, if it was just looked up."""
        newest = self._newest
        if newest is None or newest.event is not event or language != "shell":
            return None
        return newest.known.get(text)

    def _is_slow(self, event: Event) -> bool:
        if event.kind in _LONG or not self._sessions.knows(event):
            return True
        return self._ends_slowly(event) if event.kind in _ENDS else self._begins_slowly(event)

    def _begins_slowly(self, event: Event) -> bool:
        wanted = wants(event)
        if any(want.role in _LOOKED or _is_skill(want.target) or _changes(want.capability) for want in wanted):
            return True
        live = self._sessions.of(event)
        commands = [want.command for want in wanted if want.role is Role.COMMAND and want.target in SHELLS]
        if commands and live.stack(event.agent):  # walls are made and entered
            return True
        place = self._sessions.where.place(live, event) if commands else None
        found = {command: self._cache.get(("shell", command, place)) for command in commands}
        known = {command: one for command, one in found.items() if one is not None}
        self._newest = _Prepared(event, live, known)
        return len(known) < len(found) or any(map(_looks, known.values()))

    def _ends_slowly(self, event: Event) -> bool:
        live = self._sessions.of(event)
        self._newest = _Prepared(event, live)
        pending = live.pending.get(key_of(event, "" if event.call else content_digest(event)))
        if pending is None:
            return bool(wants(event))  # the log is searched
        begun = pending.begun
        return len(event.text) > _MANY or self._transactions.flushes(live, begun) or self._transactions.kept(begun)


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
