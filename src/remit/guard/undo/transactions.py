"""The transaction buffer: snapshots before reversible calls, records in the order that Method C proves, and the
biconditional.

A call that is let through is a turn (`policy/buffer.py`). What it may change in the workspace is kept before it runs,
so that `remit undo` can restore it. Its record waits in the buffer until the next flush: before anything that cannot be
undone, after 100 envelopes, and at the end of the session. A flush compares the records with the workspace and logs
what does not fit.

A pattern that is written spares the places that govern the workspace (`path_patterns.py`): its own settings, hooks,
secrets and policy, not those of packages deeper inside. What appears or changes there while the call runs is an alarm:
what, when, and the command that restores it. Nothing is restored here: a person, an editor or another session may have
made the change.
"""

from __future__ import annotations

import json
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.biconditional import ObservedChanges, Verdict, compare
from remit.audit.entry import ALARM, Entry, Outcome, RecordKind
from remit.audit.queries import Filter
from remit.audit.world import Item, Picture, differences, item_at, picture
from remit.core import counting
from remit.core.capability import Change, vocabulary
from remit.core.errors import RemitError
from remit.core.scope import DEEP, ROOT, PathScope, Scope, covers, overlaps
from remit.core.sensitive import places
from remit.guard.call_analysis.path_patterns import counted, files_under, sensitive_files
from remit.guard.call_analysis.pattern_denials import PathEntry, denied_inside, files_inside
from remit.guard.call_analysis.requests import CallRequests
from remit.guard.call_analysis.run_later import changed_unjudged
from remit.guard.paths import file_scope, fixed_start, folder_scope, is_one_path
from remit.guard.undo import ADOPTED, Limits, NotKept, Snapshot, Store, names_repository
from remit.guard.undo import PathKind as Lies
from remit.manifest.model import Decision, Verification
from remit.policy.buffer import Buffer, BufferedEffect, Opened, close_turn, open_turn, rules_at
from remit.policy.decide import TASK, Decided
from remit.policy.gate import Standing
from remit.policy.judge import RUNS, Deny
from remit.policy.session import Turn

if TYPE_CHECKING:
    from remit.audit.log import Log
    from remit.guard.session.state import SessionState
    from remit.policy.request import Request

LIMITS = Limits(file_bytes=64 << 20, total_bytes=128 << 20, entries=1000)  # bytes of one call; more is not undone
KEPT_FOR = 30 * 24 * 3600 * 1_000_000_000  # nanoseconds
KEPT_BYTES = 4 << 30
MANY_FILES = 20  # that a call removes: a person is informed
_SHOWN = 10  # changed files that are named
MOST_FILES = 5000  # of a workspace that is compared at each flush


class SparedPattern(NamedTuple):
    """A pattern that is written, and that spares places inside it."""

    request: Request
    denied: tuple[PathEntry, ...]  # what entries deny inside it
    protected: tuple[str, ...]  # the guard's own files and folders inside it
    known: Mapping[str, Item | None]  # the files that existed


class StartedTransaction(NamedTuple):
    """A turn that is under way."""

    turn: Turn[bool]
    opened: Opened
    level: Verification
    drafted: CallRequests
    snapshot: str = ""  # of what it may change
    guarded: str = ""  # of sensitive and protected files inside its patterns, if there is more than can be kept
    spared: tuple[SparedPattern, ...] = ()  # such patterns
    since: float = 0.0
    observed: Path | None = None  # where its old state is kept while it runs, inside walls


class CallEnd(NamedTuple):
    """What a person should know of a call that ended: changes where it should not have made any, and what it removed."""

    alarms: tuple[str, ...]
    notices: tuple[str, ...]
    changed: tuple[str, ...] = ()  # files that it was observed to change


