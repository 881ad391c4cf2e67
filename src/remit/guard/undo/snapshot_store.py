"""Store of snapshots: contents by digest, one record per snapshot, and a journal of the restore under way.

kept = store.take(ident, session, call, paths)      before an admitted call; NotKept: the call is not reversible
store.seal(ident)                                   after it: the state that it left
store.adopt(ident, session, call, folder)           instead of both, after a call whose writes were observed (guard/walls/observe.h)
store.restore(ident)                                undoes what the call changed; leaves later changes, and repositories
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import hashlib
import json
import os
import re
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import GuardError, RemitError
from remit.guard.undo import disk
from remit.guard.undo.plan import Plan, plan
from remit.guard.undo.repository import Written, as_git_sees, clear, put_back, seen_now
from remit.guard.undo.snapshot import (
    NOTHING,
    OF_GIT,
    Entry,
    Limits,
    NotKept,
    PathKind,
    SkippedPath,
    Snapshot,
    Tree,
    add_line,
    decoded,
    encoded,
    in_git,
    names_repository,
    tree,
)

_IDENT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
LINKS = "links"  # in the folder of a call's old state: second names of git objects
_WROTE = "wrote"  # a record of what git wrote
ADOPTED = "adopted"  # in the folder of a call's old state: what was adopted of it while a process of the call went on
_MOST_OBSERVED = 40_000  # paths of one call
_SETTLED = 50_000_000  # nanoseconds after which a change is certain to show in the times of a file


class Restored(NamedTuple):
    """What was restored, and what was not."""

    done: tuple[str, ...]
    refused: tuple[SkippedPath, ...]


class Store:
    """Snapshots in one folder, which only its owner can use."""

    def __init__(self, folder: Path, limits: Limits = Limits()) -> None:  # noqa: B008  (a frozen value)
        self._folder, self._limits = folder, limits
        self._own = os.path.realpath(folder)
        self._cache: dict[tuple[str, int, int, int, int], str] = {}
        for part in ("", "objects", "records", "journal", "repositories"):
            (folder / part).mkdir(mode=0o700, parents=True, exist_ok=True)

    def take(
        self, ident: str, session: str, call: str, paths: Iterable[str], named: Iterable[str] | None = None
    ) -> Snapshot | NotKept:
        """Keep the old state of these paths and all below. `named` are those that are no patterns, if it matters."""
        if not _IDENT.fullmatch(ident) or os.path.lexists(self._record(ident)):
            raise GuardError(f"`{ident}` cannot name a snapshot, or does already", "use another name")
        roots = _outermost(disk.topmost_missing(disk.real(path)) for path in paths)
        if any(_holds(self._own, root) for root in roots):
            return NotKept("the call may change the snapshots themselves")
        try:
            before = self._look(roots, strict=True)
            if any(names_repository(root) or before[root].kind is PathKind.REPOSITORY for root in roots):
                return NotKept("it belongs to a repository, which `remit undo` does not restore")
            alone = None if named is None else tuple(_on_the_way(roots, map(disk.real, named)))
            snapshot = Snapshot(ident, session, call, time.time_ns(), roots, before, named=alone)
            add_line(self._record(ident), encoded(snapshot), os.O_EXCL)
        except disk.TooMuchError as error:
            return NotKept(str(error))
        except OSError as error:
            return NotKept(f"the old state cannot be kept: {(error.strerror or str(error)).lower()}")
        return snapshot

    def seal(self, ident: str) -> Snapshot:
        """Record the state that the call left."""
        snapshot = self.get(ident)
        try:
            left = self._look(snapshot.roots, strict=False)
        except disk.TooMuchError:
            return snapshot  # too much to compare with: nothing is restored without force
        add_line(self._record(ident), {"left": tree(left)})
        return snapshot._replace(left=left)

    def adopt(self, ident: str, session: str, call: str, folder: Path, *, patience: float) -> Snapshot | None:
        """Keep the old state of what a call changed, as observed; None if it changed nothing, or was not observed.

        A process may outlive its call: the folder is adopted again then, and has a note (`ADOPTED`) until it has ended. Who changed
        since the call what it left or opened is not known: of that comes back what is gone.
        """
        note = folder / ADOPTED
        later = note.exists()
        done, session, call = json.loads(note.read_bytes()) if later else (0, session, call)
        goes_on, records = _goes_on(folder, patience), _records(folder)
        if goes_on:
            _write(str(note), [len(records), session, call])
        else:
            note.unlink(missing_ok=True)
        before: Tree = {}
        wrote: dict[str, Written] = {}
        for path, kind, mode, mtime, inode, what in records[done:]:
            if kind == _WROTE:
                wrote[path] = Written("" if inode == "0:0" else inode, what)
            if kind == _WROTE or (
                path in before and before[path].kind is PathKind.OBJECTS
            ):  # that folder comes with them
                continue
            digest = self._take_over(folder / what) if kind == PathKind.FILE else ""
            target = "" if kind == PathKind.FILE else what
            if kind == PathKind.OBJECTS:
                target = _take_links(folder / LINKS / what, f"{self._folder}/repositories/{ident}-{what}")
            before[path] = Entry(PathKind(kind), int(mode, 8), int(mtime), digest, target, inode)
        git_left = as_git_sees(before, wrote, self._content)
        kept = changed = Snapshot(ident, session, call, time.time_ns(), tuple(before), before, exact=True)
        try:
            left = _only(kept.roots, self._now(kept)) | git_left
            same = {path for path, entry in before.items() if left.get(path, NOTHING).same(entry)}
            same |= {path for path in before if left[path].kind is PathKind.REPOSITORY}  # the folder is still there
            other = {path: entry for path, entry in before.items() if path not in same}
            changed = kept._replace(roots=tuple(other), before=other, left=left)
            unsure = {path: NOTHING for path in before if (later or path in same) and path not in git_left}
            kept = (kept if goes_on else changed)._replace(left=left | unsure)
        except disk.TooMuchError:
            pass  # too much to compare with: nothing is restored without force
        _remove_links(entry for path, entry in before.items() if path not in kept.before)
        if kept.before:
            add_line(self._record(ident), encoded(kept), os.O_EXCL)
        return changed if changed.before else None

    def _content(self, entry: Entry) -> bytes:
        """Return the kept content of a file; OSError if it is damaged."""
        with open(self._object(entry.digest), "rb") as file:
            data = file.read()
        if hashlib.sha256(data).hexdigest() != entry.digest:
            raise OSError(errno.EIO, "its stored copy is damaged")
        return data

    def _take_over(self, path: Path) -> str:
        """Move a content that was kept elsewhere into the store; return its digest."""
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            digest = disk.hashed(fd, self._limits.file_bytes)
        finally:
            os.close(fd)
        with contextlib.suppress(FileExistsError):
            os.link(path, self._object(digest))
        return digest

    def get(self, ident: str) -> Snapshot:
        """Return a snapshot by its name."""
        if not _IDENT.fullmatch(ident):
            raise GuardError(f"`{ident}` names no snapshot", "`remit undo --list` shows all")
        try:
            with open(self._record(ident), "rb") as file:
                return decoded(file.read())
        except FileNotFoundError:
            raise GuardError(f"there is no snapshot `{ident}`", "`remit undo --list` shows all") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise GuardError(f"the snapshot `{ident}` cannot be read: {error}", "remove its record") from None

    def all(self, session: str | None = None) -> tuple[Snapshot, ...]:
        """Return the snapshots of a session (None: of all), the newest first."""
        names = [path.stem for path in (self._folder / "records").glob("*.json") if path.stat().st_size]
        found = [self.get(name) for name in names]  # an empty one is being made, or its content never reached the disk
        kept = [one for one in found if session is None or one.session == session]
        return tuple(sorted(kept, key=lambda one: (one.taken, one.ident), reverse=True))

    def plan(self, ident: str, *, force: bool = False) -> Plan:
        """Return what a restore would do now."""
        snapshot = self.get(ident)
        return _planned(snapshot, self._now(snapshot), self._interrupted(ident), force=force)

    def restore(self, ident: str, *, force: bool = False) -> Restored:
        """Undo what the call changed, and keep what that replaces. An interrupted restore continues where it stopped."""
        snapshot = self.get(ident)
        journal = self._folder / "journal" / f"{ident}.json"
        if journal.exists():
            self._clear_parts(snapshot)
        now = self._now(snapshot)
        todo = _planned(snapshot, now, self._interrupted(ident), force=force)
        redo = self._replaced(snapshot, todo, force=force)
        _write(str(journal), {"paths": sorted({*todo.paths, *self._interrupted(ident)})})
        failed: dict[str, str] = {}
        first = dict(_untouched(snapshot.before, todo))
        for number, path in enumerate(todo.remove):
            _try(failed, path, disk.remove, path, now[path], f".remit-undo-{ident}-r{number}")
        for number, (path, entry) in enumerate(todo.make):
            seen = now.get(path, NOTHING)
            if entry.kind in OF_GIT or (entry.kind is PathKind.FILE and in_git(path)):
                _try(failed, path, put_back, path, entry, seen, self._content, f".remit-undo-{ident}")
            elif path not in failed:
                seen = NOTHING if path in todo.remove else seen
                _try(failed, path, self._make, path, entry, first, f".remit-undo-{ident}-{number}", seen)
        for path, entry in todo.finish:
            if path not in failed:
                _try(failed, path, disk.finish, path, entry)
        if redo is not None:
            with contextlib.suppress(disk.TooMuchError):  # then it is reverted only with force
                add_line(self._record(redo.ident), {"left": tree(_only(redo.roots, self._now(redo)))})
        refused = (*todo.refused, *(SkippedPath(path, reason) for path, reason in failed.items()))
        if not refused:
            _write(self._record(ident), encoded(snapshot._replace(restored=True)))
        if not failed:
            journal.unlink()
        return Restored(tuple(path for path in todo.paths if path not in failed), refused)

    def _replaced(self, snapshot: Snapshot, todo: Plan, *, force: bool) -> Snapshot | None:
        """Keep what a restore replaces, so that it can be reverted; None if it replaces nothing."""
        name = f"{snapshot.ident[:100]}.{secrets.token_hex(4)}"
        redo = Snapshot(
            name, snapshot.session, snapshot.call, time.time_ns(), todo.paths, {}, exact=True, redoes=snapshot.ident
        )
        try:
            before = self._look_at({path: snapshot.before.get(path, NOTHING) for path in todo.paths}, strict=True)
            before = {
                path: entry for path, entry in before.items() if entry.kind not in (PathKind.REFLOG, PathKind.OBJECTS)
            }
            if all(entry.kind is PathKind.ABSENT for entry in before.values()):
                return None
            redo = redo._replace(roots=tuple(before), before=before)
            add_line(self._record(name), encoded(redo), os.O_EXCL)
        except (disk.TooMuchError, OSError) as error:
            if force:
                return None
            raise GuardError(
                f"what would be replaced cannot be kept: {error}", "`--force` replaces it all the same"
            ) from None
        return redo

    def unfinished(self) -> tuple[str, ...]:
        """Return the restores that were interrupted."""
        return tuple(sorted(path.stem for path in (self._folder / "journal").glob("*.json")))

    def forget(self, ident: str) -> None:
        """Delete a snapshot; its contents are deleted with the next collection."""
        with contextlib.suppress(RemitError):
            _remove_links(self.get(ident).before.values())
        with contextlib.suppress(FileNotFoundError):
            os.unlink(self._record(ident))

    def collect(self, *, older_than: int, max_bytes: int, settled: float = 0) -> tuple[str, ...]:
        """Delete snapshots taken before a time, then the oldest until the contents fit. Return their names."""
        gone: list[str] = []
        unfinished = self.unfinished()
        every = [one for one in reversed(self.all()) if one.ident not in unfinished]
        uses = Counter(entry.digest for one in every for entry in one.before.values())
        sizes = {name: _size(self._object(name)) for name in uses if name}
        size = sum(sizes.values()) + sum(_links_size(one) for one in every)
        for one in every:
            if one.taken >= older_than and size <= max_bytes:
                break
            size -= _links_size(one)
            for digest, number in Counter(entry.digest for entry in one.before.values()).items():
                uses[digest] -= number
                size -= 0 if uses[digest] else sizes.get(digest, 0)
            self.forget(one.ident)
            gone.append(one.ident)
        self._sweep(settled)
        return tuple(gone)

    def _sweep(self, settled: float) -> None:
        """Delete contents that no snapshot needs. A recent one may belong to a snapshot that is being made."""
        needed = {entry.digest for one in self.all() for entry in one.before.values()}
        for path in (self._folder / "objects").iterdir():
            with contextlib.suppress(FileNotFoundError):
                if path.name not in needed and (settled <= 0 or time.time() - path.stat().st_ctime > settled):
                    path.unlink()
        self._cache = {key: digest for key, digest in self._cache.items() if digest in needed}

    def _make(self, path: str, entry: Entry, first: dict[str, str], part: str, seen: Entry) -> None:
        if entry.kind is PathKind.FOLDER:
            disk.make_folder(path)
        elif entry.kind is PathKind.LINK:
            disk.make_link(path, entry.target)
        elif entry.inode in first:
            disk.join_file(path, first[entry.inode], part, seen)
        else:
            source = os.open(self._object(entry.digest), os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                if disk.hashed(source, self._limits.file_bytes) != entry.digest:
                    raise OSError(errno.EIO, "its stored copy is damaged")
                os.lseek(source, 0, os.SEEK_SET)
                disk.make_file(path, source, part, entry.inode, seen=seen)
            finally:
                os.close(source)
            first[entry.inode] = path

    def _clear_parts(self, snapshot: Snapshot) -> None:
        """Delete what an interrupted restore left beside its files: drafts, and what it replaced, which the store has.

        What a person saved in the moment of the replacement is in no snapshot, and stays.
        """
        for path, entry in snapshot.before.items():
            if entry.kind in OF_GIT or in_git(path):
                clear(path, entry, f".remit-undo-{snapshot.ident}")
        redoes = (one for one in self.all(snapshot.session) if one.redoes == snapshot.ident)
        kept = [entry for one in (snapshot, *redoes) for entry in one.before.values()]
        for folder in sorted({path.rpartition("/")[0] for path in (*snapshot.before, *self._now(snapshot))}):
            for name in _names_in(folder):
                part = f"{folder}/{name}"
                if name.startswith(f".remit-undo-{snapshot.ident}-") and _is_of(part, kept, self._content):
                    disk.remove(part)

    def _now(self, snapshot: Snapshot) -> Tree:
        """Return what is now where a snapshot was taken. In a folder that the call made, this includes files of others."""
        if not snapshot.exact:
            return self._look(snapshot.roots, strict=False)
        made = [path for path in snapshot.roots if snapshot.before[path].kind is PathKind.ABSENT]
        inside = (f"{path}/{name}" for path in made for name in _names_in(path))
        return self._look_at({**dict.fromkeys(inside, NOTHING), **snapshot.before}, strict=False)

    def _look_at(self, before: Tree, *, strict: bool) -> Tree:
        """Return what is now at single paths whose former content is known."""
        files = [path for path, entry in before.items() if entry.kind not in OF_GIT]
        found = self._look(files, strict=strict, deep=False)
        return found | {path: seen_now(path, before[path], self._content) for path in before.keys() - found.keys()}

    def _look(self, roots: Iterable[str], *, strict: bool, deep: bool = True) -> Tree:
        limits = self._limits if deep else self._limits._replace(entries=_MOST_OBSERVED)
        looker = disk.Looker(limits, self._keep if strict else self._digest, strict=strict, deep=deep)
        out: Tree = {}
        for root in roots:
            out.update(looker.look(root))
        return out

    def _keep(self, path: str, fd: int, state: os.stat_result) -> str:
        key = (path, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        known = self._cache.get(key)
        if known is not None and os.path.lexists(self._object(known)):
            return known
        name = os.path.join(self._folder, "objects", f".part-{secrets.token_hex(8)}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            with os.fdopen(os.open(name, flags, 0o600), "wb") as part:
                digest = disk.hashed(fd, self._limits.file_bytes, part)
            # not forced to the disk: its digest shows what a power failure destroyed
            with contextlib.suppress(FileExistsError):
                os.link(name, self._object(digest))
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)
        # only what is old enough: a change within one tick of the clock would leave the same times
        if time.time_ns() - max(key[3], key[4]) > _SETTLED:
            self._cache[key] = digest
        return digest

    def _digest(self, path: str, fd: int, state: os.stat_result) -> str:
        known = self._cache.get((path, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns))
        return known if known is not None else disk.hashed(fd, self._limits.file_bytes)

    def _interrupted(self, ident: str) -> tuple[str, ...]:
        try:
            return tuple(json.loads((self._folder / "journal" / f"{ident}.json").read_bytes())["paths"])
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError):
            return ()  # an incomplete journal means that nothing was begun

    def _object(self, digest: str) -> str:
        return f"{self._folder}/objects/{digest}"

    def _record(self, ident: str) -> str:
        return f"{self._folder}/records/{ident}.json"


def _goes_on(folder: Path, seconds: float) -> bool:
    """Whether a process of an observed call may still write, after some seconds: whoever observes it holds the journal."""
    end = time.monotonic() + seconds
    try:
        with open(folder / "journal", "rb") as file:
            while True:
                try:
                    fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
                except BlockingIOError:
                    if time.monotonic() > end:
                        return True
                    time.sleep(seconds / 20)
                else:
                    return False
    except FileNotFoundError:
        return False


def _records(folder: Path) -> list[list[str]]:
    """Return what was observed of a call: path, kind, mode, time, inode, and what it was, of each path."""
    try:
        begun, *words = (folder / "journal").read_bytes().split(b"\0")
    except FileNotFoundError:
        return []
    ends = range(6, len(words), 6) if begun == b"observed" else ()
    return [list(map(os.fsdecode, words[end - 6 : end])) for end in ends]


def _write(path: str, data: Any) -> None:
    folder, _, name = path.rpartition("/")
    part = f"{folder}/.{name}.part"
    with open(part, "wb") as out:
        out.write(json.dumps(data).encode())
        out.flush()
        os.fsync(out.fileno())
    os.replace(part, path)


def _untouched(before: Tree, todo: Plan) -> Iterator[tuple[str, str]]:
    """Return names of unchanged files, by file: what was one file with them is linked to them again."""
    changing = set(todo.paths) | {item.path for item in todo.refused}
    for path, entry in before.items():
        if entry.kind is PathKind.FILE and path not in changing:
            yield entry.inode, path


def _on_the_way(roots: Iterable[str], paths: Iterable[str]) -> Iterator[str]:
    """Return paths with the folders between them and the roots: making a file makes these too."""
    for path in paths:
        for root in roots:
            while path.startswith(f"{root}/"):
                yield path
                path = path.rpartition("/")[0]  # noqa: PLW2901
        yield path


def _holds(own: str, root: str) -> bool:
    return own == root or own.startswith(root + "/") or root.startswith(own + "/")


def _planned(snapshot: Snapshot, now: Tree, ours: Iterable[str], *, force: bool) -> Plan:
    exact, named = snapshot.exact, snapshot.named
    return plan(snapshot.before, snapshot.left, now, exact=exact, ours=ours, named=named, force=force)


def _take_links(links: Path, ours: str) -> str:
    """Take over the folder with second names of objects, unless it is in the repository."""
    if links.parent.is_symlink():
        return os.path.realpath(links)
    os.rename(links, ours)
    return ours


def _remove_links(entries: Iterable[Entry]) -> None:
    """Delete the second names of objects that nothing needs."""
    for entry in entries:
        if entry.kind is PathKind.OBJECTS:
            shutil.rmtree(entry.target, ignore_errors=True)


def _links_size(snapshot: Snapshot) -> int:
    """Return the disk space that only second names hold."""
    found = 0
    for entry in snapshot.before.values():
        if entry.kind is PathKind.OBJECTS:
            for name in _names_in(entry.target):
                state = os.lstat(f"{entry.target}/{name}")
                found += state.st_size if state.st_nlink == 1 else 0
    return found


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _only(roots: Iterable[str], found: Tree) -> Tree:
    """Return the state that an observed call left: only where it was observed to change something."""
    return {path: found[path] for path in roots}


def _is_of(part: str, kept: list[Entry], content: Callable[[Entry], bytes]) -> bool:
    """Whether a file is the beginning of a kept one, or all of it, or a link as one that is kept."""
    try:
        if os.path.islink(part):
            return os.readlink(part) in {entry.target for entry in kept if entry.kind is PathKind.LINK}
        data = disk.read(part)
        return any(content(one).startswith(data) for one in kept if one.kind is PathKind.FILE)
    except OSError:
        return False


def _names_in(path: str) -> list[str]:
    try:
        with disk.folder(path) as fd:
            return os.listdir(fd)
    except OSError:
        return []


def _try(failed: dict[str, str], path: str, act: Any, *args: object) -> None:
    try:
        act(*args)
    except OSError as error:
        failed[path] = f"it cannot be restored: {(error.strerror or str(error)).lower()}"


def _outermost(paths: Iterable[str]) -> tuple[str, ...]:
    out: list[str] = []
    for path in sorted(set(paths)):
        if not any(path.startswith(other + "/") for other in out):
            out.append(path)
    return tuple(out)
