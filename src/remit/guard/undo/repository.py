"""Undo of what an observed call changed in Git repositories.

Objects are only added. The lines of a reflog are only added. A ref comes back by its value, wherever git keeps it, and only if it still
has the value that the call gave it: git's own locks are taken, so that nobody else changes it meanwhile. What the call added stays.
"""

from __future__ import annotations

import errno
import filecmp
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import NamedTuple

from remit.guard.undo import disk
from remit.guard.undo.snapshot import NOTHING, Entry, PathKind, Tree, in_git

_PART = re.compile(r"(?:[A-Z_]*HEAD|refs/.+|logs/.+|packed-refs)")
_PACKED = re.compile(r"^([0-9a-f]{40,64}) (refs/.+)$", re.MULTILINE)
_OTHERS = Entry(PathKind.OTHER, target="another process changed it while the call ran")
_NONE = "0" * 40
BUSY = "git is changing it: try again"


class Written(NamedTuple):
    """What git last put at a path while it was observed: the file, and its content if it is as short as a ref. Both are empty if it
    was removed."""

    inode: str
    text: str


def git_part(path: str) -> tuple[str, str] | None:
    """The folder of the repository and the name in it, of a ref, a reflog or the list of packed refs; None for any other path."""
    for at in (place.start() for place in re.finditer("/", path)):
        root, name = path[:at], path[at + 1 :]
        if _PART.fullmatch(name) and (in_git(root) or _is_bare(root)):
            return root, name
    return None


def _is_bare(root: str) -> bool:
    return all(os.path.lexists(f"{root}/{name}") for name in ("objects", "config"))


class _Refs(NamedTuple):
    """What is known of refs after a call: files and packed lists before it, the packed ones now, and git's writes."""

    loose: dict[str, str]
    packed: dict[str, dict[str, str]]
    now: dict[str, dict[str, str]]
    wrote: Mapping[str, Written]

    def before(self, path: str, root: str, name: str) -> str:
        """The value of a ref before the call; empty if there was none."""
        return self.loose.get(path) or self.packed.get(root, self.now[root]).get(name, "")

    def left(self, path: str, root: str, name: str) -> Entry:
        """Return the state in which the call left a ref."""
        written = self.wrote.get(path)
        if written is not None and written.text:
            return _ref(written.text.strip())
        if written is None and path in self.loose:  # written by another program than git
            return ref_at(path)
        if root in self.packed and not _is_left(f"{root}/packed-refs", self.wrote.get(f"{root}/packed-refs")):
            return _OTHERS
        return _ref(self.now[root].get(name, ""))

    def repacked(self) -> Iterator[tuple[str, tuple[str, str]]]:
        """Refs that the list of packed ones has no longer, or with another value, and that have no file in which their value counts."""
        for root, refs in self.packed.items():
            for name, value in refs.items():
                if self.now[root].get(name) != value and not os.path.lexists(f"{root}/{name}"):
                    yield f"{root}/{name}", (root, name)


def as_git_sees(before: Tree, wrote: Mapping[str, Written], content: Callable[[Entry], bytes]) -> Tree:
    """Replace files of refs and reflogs, as they were before a call, by what they mean. Returns what the call left, where that is not
    what lies there now."""
    parts = {path: part for path in {*before, *wrote} if (part := git_part(path))}
    roots = {root for root, _ in parts.values()}
    refs = _Refs({}, {}, {root: packed_refs(root) for root in roots}, wrote)
    for path, (root, name) in parts.items():
        if path not in before or before[path].kind is not PathKind.FILE:
            continue
        if name.startswith("logs/"):
            before[path] = before[path]._replace(kind=PathKind.REFLOG)
        elif name == "packed-refs":
            refs.packed[root] = _packed(_text(content(before.pop(path))))
        else:
            refs.loose[path] = _text(content(before.pop(path))).strip()
    files = {path for path, entry in before.items() if entry.kind is PathKind.FILE}
    left = {path: _OTHERS for path in files & wrote.keys() if not _is_left(path, wrote[path])}
    changed = {path: parts[path] for path in parts.keys() & (refs.loose.keys() | wrote.keys())}
    for path, (root, name) in (changed | dict(refs.repacked())).items():
        if name.startswith("logs/") or name == "packed-refs":
            continue
        old, after = refs.before(path, root, name), refs.left(path, root, name)
        if old and _ref(old) != after:
            before[path], left[path] = _ref(old), after
    return left


