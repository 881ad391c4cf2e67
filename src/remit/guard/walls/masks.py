"""Places that are covered inside walls: secrets, sockets of services, and files in the workspace that must not be changed.

Names are looked for in the workspace, in the home, and in other folders that are no system's.
"""

from __future__ import annotations

import os
import re
import stat
import threading
import time
from collections.abc import Iterable, Iterator
from enum import StrEnum
from fnmatch import fnmatchcase
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from remit.capsule.confinement import sensitive_in
from remit.capsule.contract_places import Ground, lies_in
from remit.capsule.manifest_grants import Use, grants_class
from remit.capsule.masks import may_be_sensitive
from remit.core.scope import DEEP, PathScope, covers
from remit.core.scope.component import literal
from remit.core.sensitive import places, sensitive
from remit.guard.protected_files import HOST_SETTINGS
from remit.guard.walls.contract import KEPT_IN_GIT, Wall, git_folders, names, rows

MOST = 5_000  # files and folders of one folder that are looked at; one with more is hidden, unless tools live in it
_FRESH = 30.0  # seconds for which a folder besides the workspace counts as looked through
_SOCKETS = "/proc/net/unix"
_KEY = re.compile(r"\s*(?:export\s+)?[\"']?([\w./:@-]+)[\"']?\s*[=:]")
_CREDENTIAL = re.compile(r"auth|token|passw|secret|key|cert|credential|user", re.IGNORECASE)
_WITH_PASSWORD = re.compile(r"://[^/\s]*@")
_VALUE = "masked-by-remit"


class MaskMethod(StrEnum):
    """How a place is covered, in the terms of the program that does it."""

    EMPTY = "empty"
    COPY = "copy"  # the same file with masked values
    FIXED = "fixed"  # it can be read
    NO_LINKS = "nolinks"  # no link in it is followed
    PIN = "pin"  # it can be changed, but not moved away with what is covered in it


class Cover(NamedTuple):
    """A place that is covered."""

    path: str
    how: MaskMethod


class CoveredPlaces(NamedTuple):
    """The covered places, and the folders that are too large to search and therefore hidden."""

    covers: tuple[Cover, ...]
    hidden: tuple[str, ...]


class _Searched(NamedTuple):
    """What was found in a folder, and when it was searched; None if it is too large for that."""

    at: float
    covers: dict[str, Cover] | None


class Masks:
    """Looks for places to cover, and remembers folders.

    The workspace and what a skill may write are looked through before every command. Other folders are looked through once,
    and again beside the commands when a while has passed: a large home must not keep a command waiting.
    """

    def __init__(self) -> None:
        self._folders: dict[str, tuple[int, tuple[tuple[str, bool], ...]]] = {}
        self._searched: dict[tuple[str, str], _Searched] = {}
        self._again = threading.Lock()

    def of(self, wall: Wall) -> CoveredPlaces:
        """Return what is covered in the walls now."""
        found: dict[str, Cover] = {}
        hidden: list[str] = []
        site = wall.site
        for path in (*sensitive_in(("/",)), *_known_places(site.home)):
            _add(found, wall, path, folder=os.path.isdir(path), writable=False)
        for path, how in _denied_places(wall):
            found[path] = Cover(path, how)
        for root, some in self._looked_through(wall):
            found |= some or {}
            if some is None and not _of_tools(root, site.home):
                hidden.append(root)
        for path in _settings_folders(wall):
            found.setdefault(path, Cover(path, MaskMethod.FIXED))
        found |= {one.path: one for one in (*_of_git(site.workspace), *_sockets(wall), *_linkless(wall))}
        return CoveredPlaces(tuple(_pinned(found.values(), wall)), tuple(hidden))

    def _looked_through(self, wall: Wall) -> Iterator[tuple[str, dict[str, Cover] | None]]:
        """Each folder in which secrets are looked for, with what is covered in it; None if it is too large."""
        name, now, old = wall.name, time.monotonic(), []
        for root in _roots(wall):
            writable = root == wall.site.workspace or root in wall.writable
            known = None if writable else self._searched.get((name, root))
            if known is None:
                known = _Searched(now, self._search(wall, root, writable=writable))
                self._searched[name, root] = known
            elif now - known.at > _FRESH and known.covers is not None:
                old.append(root)
            yield root, known.covers
        if old and self._again.acquire(blocking=False):
            threading.Thread(target=self._search_again, args=(wall, old), daemon=True).start()

    def _search_again(self, wall: Wall, roots: list[str]) -> None:
        try:
            for root in roots:
                covers = self._search(wall, root, writable=False)
                self._searched[wall.name, root] = _Searched(time.monotonic(), covers)
        finally:
            self._again.release()

    def _search(self, wall: Wall, root: str, *, writable: bool) -> dict[str, Cover] | None:
        """Return what is covered in a folder; None if it is too large to search."""
        found: dict[str, Cover] = {}
        left = MOST
        skipped = frozenset(names("not searched"))
        todo = [(root, any(map(may_be_sensitive, root.split("/"))))]
        while todo:
            folder, suspicious = todo.pop()
            for name, inner in self._listed(folder):
                left -= 1
                path = f"{folder}/{name}"
                odd = suspicious or may_be_sensitive(name)
                if (odd and _add(found, wall, path, folder=inner, writable=writable)) or not inner:
                    continue
                if name not in skipped or (writable and name == ".git"):
                    todo.append((path, odd))
            if left < 0 and not writable:
                return None
        return found

    def _listed(self, folder: str) -> tuple[tuple[str, bool], ...]:
        """The names in a folder that are folders or may be sensitive; read again only where it changed."""
        try:
            changed = os.stat(folder).st_mtime_ns
            known = self._folders.get(folder)
            if known is not None and known[0] == changed:
                return known[1]
            with os.scandir(folder) as entries:
                found = tuple((one.name, one.is_dir(follow_symlinks=False)) for one in entries)
        except OSError:
            return ()
        self._folders[folder] = changed, found
        return found


