"""The file system, looked at and never changed. Whatever an answer rests on is remembered, so that it can be compared before the run.

Paths are followed here as the kernel follows them, one component after the other. What stands in /proc and /dev means something else
to each process: `/proc/self/cwd` is followed as the process that will run sees it, and a descriptor of a process is nobody's file.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from pathlib import Path
from typing import NamedTuple

from remit.guard.call_analysis.commands.model import FileState, Place, ReadFile

MAX_SOURCE = 1 << 20  # bytes of a script that is looked into
MAX_NAMES = 4096  # entries of a folder
_MAX_LINKS = 40  # as the kernel
_SYSTEM = re.compile(r"/(?:usr/)?(?:local/)?s?bin/[^/]+")
_OWN = ("self", "thread-self")
_STREAMS = ("stdin", "stdout", "stderr")


class UnclearError(Exception):
    """A path leads somewhere that depends on the process that uses it."""


class FollowedPath(NamedTuple):
    """Where a path leads: the file itself, and the last link on the way if the path is one."""

    path: str
    link: str = ""  # the place of the link that the path itself is


def state_of(info: os.stat_result, *, listed: bool = False) -> tuple[int, ...]:
    """What changes when a file, folder or link changes: `ctime` cannot be set back. A folder that was not listed is only a way."""
    mode = info.st_mode
    if stat.S_ISDIR(mode):
        if listed:
            return (mode, info.st_ino, info.st_dev, info.st_mtime_ns, info.st_ctime_ns)
        return (mode, info.st_ino, info.st_dev)
    return (mode, info.st_ino, info.st_dev, info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_nlink)


WAY = 3  # how many numbers a folder has that is only a way: mode, number and device, in the order in which the system tells them
LISTED = 5  # how many numbers the state of a folder has that was listed; its last one is the newest time


class Disk:
    """One look at the file system: every question is answered once, so that the answers fit together."""

    def __init__(self, place: Place) -> None:
        self.place = place
        self.cwd = str(place.cwd)
        self._looks: dict[str, os.stat_result | None] = {}
        self._contents: dict[str, bytes | None] = {}
        self._names: dict[str, tuple[str, ...] | None] = {}
        self._digests: dict[str, str] = {}
        self._listed: set[str] = set()

    def look(self, path: str) -> os.stat_result | None:
        """What lies at a path, links not followed; None for nothing."""
        if path not in self._looks:
            try:
                self._looks[path] = os.lstat(path)
            except (OSError, ValueError):
                self._looks[path] = None
        return self._looks[path]

    def land(self, path: str, cwd: str, *, follow: bool = True) -> FollowedPath:
        """Where a path leads, seen from a folder. What does not exist yet is taken by its name."""
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
            self.look(real)  # what is there now belongs to what the answer rests on
        return FollowedPath(real, last_link if last_link != real else "")

    def _process(self, here: list[str], cwd: str) -> list[str] | None:
        """What a place means that is another one for each process; None if it is an ordinary place."""
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
        """Where a path leads; itself if that cannot be said."""
        try:
            return self.land(path, "/").path
        except (UnclearError, OSError, ValueError):
            return path

    def is_file(self, path: str) -> bool:
        """Whether a path is a plain file in the end."""
        return self._plain(path) is not None

    def is_installed(self, real: str) -> bool:
        """Whether a file is a program of the system: its name says what it does, and only the system can change it."""
        if _SYSTEM.fullmatch(real) is None:
            return False
        info, folder = self.look(real), self.look(real.rpartition("/")[0])
        return all(item is not None and item.st_uid == 0 and not item.st_mode & 0o022 for item in (info, folder))

    def is_folder(self, path: str) -> bool:
        """Whether a path is a folder in the end, and can be entered."""
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
        """The content of a plain file; None if it cannot be read or is too large."""
        real = self._plain(path)
        if real is None or real.startswith(("/proc/", "/sys/")):  # made up anew at each reading: nothing can rest on it
            return None
        if real not in self._contents:
            self._contents[real] = data = content(real)
            if data is not None:
                self._digests[real] = hashlib.sha256(data).hexdigest()
        return self._contents[real]

    def names(self, folder: str) -> tuple[str, ...] | None:
        """The names in a folder, sorted; None if there are too many or it cannot be read."""
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
        """The files that were read."""
        return tuple(ReadFile(Path(path), digest) for path, digest in sorted(self._digests.items()))

    def glances(self) -> tuple[FileState, ...]:
        """Everything that was looked at. Below what is not there, nothing is."""
        looks = self._looks
        return tuple(
            FileState(path, state_of(info, listed=path in self._listed) if info else None)
            for path, info in looks.items()
            if info or looks.get(path.rpartition("/")[0], _THERE) is not None
        )


_THERE = os.stat_result(range(10))  # stands for a folder that nobody looked at


def content(real: str) -> bytes | None:
    """The bytes of a file, opened so that neither a link put in its place nor a pipe can lead or hold us."""
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