class Transactions:
    """The buffer, the snapshots and the comparison, for all sessions."""

    def __init__(self, snapshots: Path, log: Log, home: Path) -> None:
        self.store = Store(snapshots, LIMITS)
        self._log = log
        self._home = home

    # --- a turn ---

    def begin(self, live: SessionState, call: str, decided: Decided, drafted: CallRequests) -> StartedTransaction:
        """Before a call that is let through: keep what it may change, and flush if it cannot be undone."""
        words = vocabulary()
        changes = [one for one in drafted.requests if words[one.capability].change is Change.REVERSIBLE]
        snapshot = guarded = ""
        spared: tuple[SparedPattern, ...] = ()
        if changes:
            acting = tuple(dict.fromkeys(one.principal for one in decided.judged))
            spared = tuple(_spared(live, one, acting) for one in changes if one.spared)
            snapshot = self._keep(live, call, changes)
            sensitive = [path for one in spared for path in one.known if not names_repository(path)]
            guarded = self._taken(live, call, sensitive, sensitive) if sensitive and not snapshot else ""
        turn = _turn(decided, drafted, reversible=not changes or bool(snapshot))
        level = _level(live, decided.principal)
        opened = open_turn(rules_at(level), live.buffer, turn)
        if opened.control.flush_before:
            self._flush(live, opened.flush)
        return StartedTransaction(turn, opened, level, drafted, snapshot, guarded, spared, time.time())

    def end(self, live: SessionState, begun: StartedTransaction, entry: Entry) -> CallEnd:
        """After the call: log what must be recorded now, and keep the rest until the next flush."""
        if begun.snapshot:
            self.store.seal(begun.snapshot)
        adopted = self.adopt(begun.observed, live.name, entry.call) if begun.observed is not None else None
        alarms = (*self._alarms(live, begun), *_later(live, begun.drafted, adopted))
        ident = begun.snapshot or secrets.token_hex(8)
        live.waiting[ident] = entry
        # calls of one session overlap: a turn is ordered by its end
        rules = rules_at(begun.level)
        opened = open_turn(rules, live.buffer, begun.turn)
        done = [BufferedEffect(ident, reversible=bool(begun.snapshot) and not begun.turn.irreversible)]
        closed = close_turn(rules, live.buffer, begun.turn, opened, done)
        live.buffer = closed.buffer
        idents = (*opened.flush, *closed.record)
        if idents == (ident,):
            self._log.append(live.waiting.pop(ident))
        elif idents:
            self._flush(live, idents)
        return CallEnd(alarms, tuple(_destroyed(adopted)), tuple(adopted.before) if adopted else ())

    def adopt(self, observed: Path, session: str, call: str, patience: float = 0.1) -> Snapshot | None:
        """Keep the observed changes of a command, even if its end was not reported. `patience`: seconds in which its processes end."""
        try:
            return self.store.adopt(secrets.token_hex(8), session, call, observed, patience=patience)
        finally:
            if not (observed / ADOPTED).exists():
                shutil.rmtree(observed, ignore_errors=True)

    def adopt_later(self, calls: Path, live: SessionState, patience: float = 0) -> tuple[str, ...]:
        """Keep what processes changed that outlived their calls in a session. Returns a sentence about each that a person should know."""
        notes = [(path.parent, json.loads(path.read_bytes())) for path in calls.glob(f"*/{ADOPTED}")]
        found = [self.adopt(folder, whose, call, patience) for folder, (_, whose, call) in notes if whose == live.name]
        nothing = CallRequests(())  # of what a process does later, no command says anything
        return tuple(sentence for one in found for sentence in (*_later(live, nothing, one), *_destroyed(one)))

    def prune(self) -> None:
        """Delete snapshots that are too old to undo, and the oldest beyond the size limit."""
        with suppress(RemitError, OSError):
            self.store.collect(older_than=time.time_ns() - KEPT_FOR, max_bytes=KEPT_BYTES, settled=3600)

    def kept(self, begun: StartedTransaction | None) -> bool:
        """Whether something is kept before a call, and compared after it."""
        return begun is not None and bool(begun.snapshot or begun.guarded or begun.spared or begun.observed)

    def flushes(self, live: SessionState, begun: StartedTransaction | None) -> bool:
        """Whether the end of a call causes a flush."""
        if begun is None:
            return False
        control = open_turn(rules_at(begun.level), live.buffer, begun.turn).control
        return bool(live.buffer.waiting and (control.flush_before or control.flush_after))

    def settle(self, live: SessionState) -> None:
        """Log everything that waits: the session ends, or another daemon takes over."""
        self._flush(live, live.buffer.waiting)
        live.buffer = Buffer()

    # --- the flush, and the biconditional ---

    def look(self, live: SessionState) -> None:
        """Return the workspace at the start of a session, if it is small enough to be compared."""
        live.picture = self._picture(live, None) if live.policy.snapshotted else None
        live.marked = self._log.head().number if live.picture else 0

    def _flush(self, live: SessionState, idents: Iterable[str]) -> None:
        found = [live.waiting.pop(ident) for ident in idents if ident in live.waiting and not self._undone(ident)]
        if found:
            self._log.append(*found)
        self._compare(live)

    def _undone(self, ident: str) -> bool:
        try:
            return self.store.get(ident).restored
        except RemitError:
            return False

    def _compare(self, live: SessionState) -> None:
        before = live.picture
        if before is None:
            return
        after = self._picture(live, before)
        if after is None:
            live.picture = None
            return
        root = str(live.workspace.root)
        world = ObservedChanges(
            differences(before, after), frozenset(before.items), root, str(self._home), unread=tuple(after.unread)
        )
        records = self._log.records(Filter(session=live.name, after=live.marked, without=RecordKind.ENVELOPE))
        alarms = [one for one in compare(records, world).findings if one.verdict is Verdict.BYPASS]
        if alarms:
            self._log.append(*(_alarm(live, f"{one.op} {one.target}: {one.reason}") for one in alarms[:50]))
        live.picture, live.marked = after, self._log.head().number

    def _picture(self, live: SessionState, before: Picture | None) -> Picture | None:
        root = live.workspace.root
        if counted(root, MOST_FILES) is None:
            return None
        try:
            return picture(root, before)
        except (RemitError, OSError):
            return None

    # --- snapshots ---

    def _keep(self, live: SessionState, call: str, changes: Iterable[Request]) -> str:
        """Return the name of a snapshot of everything that a call may change; empty if part of it cannot be kept."""
        scopes = [one.scope for one in changes]
        paths = [(_start(one), is_one_path(one)) for one in scopes]
        root = str(live.workspace.root)
        if not live.policy.snapshotted or not all(path.startswith(f"{root}/") or path == root for path, _ in paths):
            return ""
        return self._taken(live, call, [path for path, _ in paths], [path for path, alone in paths if alone])

    def _taken(self, live: SessionState, call: str, paths: Iterable[str], named: Iterable[str]) -> str:
        ident = secrets.token_hex(8)
        return "" if isinstance(self.store.take(ident, live.name, call, paths, named), NotKept) else ident

    def _alarms(self, live: SessionState, begun: StartedTransaction) -> tuple[str, ...]:
        """Return what changed, while a call ran, in places that its patterns spare; with what a person can do about it."""
        found = {path: what for one in begun.spared for path, what in _changes(one, live.workspace.root)}
        if begun.guarded and not found:
            self.store.forget(begun.guarded)
        elif begun.guarded:
            self.store.seal(begun.guarded)
        if not found:
            return ()
        clock = [time.strftime("%H:%M:%S", time.gmtime(at)) for at in (begun.since, time.time())]
        when = f"between {clock[0]} and {clock[1]} UTC, while a call ran that may not do that. It is left as it is"
        kept = begun.snapshot or begun.guarded
        undo = (
            f"`remit undo --call {kept} --force --dry-run` shows how to undo it"
            if kept
            else "there is no copy to restore: check it"
        )
        by_hand = "a repository is not restored: check it"
        alarms = tuple(
            f"`{path}` was {what} {when}; {by_hand if names_repository(path) else undo}" for path, what in found.items()
        )
        self._log.append(*(_alarm(live, alarm) for alarm in alarms))
        return alarms