def _of_git(workspace: str) -> Iterator[Cover]:
    """Return the parts of a repository that must not be changed or seen, besides what a search finds."""
    elsewhere = git_folders(workspace)
    trees = (f"worktrees/*/{name}" for name in ("commondir", "gitdir", "config.worktree"))
    for name in ("hooks", "config", "config.worktree", *trees):
        yield from (Cover(str(path), MaskMethod.FIXED) for folder in elsewhere for path in Path(folder).glob(name))
    for folder in (f"{workspace}/.git", *elsewhere):
        if os.path.isdir(kept := f"{folder}/{KEPT_IN_GIT}"):
            yield Cover(kept, MaskMethod.EMPTY)


def _linkless(wall: Wall) -> Iterator[Cover]:
    """Where no link is followed beside a login of the user: the one program that sees it would read what a link leads to."""
    if wall.login is not None:
        for path in (wall.site.workspace, *git_folders(wall.site.workspace), *wall.site.temps):
            yield Cover(path, MaskMethod.NO_LINKS)


def _settings_folders(wall: Wall) -> Iterator[str]:
    """Folders of the workspace in which an agent would find settings that are not there yet: nothing is made in them."""
    for name in HOST_SETTINGS:
        path = f"{wall.site.workspace}/{name}"
        folder = os.path.dirname(path)
        if os.path.isdir(folder) and not os.path.lexists(path) and _judged(wall, path, folder=False, writable=True):
            yield os.path.realpath(folder)


def _roots(wall: Wall) -> Iterator[str]:
    """The folders in which secrets are looked for, each apart from the others: a large one does not hide a small one."""
    site = wall.site
    yield site.workspace
    yield from (one for one in wall.writable if os.path.isdir(one) and one not in site.temps)
    tools = frozenset(names("private copies")) - {".config"}
    special = {*names("system"), "/proc", "/dev", "/run", "/lost+found", *site.temps}
    tops = [top for top in _inside("/") if top not in special]
    if not any(lies_in(site.home, top) for top in tops):
        tops.append(site.home)
    for top in tops:
        if os.path.isdir(top):
            for root in _apart(top, (site.home, site.workspace, *site.temps, *wall.writable)):
                if os.path.basename(root) not in tools or os.path.dirname(root) != site.home:
                    yield root


def _of_tools(folder: str, home: str) -> bool:
    """Whether programs keep their own things in a folder of the home: it is shown however large it is."""
    return os.path.dirname(folder) == home and os.path.basename(folder).startswith(".")


def _known_places(home: str) -> Iterator[str]:
    """Sensitive places that are one path below the home, as far as they exist."""
    for place in places().rows:
        parts = [literal(part) for part in place.parts if part != DEEP]
        if place.parts[:1] == (DEEP,) and None not in parts and place.means[0]:
            path = "/".join((home, *filter(None, parts)))
            if os.path.lexists(path):
                yield path


def _apart(folder: str, kept: tuple[str, ...]) -> Iterator[str]:
    """A folder, or where others lie in it that are looked at by themselves, what else lies in it."""
    if folder in kept[1:]:
        return
    if not any(lies_in(one, folder) for one in kept):
        yield folder
        return
    for inner in _inside(folder):
        yield from _apart(inner, kept)


def _inside(folder: str) -> list[str]:
    try:
        with os.scandir(folder) as entries:
            return sorted(one.path for one in entries if not one.is_symlink())
    except OSError:
        return []


