"""Read-only view of the file system that records whatever an answer depends on, so that it can be compared before the
run.

Paths are followed as the kernel follows them, one component at a time. Entries of /proc and /dev mean something
different to each process: `/proc/self/cwd` is resolved for the process that will run, and the descriptors of a process
are not files.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from remit.guard.call_analysis.commands.model import CallPlace, FileState, ReadFile

MAX_SOURCE = 1 << 20  # bytes of a script that is looked into
MAX_NAMES = 4096  # entries of a folder
_MAX_LINKS = 40  # as in the kernel
_SYSTEM = re.compile(r"/(?:usr/)?(?:local/)?s?bin/[^/]+")
_OWN = ("self", "thread-self")
_STREAMS = ("stdin", "stdout", "stderr")


class UnclearError(Exception):
    """A path depends on the process that uses it."""


class FollowedPath(NamedTuple):
    """The target of a path: the file itself, and the last link on the way if the path is a link."""

    path: str
    link: str = ""  # the location of the link that the path itself is


def state_of(info: os.stat_result, *, listed: bool = False) -> tuple[int, ...]:
    """Return the state by which a change shows: `ctime` cannot be set back. A folder that was not listed counts only as
    part of a path.
    """
    mode = info.st_mode
    if stat.S_ISDIR(mode):
        if listed:
            return (mode, info.st_ino, info.st_dev, info.st_mtime_ns, info.st_ctime_ns)
        return (mode, info.st_ino, info.st_dev)
    return (mode, info.st_ino, info.st_dev, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_nlink)


WAY = 3  # numbers in the state of a folder that is only on a path: mode, inode and device, in the order of `stat`
LISTED = 5  # numbers in the state of a listed folder; the last one is the newest time


class Disk:
    """One consistent view of the file system: each lookup is made once, so that the answers fit together."""

    def __init__(self, place: CallPlace) -> None:
        self.place = place
        self.cwd = str(place.cwd)
        self._looks: dict[str, os.stat_result | None] = {}
        self._contents: dict[str, bytes | None] = {}
        self._names: dict[str, tuple[str, ...] | None] = {}
        self._digests: dict[str, str] = {}
        self._listed: set[str] = set()

    def look(self, path: str) -> os.stat_result | None:
        """Return what is at a path without following links; None for nothing."""
        if path not in self._looks:
            try:
                self._looks[path] = os.lstat(path)
            except (OSError, ValueError):
                self._looks[path] = None
        return self._looks[path]

    def land(self, path: str, cwd: str, *, follow: bool = True) -> FollowedPath:
        """Resolve a path from a folder. A component that does not exist yet is kept by its name."""
        todo = (path if path.startswith("/") else f"{cwd}/{path}").split("/")[::-1]
        here: list[str] = []
        links, last_link, exists = 0, "", True
        info: os.stat_result | None = None
        while todo:
            name = todo.pop()
            if name in ("", "."):
                continue
            if name == "..":
                del here[-1:]
                continue
            here.append(name)
            if here[0] in ("proc", "dev") and (other := self._process(here, cwd)) is not None:
                here = other
                continue
            exists = exists and (info := self.look("/" + "/".join(here))) is not None
            if exists and info is not None and stat.S_ISLNK(info.st_mode) and (todo or follow):
                links += 1
                if links > _MAX_LINKS:
                    raise UnclearError("links that lead to each other")
                target = os.readlink("/" + "/".join(here))  # noqa: PTH115  (a Path would cost more than the call)
                if not any(part not in ("", ".") for part in todo):
                    last_link = "/" + "/".join(here)
                here.pop()
                here = [] if target.startswith("/") else here
                todo += target.split("/")[::-1]
        real = "/" + "/".join(here)
        if exists:
            self.look(real)  # the answer depends on what is there now
        return FollowedPath(real, last_link if last_link != real else "")

    def _process(self, here: list[str], cwd: str) -> list[str] | None:
        """Return the target of a path that differs for each process; None for an ordinary path."""
        top, *rest = here
        if top == "dev":
            if rest and (rest[0] in _STREAMS or (rest[0] == "fd" and len(rest) > 1)):
                raise UnclearError("a stream of a process")
            return here if rest == ["fd"] else None
        if not rest or not (rest[0] in _OWN or rest[0].isdigit()):
            return None
        if len(rest) < 2 or rest[1] not in ("cwd", "root", "fd", "exe", "task", "map_files", "ns", "fdinfo"):
            return here
        if rest[0] not in _OWN or rest[1] not in ("cwd", "root"):
            raise UnclearError("a part of a process")
        if rest[1] == "cwd" and cwd.startswith("/proc/"):
            raise UnclearError("the folder of a process")
        return [part for part in self.land(cwd, "/").path.split("/") if part] if rest[1] == "cwd" else []

    def real(self, path: str) -> str:
        """Resolve a path; return it unchanged if that is not possible."""
        try:
            return self.land(path, "/").path
        except (UnclearError, OSError, ValueError):
            return path

    def is_file(self, path: str) -> bool:
        """Whether a path resolves to a plain file."""
        return self._plain(path) is not None

    def is_installed(self, real: str) -> bool:
        """Whether a file is a program of the system: its name says what it does, and only the system can change it."""
        if _SYSTEM.fullmatch(real) is None:
            return False
        info, folder = self.look(real), self.look(real.rpartition("/")[0])
        return all(item is not None and item.st_uid == 0 and not item.st_mode & 0o022 for item in (info, folder))

    def is_folder(self, path: str) -> bool:
        """Whether a path resolves to a folder that can be entered."""
        try:
            real = self.land(path, "/").path
        except (UnclearError, OSError):
            return False
        info = self.look(real) if real != "/" else os.lstat("/")
        return info is not None and stat.S_ISDIR(info.st_mode) and os.access(real, os.X_OK)

    def _plain(self, path: str) -> str | None:
        try:
            real = self.land(path, "/").path
        except (UnclearError, OSError):
            return None
        info = self.look(real)
        return real if info is not None and stat.S_ISREG(info.st_mode) else None

    def read(self, path: str) -> bytes | None:
        """Return the content of a plain file; None if it cannot be read or is too large."""
        real = self._plain(path)
        if real is None or real.startswith(("/proc/", "/sys/")):  # generated at each read: no answer can depend on it
            return None
        if real not in self._contents:
            self._contents[real] = data = content(real)
            if data is not None:
                self._digests[real] = hashlib.sha256(data).hexdigest()
        return self._contents[real]

    def names(self, folder: str) -> tuple[str, ...] | None:
        """Return the sorted names in a folder; None if there are too many or it cannot be read."""
        if folder not in self._names:
            self._names[folder] = self._listing(folder)
        return self._names[folder]

    def _listing(self, folder: str) -> tuple[str, ...] | None:
        try:
            real = self.land(folder, "/").path
            if self.look(real) is None:
                return ()
            self._listed.add(real)
            found = os.listdir(real)  # noqa: PTH208  (names are wanted, not paths)
        except (OSError, UnclearError, ValueError):
            return None
        return tuple(sorted(found)) if len(found) <= MAX_NAMES else None

    def seen(self) -> tuple[ReadFile, ...]:
        """Return the files that were read."""
        return tuple(ReadFile(Path(path), digest) for path, digest in sorted(self._digests.items()))

    def glances(self) -> tuple[FileState, ...]:
        """Return everything that was looked at. Nothing exists below a missing entry."""
        looks = self._looks
        return tuple(
            FileState(path, state_of(info, listed=path in self._listed) if info else None)
            for path, info in looks.items()
            if info or looks.get(path.rpartition("/")[0], _THERE) is not None
        )


_THERE = os.stat_result(range(10))  # stands for a folder that was not looked at


def content(real: str) -> bytes | None:
    """Return the bytes of a file, opened so that neither a swapped link nor a pipe can mislead or block us."""
    try:
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        with os.fdopen(descriptor, "rb") as file:
            info = os.fstat(file.fileno())
            if not stat.S_ISREG(info.st_mode) or info.st_size > MAX_SOURCE:
                return None
            data = file.read(MAX_SOURCE + 1)
            return data if len(data) <= MAX_SOURCE else None
    except OSError:
        return None