def _later(live: SessionState, drafted: CallRequests, adopted: Snapshot | None) -> Iterator[str]:
    """Return a sentence for each run-later file that a command inside walls was observed to change without naming it."""
    if adopted is None:
        return
    found = tuple(changed_unjudged(adopted.before, drafted, live.workspace.root))
    for path, who in found[:_SHOWN]:
        undo = f"`remit undo --call {adopted.ident}` puts it back"
        yield f"`{path}` was changed by a command of a skill: {who}. Look at it; {undo}"
    if len(found) > _SHOWN:
        yield f"so were {len(found) - _SHOWN} more such files; `remit undo --call {adopted.ident} --dry-run` lists them"


def _destroyed(adopted: Snapshot | None) -> Iterator[str]:
    """Return a sentence about branches, tags, stashes and many files that a command removed."""
    if adopted is None or adopted.left is None:
        return
    gone = [(path, entry.kind) for path, entry in adopted.before.items() if adopted.left[path].kind is Lies.ABSENT]
    files = sum(kind is Lies.FILE for _, kind in gone)
    found = (
        (sum(kind is Lies.REF and "/refs/heads/" in path for path, kind in gone), "branch", "branches"),
        (sum(kind is Lies.REF and "/refs/tags/" in path for path, kind in gone), "tag", "tags"),
        (sum(kind is Lies.REFLOG and path.endswith("/logs/refs/stash") for path, kind in gone), "stash", "stashes"),
        (files if files >= MANY_FILES else 0, "file", "files"),
    )
    if said := ", ".join(counting.counted(*one) for one in found if one[0]):
        yield f"this call removed {said}; `remit undo --call {adopted.ident}` restores it"