def _is_left(path: str, written: Written | None) -> bool:
    try:
        state = os.lstat(path)
    except OSError:
        return written is None or not written.inode
    return written is None or written.inode == f"{state.st_dev}:{state.st_ino}"


def _ref(value: str) -> Entry:
    return Entry(PathKind.REF, target=value) if value else NOTHING


def _packed(text: str) -> dict[str, str]:
    return {name: value for value, name in _PACKED.findall(text)}


def packed_refs(root: str) -> dict[str, str]:
    """The refs that a repository keeps in one file."""
    return _packed(_read(f"{root}/packed-refs"))


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


def _read(path: str) -> str:
    try:
        return _text(disk.read(path))
    except OSError:
        return ""


# --- what is there now ---


def ref_at(path: str) -> Entry:
    """A ref as git sees it."""
    root, name = git_part(path) or ("", "")
    return _ref(_read(path).strip() or packed_refs(root).get(name, ""))


def seen_now(path: str, before: Entry, content: Callable[[Entry], bytes]) -> Entry:
    """Return what is now where a call changed a repository; what is only added to is present if nothing is missing."""
    if before.kind is PathKind.REF:
        return ref_at(path)
    if before.kind is PathKind.REFLOG:
        missing = bool(_missing(_text(content(before)), _read(path)))
    else:
        missing = any(not _is_there(*pair) for pair in _pairs(path, before.target))
    return NOTHING if missing else before


def _pairs(path: str, folder: str) -> list[tuple[str, str]]:
    """Objects that are kept in a folder, and their places; the index of a pack comes after it, because by the index git finds it."""
    try:
        names = sorted(os.listdir(folder), key=lambda name: (name.endswith(".idx"), name))
    except OSError:
        return []
    return [(f"{folder}/{name}", f"{path}/{name.replace(':', '/')}") for name in names]


def _is_there(kept: str, path: str) -> bool:
    """Whether an object lies at its place. One that is another file was written in place, or made again."""
    try:
        with disk.place(path) as (above, name):
            state = os.stat(name, dir_fd=above, follow_symlinks=False)
            return os.path.samestat(os.lstat(kept), state) or filecmp.cmp(
                kept, f"/proc/self/fd/{above}/{name}", shallow=False
            )
    except OSError:
        return False


def _line(line: str) -> str:
    """A line of a reflog without the old value: git rewrites that when a line before it goes."""
    return line.partition(" ")[2]


def _missing(kept: str, now: str) -> list[str]:
    there = set(map(_line, now.splitlines()))
    return [line for line in kept.splitlines() if _line(line) not in there]


# --- putting it back ---


def put_back(path: str, entry: Entry, expected: Entry, content: Callable[[Entry], bytes], part: str) -> None:
    """Restore something in a repository. OSError if another process changes it, or did."""
    if entry.kind is PathKind.OBJECTS:
        _add_objects(path, entry.target, part)
        return
    root, name = git_part(path) or ("", "")
    _make_way(path)
    with _locked(_lock_of(path, entry), part):
        data, mode = b"", entry.mode
        if entry.kind is PathKind.REF:
            if ref_at(path) != expected:
                raise OSError(errno.EBUSY, BUSY)
            data, mode = f"{entry.target}\n".encode(), 0o644
        elif entry.kind is PathKind.REFLOG:
            kept, now = _text(content(entry)), _read(path)
            later = [line for line in now.splitlines() if _line(line) in set(map(_line, _missing(now, kept)))]
            lines = [*kept.splitlines(), *later]
            data = "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
        elif _is_left(path, Written(expected.inode, "")):
            data = content(entry)
        else:
            raise OSError(errno.EBUSY, BUSY)
        disk.make_file(path, data, f"{part}.new", mode=mode)
        if entry.kind is PathKind.REF:
            _note_move(f"{root}/logs/{name}", expected, entry)


