"""Reads and writes of the disk for undo, one path component at a time and never through a symbolic link."""

from __future__ import annotations

import ctypes
import errno
import hashlib
import os
import posixpath
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from remit.core.errors import GuardError
from remit.guard.undo.snapshot import NOTHING, REPOSITORY, Entry, Limits, PathKind, Tree, names_repository

BLOCK = 1 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_BARE = frozenset({"HEAD", "objects", "refs"})  # in every repository of git, whatever its folder is called
_NOREPLACE, _EXCHANGE = 1, 2  # of renameat2
_CHANGES = "changes while it is looked at"
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


class TooMuchError(GuardError):
    """More than the limits allow, or something that cannot be kept; the text is the reason."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason, "make room, or put back by hand what you need")


@contextmanager
def folder(path: str, *, make: bool = False) -> Iterator[int]:
    """An open folder, each component of whose path is a real folder; OSError if one is a link, or missing and not to be made."""
    fd = os.open("/", _FOLDER)
    try:
        for part in path.strip("/").split("/") if path.strip("/") else ():
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, dir_fd=fd)
            inner = os.open(part, _FOLDER, dir_fd=fd)
            os.close(fd)
            fd = inner
        yield fd
    finally:
        os.close(fd)


@contextmanager
def place(path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """The folder of a path, open, and the name in it."""
    with folder(posixpath.dirname(path), make=make) as above:
        yield above, posixpath.basename(path)


class Looker:
    """Walks a tree. `keep` takes an open file with its state and gives its digest; without it files are only hashed."""

    def __init__(
        self, limits: Limits, keep: Callable[[str, int, os.stat_result], str], *, strict: bool, deep: bool = True
    ) -> None:
        self._limits = limits
        self._deep = deep  # also what lies below a folder
        self._keep = keep
        self._strict = strict  # what cannot be kept is refused; afterwards it is only named
        self._entries = self._bytes = 0

    def look(self, path: str) -> Tree:
        """Everything at a path, and below it unless not."""
        out: Tree = {}
        try:
            with place(path) as (above, name):
                self._one(path, name, above, out)
        except (FileNotFoundError, NotADirectoryError):
            out[path] = NOTHING
        except OSError as error:
            self._odd(path, (error.strerror or "cannot be read").lower(), out)
        return out

    def _one(self, path: str, name: str, above: int, out: Tree) -> None:
        try:
            state = os.stat(name, dir_fd=above, follow_symlinks=False)
        except FileNotFoundError:
            out[path] = NOTHING
            return
        self._entries += 1
        if self._entries > self._limits.entries:
            raise TooMuchError(f"there are more than {self._limits.entries} files")
        if names_repository(name):
            out[path] = REPOSITORY
            return
        inode = f"{state.st_dev}:{state.st_ino}"
        mode = stat.S_IMODE(state.st_mode)
        try:
            if stat.S_ISLNK(state.st_mode):
                target = os.readlink(name, dir_fd=above)
                out[path] = Entry(PathKind.LINK, 0, state.st_mtime_ns, target=target, inode=inode)
            elif stat.S_ISDIR(state.st_mode):
                out[path] = Entry(PathKind.FOLDER, mode, state.st_mtime_ns, inode=inode)
                self._below(path, name, above, out)
            elif stat.S_ISREG(state.st_mode):
                digest = self._file(path, name, above, state)
                out[path] = Entry(PathKind.FILE, mode, state.st_mtime_ns, digest, inode=inode)
            else:
                self._odd(path, "is neither a file, a folder nor a link", out)
        except OSError as error:
            self._odd(path, (error.strerror or "cannot be read").lower(), out)

    def _below(self, path: str, name: str, above: int, out: Tree) -> None:
        fd = os.open(name, _FOLDER, dir_fd=above)
        try:
            names = sorted(os.listdir(fd)) if self._deep else []
            if _BARE.issubset(names):
                out[path] = REPOSITORY
                return
            for inner in names:
                self._one(f"{path.rstrip('/')}/{inner}", inner, fd, out)
        finally:
            os.close(fd)

    def _file(self, path: str, name: str, above: int, seen: os.stat_result) -> str:
        self._bytes += seen.st_size
        if seen.st_size > self._limits.file_bytes or self._bytes > self._limits.total_bytes:
            raise TooMuchError(f"`{path}` and the files next to it are larger than what is kept")
        fd = os.open(name, _READ, dir_fd=above)
        try:
            state = os.fstat(fd)
            if not stat.S_ISREG(state.st_mode) or (state.st_dev, state.st_ino) != (seen.st_dev, seen.st_ino):
                raise OSError(errno.EBUSY, _CHANGES)
            return self._keep(path, fd, state)
        finally:
            os.close(fd)

    def _odd(self, path: str, reason: str, out: Tree) -> None:
        if self._strict:
            raise TooMuchError(f"`{path}`: {reason}")
        out[path] = Entry(PathKind.OTHER, target=reason)


def hashed(fd: int, limit: int, into: BinaryIO | None = None) -> str:
    """The digest of an open file, copied on the way; a file that grows past the limit is refused."""
    digest, size = hashlib.sha256(), 0
    while block := os.read(fd, BLOCK):
        size += len(block)
        if size > limit:
            raise TooMuchError("a file grows while it is kept")
        digest.update(block)
        if into is not None:
            into.write(block)
    return digest.hexdigest()


def remove(path: str, seen: Entry | None = None, part: str = "") -> None:
    """Remove a file, a link or an empty folder. With `seen` nothing else than that: what came meanwhile stays (OSError)."""
    with place(path) as (above, name):
        try:
            if stat.S_ISDIR(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
                os.rmdir(name, dir_fd=above)
            elif seen is None or seen.kind not in (PathKind.FILE, PathKind.LINK):
                os.unlink(name, dir_fd=above)
            else:
                os.rename(name, part, src_dir_fd=above, dst_dir_fd=above)
                _drop(part, name, above, seen, _NOREPLACE)
        except FileNotFoundError:
            return


def make_folder(path: str) -> None:
    """Make a folder that only its owner can use until its mode is set."""
    with place(path) as (above, name):
        try:
            os.mkdir(name, 0o700, dir_fd=above)
        except FileExistsError:
            set_mode(name, above, 0o700)  # so that what lies in it can be restored


def make_link(path: str, target: str) -> None:
    """Make a symbolic link."""
    with place(path) as (above, name):
        os.symlink(target, name, dir_fd=above)


def read(path: str) -> bytes:
    """The content of a file; OSError if there is none."""
    with place(path) as (above, name):
        fd = os.open(name, _READ, dir_fd=above)
    with os.fdopen(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise FileNotFoundError(errno.ENOENT, "is no file", path)
        return file.read()


def make_file(
    path: str, source: int | bytes, part: str, inode: str = "", mode: int = 0o600, seen: Entry | None = None
) -> None:
    """Put content in place at once. A file with other names, which is still the same file, is written in place, so that it stays one.

    With `seen` only that is replaced: what came meanwhile stays (OSError).
    """
    with place(path) as (above, name):
        if _has_other_names(name, above, inode):
            if seen is not None and not _is_seen(name, above, seen):
                raise OSError(errno.EBUSY, _CHANGES)
            set_mode(name, above, 0o600)
            _pour(source, os.open(name, os.O_WRONLY | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above))
            return
        with suppress(FileNotFoundError):
            os.unlink(part, dir_fd=above)  # of an interrupted restore
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            _pour(source, os.open(part, flags, 0o600, dir_fd=above))
            set_mode(part, above, mode)
            _put(part, name, above, seen)
        except OSError:
            with suppress(FileNotFoundError):
                os.unlink(part, dir_fd=above)
            raise


def join_file(path: str, other: str, part: str, seen: Entry) -> None:
    """Let a path be a second name of a file, in the place of what was seen there."""
    with place(path) as (above, name), place(other) as (beside, known):
        os.link(known, part, src_dir_fd=beside, dst_dir_fd=above, follow_symlinks=False)
        try:
            _put(part, name, above, seen)
        finally:
            with suppress(FileNotFoundError):  # renaming one name of a file to another does nothing
                os.unlink(part, dir_fd=above)


def _put(part: str, name: str, above: int, seen: Entry | None) -> None:
    """Give a draft its name, in the place of what was seen there; None: of whatever is there."""
    if seen is None:
        os.rename(part, name, src_dir_fd=above, dst_dir_fd=above)
    elif seen.kind is PathKind.ABSENT:
        _rename(part, name, above, _NOREPLACE)
    elif _rename(part, name, above, _EXCHANGE):
        _drop(part, name, above, seen, _EXCHANGE)


def _drop(part: str, name: str, above: int, seen: Entry, back: int) -> None:
    """Delete what had a name until now, if it is what was seen there; else it gets its name back, and OSError."""
    if not _is_seen(part, above, seen):
        _rename(part, name, above, back)
        raise OSError(errno.EBUSY, _CHANGES)
    os.unlink(part, dir_fd=above)


def _is_seen(name: str, above: int, seen: Entry) -> bool:
    """Whether a file or link has the content that was seen."""
    if seen.kind is PathKind.LINK:
        return stat.S_ISLNK(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode) and (
            os.readlink(name, dir_fd=above) == seen.target
        )
    if not stat.S_ISREG(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
        return False
    fd = os.open(name, _READ, dir_fd=above)
    try:
        return hashed(fd, sys.maxsize) == seen.digest
    finally:
        os.close(fd)


def _rename(old: str, new: str, above: int, flags: int) -> bool:
    """Rename as the kernel does it with flags; False if this file system cannot, and it was done without them."""
    if ctypes.CDLL(None, use_errno=True).renameat2(above, os.fsencode(old), above, os.fsencode(new), flags) == 0:
        return True
    problem = ctypes.get_errno()
    if problem not in (errno.EINVAL, errno.ENOSYS):
        raise OSError(problem, os.strerror(problem))
    os.rename(old, new, src_dir_fd=above, dst_dir_fd=above)
    return False


def finish(path: str, entry: Entry) -> None:
    """Set mode and time."""
    with place(path) as (above, name):
        if entry.kind is not PathKind.LINK:
            set_mode(name, above, entry.mode)
        os.utime(name, ns=(entry.mtime, entry.mtime), dir_fd=above, follow_symlinks=False)


def set_mode(name: str, above: int, mode: int) -> None:
    """Set the mode of a file or folder that may be closed even to us; a link is refused by the kernel."""
    fd = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=above)
    try:
        os.chmod(f"/proc/self/fd/{fd}", mode)
    finally:
        os.close(fd)


def _has_other_names(name: str, above: int, inode: str) -> bool:
    try:
        state = os.stat(name, dir_fd=above, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(state.st_mode) and state.st_nlink > 1 and f"{state.st_dev}:{state.st_ino}" == inode


def _pour(source: int | bytes, fd: int) -> None:
    with os.fdopen(fd, "wb") as out:
        if isinstance(source, bytes):
            out.write(source)
        else:
            while block := os.read(source, BLOCK):
                out.write(block)
        out.flush()
        os.fsync(out.fileno())


def real(path: str) -> str:
    """The path with the links of its folders resolved; its own last name is kept, because the link itself is what changes."""
    if not posixpath.isabs(path) or "\0" in path or posixpath.normpath(path) == "/":
        raise GuardError(f"`{path}` is no path that can be kept", "name a file or folder from the root on")
    clean = posixpath.normpath(path)
    return posixpath.join(os.path.realpath(posixpath.dirname(clean)), posixpath.basename(clean))


def topmost_missing(path: str) -> str:
    """The first folder on the way that is not there: a call that makes the path makes it too."""
    above = posixpath.dirname(path)
    while above != "/" and not os.path.lexists(above):
        path, above = above, posixpath.dirname(above)
    return path