def _start(scope: Scope) -> str:
    """Return the path below which everything in a scope is; empty if that is unknown, or is the whole machine."""
    return fixed_start(scope).rstrip("/") if isinstance(scope, PathScope) and scope.anchor == ROOT else ""


def governing(request: Request, root: Path) -> frozenset[str]:
    """Return the sensitive files under a pattern that govern the workspace itself."""
    if not isinstance(request.scope, PathScope):
        return frozenset()
    here = file_scope(str(root)).parts
    own = [PathScope(ROOT, (*here, *place.parts[1:])) for place in places().rows if place.parts[:1] == (DEEP,)]
    found = sensitive_files("file.write", request.scope)
    return frozenset(path for path in found if any(covers(place, file_scope(path)) for place in own))


def _spared(live: SessionState, request: Request, acting: Iterable[str]) -> SparedPattern:
    denied = denied_inside(live.policy, [name for name in acting if name != TASK], request)
    protected = tuple(
        path
        for entry in live.policy.protected
        if entry.effect is Decision.DENY and entry.capability == "file.write"
        for scope in entry.scopes
        if overlaps(request.scope, scope) and (path := _start(scope))
    )
    known = _items(_held(request, live.workspace.root, denied, protected))
    return SparedPattern(request, denied, tuple(dict.fromkeys(protected)), known)


def _held(request: Request, root: Path, denied: Iterable[PathEntry], protected: Iterable[str]) -> Iterator[str]:
    """Return the files under a pattern that its call must not make or change."""
    yield from governing(request, root)
    yield from files_inside(request, denied)
    for path in protected:
        yield path
        yield from (inner for inner, _ in files_under(folder_scope(path)))


def _items(paths: Iterable[str]) -> dict[str, Item | None]:
    """Return what is at each of these paths that is not a folder; None for what cannot be read."""
    found: dict[str, Item | None] = {}
    for path in dict.fromkeys(paths):
        try:
            item = item_at(path)
        except FileNotFoundError:
            continue
        except OSError:
            found[path] = None
            continue
        if item.kind != "folder":
            found[path] = item
    return found


def _changes(one: SparedPattern, root: Path) -> Iterator[tuple[str, str]]:
    """Return the changed paths, with what happened to each."""
    now = _items(_held(one.request, root, one.denied, one.protected))
    repository = f"{root}/.git/"
    for path in sorted(one.known.keys() | now.keys()):
        if path not in now:
            yield path, "removed"
        elif path in one.known:
            if _without_times(one.known[path]) != _without_times(now[path]):
                yield path, "changed"
        elif not path.startswith(repository) or any(old.startswith(repository) for old in one.known):
            yield path, "made"  # and not with the repository itself, which has settings of its own


def _without_times(item: Item | None) -> tuple[object, ...]:
    return () if item is None else item[:3]


def _turn(decided: Decided, drafted: CallRequests, *, reversible: bool) -> Turn[bool]:
    """Return the turn of a call: the decisions on its own effects and its scripts'. That it passed is the answer."""
    own: dict[Standing, bool] = {}
    scripted: dict[Standing, bool] = {}
    for one in decided.judged:
        line = Standing.OUTSIDE if isinstance(one.judgement, Deny) else one.judgement.standing
        if line is Standing.REVERSIBLE and not reversible:
            line = Standing.IRREVERSIBLE
        (scripted if one.request in drafted.scripted else own)[line] = True
    lasting = any(Standing.IRREVERSIBLE in found for found in (own, scripted)) or any(
        vocabulary()[one.request.capability].change is Change.IRREVERSIBLE
        for one in decided.judged
        if one.request.capability not in RUNS
    )
    return Turn(own, scripted, lasting, answer=True, before=False, undo=False, works=True)


def _level(live: SessionState, principal: str) -> Verification:
    loaded = live.policy.skill(principal)
    return loaded.level if loaded else Verification.FORMAL


def _alarm(live: SessionState, reason: str) -> Entry:
    return Entry(
        kind=RecordKind.EFFECT, host=live.host, session=live.name, op=ALARM, reason=reason, outcome=Outcome.UNKNOWN
    )
