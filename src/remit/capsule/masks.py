"""Sensitive paths inside granted folders that are not granted as such: credentials, hooks, start-up files, denied paths.

The folders are walked before the command starts, to hide these paths or make them read-only; and again afterwards,
because no mount can forbid a name that does not exist yet: such new files are reported.
"""

from __future__ import annotations

import os
import re
import stat
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from remit.capsule.contract import Access, BoundPath, Hiding, Mask
from remit.capsule.contract_places import Ground, lies_in
from remit.capsule.manifest_grants import Granted, Use, grants_class
from remit.core.errors import CapsuleError
from remit.core.scope import DEEP, PathScope, covers, overlaps
from remit.core.scope.component import escape, literal
from remit.core.sensitive import fold, places, sensitive

if TYPE_CHECKING:
    from remit.policy.permit import Permit

MOST = 200_000  # files and folders that are looked at
_REMEMBERED = 65_536  # names
SPECIAL = "a socket, pipe or device, which no entry grants"


class HiddenPath(NamedTuple):
    """A hidden path, and the state in which it was found."""

    mask: Mask
    stamp: tuple[int, ...]  # device, inode, size and time of change

    def is_still(self, later: HiddenPath) -> bool:
        """Return whether it was not replaced. A hidden folder's content cannot change, but it can be moved away."""
        own, other = self.stamp, later.stamp
        return own[:2] == other[:2] if later.mask.folder and self.mask.folder else own == other


class Masker:
    """Decides about paths for one contract."""

    def __init__(self, granted: Granted, ground: Ground) -> None:
        self._granted = granted
        self._ground = ground

    def judge(self, path: str, access: Access, *, folder: bool) -> tuple[Hiding, str] | None:
        """Return how and why a path inside a place is hidden, or None. A folder stands for everything in it."""
        names = self._ground.names_of(path)
        if folder:
            names = tuple(name._replace(parts=(*name.parts, DEEP)) for name in names)
        denied = self._denied(names, access)
        if denied:
            return denied
        wishes = self._granted.wishes
        for action, how in (("file.read", Hiding.HIDDEN), ("file.write", Hiding.READ_ONLY)):
            if how is Hiding.READ_ONLY and not access.changes:
                break
            missing = [word for word in sensitive(action, names[0]) if not grants_class(wishes, word, names)]
            if missing:
                return how, f"{missing[0]} is not granted"
        return None

    def _denied(self, names: tuple[PathScope, ...], access: Access) -> tuple[Hiding, str] | None:
        found = None
        for wish in self._granted.denials:
            if wish.use is Use.PLACE and any(covers(wish.scope, name) for name in names):
                if wish.access is Access.READ and wish.capability in ("file.read", "source.read"):
                    return Hiding.HIDDEN, f"denied: {wish.why}"
                if access.changes and wish.capability.startswith(("file.", "source.")):
                    found = Hiding.READ_ONLY, f"denied: {wish.why}"
        return found

    def needs_every_name(self, folder: str) -> bool:
        """Return whether a denial reaches into a folder, so that each path in it must be judged."""
        names = [name._replace(parts=(*name.parts, DEEP)) for name in self._ground.names_of(folder)]
        denials = [wish for wish in self._granted.denials if wish.use is Use.PLACE]
        return any(overlaps(wish.scope, name) for wish in denials for name in names)


def kept_back(permit: Permit, bound: tuple[BoundPath, ...], masker: Masker) -> dict[str, HiddenPath]:
    """Return the hidden paths in the places."""
    found: dict[str, HiddenPath] = {}
    left = MOST
    for place in bound:
        if not place.missing:
            left = _search(permit, place, masker, found, left)
    return {path: kept for path, kept in found.items() if any(lies_in(path, place.path) for place in bound)}


def _search(permit: Permit, place: BoundPath, masker: Masker, found: dict[str, HiddenPath], left: int) -> int:
    """Search one place without entering hidden folders. Return how many more paths may be visited."""
    every = masker.needs_every_name(place.path)
    todo = [(place.path, place.folder, any(map(may_be_sensitive, place.path.split("/"))), False)]
    while todo:
        path, folder, suspicious, special = todo.pop()
        left -= 1
        if left < 0:
            raise CapsuleError(
                f"`{place.path}` holds more than {MOST} files, so that sensitive ones cannot be looked for",
                "grant a narrower folder",
            )
        judged = masker.judge(path, place.access, folder=folder) if suspicious or every else None
        judged = (Hiding.HIDDEN, SPECIAL) if special else judged
        if judged:
            _keep(permit, found, path, judged)
            continue
        if folder:
            todo += _inside(permit, path, suspicious=suspicious)
    return left


def _inside(permit: Permit, path: str, *, suspicious: bool) -> list[tuple[str, bool, bool, bool]]:  # noqa: ARG001  (who acts holds one)
    """Return the entries of a folder: path, whether it is a folder, may be sensitive, and is special."""
    try:
        with os.scandir(path) as entries:
            return [
                (entry.path, folder, suspicious or may_be_sensitive(entry.name), special)
                for entry in entries
                for folder, special in (_kind(entry),)
            ]
    except OSError:
        return []  # the command cannot read it either: it belongs to the same user


def _kind(entry: os.DirEntry[str]) -> tuple[bool, bool]:
    """Return whether an entry is a folder, and whether it is special: a socket, for instance, leads to a server."""
    if entry.is_file(follow_symlinks=False):
        return False, False
    folder = entry.is_dir(follow_symlinks=False)
    return folder, not folder and not entry.is_symlink()


def _keep(permit: Permit, found: dict[str, HiddenPath], path: str, judged: tuple[Hiding, str]) -> None:  # noqa: ARG001
    """Record a path; for a link its target, because a link itself cannot be covered."""
    real = os.path.realpath(path)
    try:
        state = os.stat(real)
    except OSError:
        return  # a link that leads nowhere
    stamp = (state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns)
    found[real] = HiddenPath(Mask(real, judged[0], stat.S_ISDIR(state.st_mode), judged[1]), stamp)


@lru_cache(maxsize=_REMEMBERED)
def may_be_sensitive(name: str) -> bool:
    """Return whether a path with this component may be sensitive. Called for each name before and after a command."""
    plain, pattern = _names()
    folded = fold(escape(name))
    return folded in plain or pattern.fullmatch(folded) is not None


@cache
def _names() -> tuple[frozenset[str], re.Pattern[str]]:
    """Return a component of each sensitive place, as names and a pattern: no sensitive path is without one."""
    plain: set[str] = set()
    patterns: set[str] = set()
    for place in places().rows:
        parts = [part for part in place.parts if part != DEEP]
        word = next((part for part in parts if literal(part) is not None), None)
        if word is not None:
            plain.add(literal(word) or word)
        else:
            patterns.add(re.escape(parts[-1]).replace(r"\*", ".*").replace(r"\?", "."))
    return frozenset(plain), re.compile("|".join(sorted(patterns)) or r"(?!)", re.DOTALL)
