"""Opening of files and folders without following links, with the means of each operating system.

On Linux and macOS a folder is held open while it is walked, and names are looked up in it. Windows has neither that nor
a flag against links: a folder is known by its path there, and the opened file is compared with what was at the path
before.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import TypeAlias

Folder: TypeAlias = "int | str"  # a descriptor; a path where folders have none


def flag(name: str) -> int:
    """Return a flag of `os.open`; 0 if the system does not have it."""
    return getattr(os, name, 0)


NO_FOLLOW = flag("O_NOFOLLOW")
# Not inherited by child processes, and no conversion of line ends.
PRIVATE = flag("O_CLOEXEC") | flag("O_NOINHERIT") | flag("O_BINARY")
READ = os.O_RDONLY | flag("O_NONBLOCK") | PRIVATE  # opening a named pipe must not block
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | PRIVATE
_FOLDER = os.O_RDONLY | NO_FOLLOW | flag("O_DIRECTORY") | PRIVATE
HAVE_MODES = hasattr(os, "geteuid")  # whether file modes show who may read and write them
_JUNCTION = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT of Windows: a folder that stands for another
_BY_DESCRIPTOR = bool(NO_FOLLOW) and os.open in os.supports_dir_fd and os.scandir in os.supports_fd


def open_plain(name: str | os.PathLike[str], folder: Folder | None = None) -> int:
    """Return a descriptor for reading a file by its name in a folder; OSError if it is a link."""
    if not isinstance(folder, str) and _BY_DESCRIPTOR:
        return os.open(name, READ | NO_FOLLOW, dir_fd=folder)
    path = _path(name, folder)
    before = _no_link(path)
    handle = os.open(path, READ)
    if not os.path.samestat(before, os.fstat(handle)):
        os.close(handle)
        raise OSError(errno.ELOOP, "replaced while it was opened", path)
    return handle


def open_folder(name: str, parent: Folder | None = None) -> Folder:
    """Open a folder, to be closed with `close_folder`; OSError if it is a link."""
    if not isinstance(parent, str) and _BY_DESCRIPTOR:
        return os.open(name, _FOLDER, dir_fd=parent)
    path = _path(name, parent)
    if not stat.S_ISDIR(_no_link(path).st_mode):
        raise NotADirectoryError(errno.ENOTDIR, "not a directory", path)
    return path


def close_folder(folder: Folder) -> None:
    """Close a folder."""
    if isinstance(folder, int):
        os.close(folder)


def read_at(handle: int, size: int, start: int) -> bytes:
    """Return bytes of an open file from a position; fewer at its end."""
    os.lseek(handle, start, os.SEEK_SET)
    return os.read(handle, size)


def is_own(seen: os.stat_result) -> bool:
    """Whether only the user can change a file. Windows does not show it: files in a person's folders count as such."""
    if not HAVE_MODES:
        return True
    return seen.st_uid == os.geteuid() and not seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _path(name: str | os.PathLike[str], folder: Folder | None) -> str:
    return os.path.join(str(folder), name) if folder is not None else os.fspath(name)  # noqa: PTH118  names stay as they are


def _no_link(path: str) -> os.stat_result:
    seen = os.lstat(path)
    if stat.S_ISLNK(seen.st_mode) or getattr(seen, "st_reparse_tag", 0) == _JUNCTION:
        raise OSError(errno.ELOOP, "is a symbolic link", path)
    return seen