def _add_objects(path: str, folder: str, part: str) -> None:
    for source, target in _pairs(path, folder):
        if _is_there(source, target):
            continue
        with disk.place(target, make=True) as (above, name):
            with suppress(FileNotFoundError):
                os.unlink(part, dir_fd=above)
            try:
                os.link(source, part, dst_dir_fd=above, follow_symlinks=False)
            except OSError:  # another file system
                disk.make_file(f"{os.path.dirname(target)}/{part}", disk.read(source), f"{part}.new")
            disk.set_mode(part, above, 0o444)
            os.rename(part, name, src_dir_fd=above, dst_dir_fd=above)


def _make_way(path: str) -> None:
    """Folders on the way are made. Empty ones that git left where a ref was are removed, as git does it."""
    with disk.place(path, make=True) as (above, name), suppress(FileNotFoundError):
        if not stat.S_ISDIR(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
            return
        for _, folders, _, inside in os.fwalk(name, topdown=False, dir_fd=above):
            for empty in folders:
                os.rmdir(empty, dir_fd=inside)
        os.rmdir(name, dir_fd=above)


def _note_move(log: str, old: Entry, new: Entry) -> None:
    """Note a ref that was moved in its reflog, so that what it was remains. The reflog of the stash is the stash."""
    if old.kind is not PathKind.REF or log.endswith("/logs/refs/stash") or new.target.startswith("ref:"):
        return
    with suppress(FileNotFoundError), disk.place(log) as (above, name):
        fd = os.open(name, os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=above)
        with os.fdopen(fd, "ab") as file:
            file.write(f"{old.target} {new.target} remit <remit> {int(time.time())} +0000\tremit undo\n".encode())


@contextmanager
def _locked(lock: str, part: str) -> Iterator[None]:
    """Hold a lock of git. The file has its first name before, so that a restore that is killed leaves no lock that cannot be told from
    one of git."""
    with disk.place(lock, make=True) as (above, name):
        _release(above, name, part)
        os.close(
            os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600, dir_fd=above)
        )
        try:
            os.link(part, name, src_dir_fd=above, dst_dir_fd=above)
        except FileExistsError:
            os.unlink(part, dir_fd=above)
            raise OSError(errno.EBUSY, BUSY) from None
        try:
            yield
        finally:
            os.unlink(name, dir_fd=above)
            os.unlink(part, dir_fd=above)


def _lock_of(path: str, entry: Entry) -> str:
    root, name = git_part(path) or ("", "")
    return f"{root}/{name.removeprefix('logs/')}.lock" if entry.kind is PathKind.REFLOG else f"{path}.lock"


def clear(path: str, entry: Entry, part: str) -> None:
    """Remove what a killed restore left."""
    if entry.kind is not PathKind.OBJECTS:
        with suppress(OSError), disk.place(_lock_of(path, entry)) as (above, name):
            _release(above, name, part)
    targets = [target for _, target in _pairs(path, entry.target)] if entry.kind is PathKind.OBJECTS else [path]
    for folder in set(map(os.path.dirname, targets)):
        for name in (part, f"{part}.new"):
            with suppress(OSError):
                disk.remove(f"{folder}/{name}")


def _release(above: int, lock: str, part: str) -> None:
    """Remove a draft, and the lock if it is the same file as its draft."""
    with suppress(FileNotFoundError):
        draft = os.stat(part, dir_fd=above, follow_symlinks=False)
        with suppress(FileNotFoundError):
            if os.path.samestat(draft, os.stat(lock, dir_fd=above, follow_symlinks=False)):
                os.unlink(lock, dir_fd=above)
        os.unlink(part, dir_fd=above)