def _denied_places(wall: Wall) -> Iterator[tuple[str, MaskMethod]]:
    """Files and folders that an entry denies by their own path."""
    for wish in wall.grants.denials:
        if wish.use is Use.PLACE and isinstance(wish.scope, PathScope):
            base, rest = wall.ground.base_of(wish.scope)
            if (
                rest in ((), (DEEP,))
                and base.count("/") > 1
                and os.path.exists(base)
                and not lies_in(wall.site.workspace, base)
            ):
                reads = wish.capability in ("file.read", "source.read", "secret.read")
                yield os.path.realpath(base), MaskMethod.EMPTY if reads else MaskMethod.FIXED


def _add(found: dict[str, Cover], wall: Wall, path: str, *, folder: bool, writable: bool) -> bool:
    """Cover a path if it must be; whether it is."""
    how = _judged(wall, path, folder=folder, writable=writable)
    if how is None:
        return False
    real = os.path.realpath(path)
    if os.path.exists(real):
        found[real] = Cover(real, how)
    return True


def _judged(wall: Wall, path: str, *, folder: bool, writable: bool) -> MaskMethod | None:
    grants = wall.grants
    reads, writes = _classes(path, folder=folder)
    hidden = [one for one in grants.denials if one.use is Use.PLACE and one.capability in ("file.read", "source.read")]
    if not (reads or writes or hidden):
        return None
    scopes = wall.ground.names_of(path)
    if folder:
        scopes = tuple(one._replace(parts=(*one.parts, DEEP)) for one in scopes)
    if any(covers(wish.scope, one) for wish in hidden for one in scopes):
        return MaskMethod.EMPTY
    if any(grants_class(grants.denials, one, scopes) for one in reads if one != "secret.read"):  # denied by its class
        return MaskMethod.EMPTY
    if "secret.read" in reads and not grants_class(grants.wishes, "secret.read", scopes):
        masked = not folder and any(fnmatchcase(os.path.basename(path), name) for name in names("masked values"))
        return MaskMethod.COPY if masked else MaskMethod.EMPTY
    if writable and not all(grants_class(grants.wishes, one, scopes) for one in writes):
        return MaskMethod.FIXED
    return None


@lru_cache(maxsize=1 << 16)
def _classes(path: str, *, folder: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the further capabilities of reading and writing a path. Called for many paths before each command."""
    (scope, *_) = Ground("", "").names_of(path)
    if folder:
        scope = scope._replace(parts=(*scope.parts, DEEP))
    return sensitive("file.read", scope), sensitive("file.write", scope)


def _pinned(covered: Iterable[Cover], wall: Wall) -> Iterator[Cover]:
    """All of them, outer ones first; folders between the workspace and what is fixed in it cannot be moved away."""
    found = {one.path: one for one in covered}
    for one in tuple(found.values()):
        above = os.path.dirname(one.path)
        while one.how is MaskMethod.FIXED and lies_in(above, wall.site.workspace) and above != wall.site.workspace:
            found.setdefault(above, Cover(above, MaskMethod.PIN))
            above = os.path.dirname(above)
    for path in sorted(found, key=lambda one: (one.count("/"), one)):
        yield found[path]


def _sockets(wall: Wall) -> Iterator[Cover]:
    """Sockets of services that listen somewhere on the disk."""
    shown = wall.login.sockets if wall.login is not None else ()
    try:
        with open(_SOCKETS, encoding="utf-8", errors="surrogateescape") as file:
            lines = file.read().splitlines()[1:]
    except OSError:
        return
    for line in lines:
        path = "".join(line.split(None, 7)[7:])
        if path.startswith("/") and not path.startswith(("/run/", "/var/run/")):
            real = os.path.realpath(path)
            try:
                if stat.S_ISSOCK(os.stat(real).st_mode) and real not in shown:
                    yield Cover(real, MaskMethod.EMPTY)
            except OSError:
                continue


def masked_copy(path: str) -> bytes:
    """A file of settings with its values masked; lines that are no settings are left out, because they may be parts of values."""
    kind = next((why for name, why in rows("masked values") if fnmatchcase(os.path.basename(path), name)), "all")
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read(1 << 20).splitlines()
    except OSError:
        return b""
    out = []
    for line in lines:
        key = _KEY.match(line)
        if key is None:
            out.append("" if kind == "all" or _CREDENTIAL.search(line) else line)
        elif kind == "all" or _CREDENTIAL.search(key[1]) or _WITH_PASSWORD.search(line):
            out.append(f"{key[0]}{_VALUE}")
        else:
            out.append(line)
    return ("\n".join(out) + "\n").encode()
