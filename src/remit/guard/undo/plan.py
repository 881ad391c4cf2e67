"""The plan of a restore, as a pure function of three trees: before the call, after it, and now.

A path is changed only if it is still as the call left it: anything else is later work. If a call names only a folder or
a pattern, others may have changed something in it meanwhile: what is gone comes back, what is there stays, and
repositories are not touched, not even with `force`. If the writes of a call were observed, what it removed or replaced
in a repository comes back too (`repository.py`); what it added there stays. Steps are in an order in which each can be
done, and repeating them after a crash does no harm.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable
from typing import NamedTuple

from remit.guard.undo.snapshot import NOTHING, Entry, PathKind, SkippedPath, Tree, names_repository

CHANGED = "it was changed after the call"
UNKNOWN = "the state after the call is unknown: its end was not reported"
SHARED = "the call does not name it: another process may have changed it while the call ran (--force puts it back)"
HELD = "it holds files that something else made"
ADDED = "the call added it to a repository: use the version control system itself"
REPOSITORY = "it belongs to a repository, which `remit undo` does not restore: use the version control system"
PARENT = "the folder above it is not restored"


class Plan(NamedTuple):
    """`remove` deepest first, `make` (an entry with its path) outermost first, then `finish`: modes and times."""

    remove: tuple[str, ...] = ()
    make: tuple[tuple[str, Entry], ...] = ()
    finish: tuple[tuple[str, Entry], ...] = ()
    refused: tuple[SkippedPath, ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        """Everything that changes."""
        return tuple(sorted({*self.remove, *(path for path, _ in (*self.make, *self.finish))}))


def plan(
    before: Tree,
    left: Tree | None,
    now: Tree,
    *,
    exact: bool = False,
    ours: Iterable[str] = (),
    named: Iterable[str] | None = None,
    force: bool = False,
) -> Plan:
    """Return how to get from `now` to `before`. `ours` are paths at which a restore was interrupted.

    `named` are the paths that the call is known to have changed (None: all). With `exact`, each path was observed to
    change.
    """
    half = frozenset(ours)
    sure = None if force or named is None else half.union(named)
    refused: dict[str, str] = {}
    wanted: list[str] = []
    for path in sorted({*before, *now}):
        old, found = before.get(path, NOTHING), now.get(path, NOTHING)
        if found.same(old):
            continue
        if found.kind is PathKind.REPOSITORY or (not exact and _is_in_repository(path, before, now)):
            refused[path] = REPOSITORY
            continue
        if old.kind is PathKind.ABSENT and names_repository(path):
            refused[path] = ADDED
            continue
        if old.kind is PathKind.OTHER:
            refused[path] = old.target
            continue
        if found.kind is not PathKind.ABSENT and sure is not None and path not in sure:
            refused[path] = SHARED
            continue
        if not force and not (path in half and _is_halfway(old, found)):
            if left is None:
                refused[path] = UNKNOWN
                continue
            if not found.same(left.get(path, NOTHING)):
                refused[path] = CHANGED
                continue
        wanted.append(path)
    _refuse_held(wanted, before, now, refused)
    _refuse_below(wanted, before, now, refused)
    steps = [path for path in wanted if path not in refused]
    remove = [path for path in steps if path in now and _must_go(before.get(path, NOTHING), now[path])]
    make = [
        (path, before[path]) for path in steps if path in before and _must_come(before[path], now.get(path, NOTHING))
    ]
    touched = set(steps)
    finish = [
        (path, entry)
        for path, entry in before.items()
        if path not in refused
        and (sure is None or path in sure or path in touched)
        and _finishes(path, entry, left, now, touched, force=force or path in half)
    ]
    return Plan(
        tuple(sorted(remove, key=_deepest)),
        tuple(sorted(make, key=lambda item: (item[1].kind is not PathKind.OBJECTS, item[0].count("/")))),
        tuple(sorted(finish, key=lambda item: _deepest(item[0]))),
        tuple(SkippedPath(path, reason) for path, reason in sorted(refused.items())),
    )


def _is_in_repository(path: str, *trees: Tree) -> bool:
    """Whether a path is in a repository, by name or because a folder above it is one."""
    if names_repository(path):
        return True
    while path != "/":
        if any(tree.get(path, NOTHING).kind is PathKind.REPOSITORY for tree in trees):
            return True
        path = posixpath.dirname(path)
    return False


def _deepest(path: str) -> tuple[int, str]:
    return -path.count("/"), path


def _must_go(old: Entry, found: Entry) -> bool:
    if found.kind is PathKind.ABSENT:
        return False
    return old.kind is not found.kind or old.kind is PathKind.LINK


def _must_come(old: Entry, found: Entry) -> bool:
    if old.kind is PathKind.FILE:  # if only the mode differs, the content is not written again
        return (old.kind, old.digest) != (found.kind, found.digest)
    return old.kind is not PathKind.ABSENT


def _is_halfway(old: Entry, found: Entry) -> bool:
    """Whether an interrupted restore can have left this: nothing, no mode yet, or a file half written in place."""
    if found.kind is PathKind.ABSENT:
        return True
    return found._replace(mode=old.mode).same(old) or (
        found.kind is old.kind is PathKind.FILE and found.inode == old.inode
    )


def _refuse_held(wanted: list[str], before: Tree, now: Tree, refused: dict[str, str]) -> None:
    """Keep a folder while something in it stays."""
    for path in sorted(wanted, key=_deepest):
        if now.get(path, NOTHING).kind is PathKind.FOLDER and before.get(path, NOTHING).kind is not PathKind.FOLDER:
            stays = (other for other in now if posixpath.dirname(other) == path and other in refused)
            if any(stays):
                refused[path] = HELD


def _refuse_below(wanted: list[str], before: Tree, now: Tree, refused: dict[str, str]) -> None:
    """Make nothing below a path that should be a folder and is not."""
    for path in sorted(wanted):
        above = posixpath.dirname(path)
        blocked = above in refused and now.get(above, NOTHING).kind is not PathKind.FOLDER
        if blocked and before.get(path, NOTHING).kind is not PathKind.ABSENT:
            refused[path] = PARENT


def _finishes(path: str, entry: Entry, left: Tree | None, now: Tree, touched: set[str], *, force: bool) -> bool:
    """Whether mode and time are set: for restored entries, and for those of which only the time changed since the call."""
    if entry.kind is PathKind.ABSENT or (entry.kind is not PathKind.FOLDER and names_repository(path)):
        return False
    if path in touched:
        return True
    found = now.get(path, NOTHING)
    since = left.get(path, NOTHING) if left is not None else None
    holds = entry.kind is PathKind.FOLDER and any(posixpath.dirname(one) == path for one in touched)
    return (found.mtime != entry.mtime or holds) and (force or (since is not None and since.mtime == found.mtime))
