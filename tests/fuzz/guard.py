"""Watches the analyser itself: nothing outside of the skill is opened, nothing is started."""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path

import remit

_OWN = tuple(
    {
        os.path.realpath(path) + os.sep
        for path in (*sysconfig.get_paths().values(), sys.prefix, sys.base_prefix, Path(remit.__file__).parent)
    }
)
_NOTHING = os.devnull + os.sep
_OPENING = frozenset({"open", "os.listdir", "os.scandir"})
_NEVER = frozenset(
    {
        "os.system", "os.exec", "os.posix_spawn", "os.spawn", "subprocess.Popen", "socket.connect", "socket.bind", "os.remove",
        "os.rename", "os.mkdir", "os.rmdir", "os.chmod", "os.chdir", "os.symlink", "os.link", "os.putenv", "shutil.rmtree",
    }
)  # fmt: skip


class Guard:
    """Collects what the analyser does while it is switched on. An audit hook stays for the life of the process."""

    def __init__(self) -> None:
        self.folder = ""
        self.escapes: list[str] = []
        sys.addaudithook(self._hook)

    def watch(self, folder: str) -> None:
        """Switch on for one folder; an empty one switches off."""
        self.folder = os.path.realpath(folder) + os.sep if folder else ""

    def _hook(self, name: str, args: tuple[object, ...]) -> None:
        if not self.folder:
            return
        if name in _NEVER:
            self.escapes.append(f"{name} {args!r}"[:200])
        elif name in _OPENING and args and isinstance(args[0], str | bytes | os.PathLike):
            self._opened(name, args)

    def _opened(self, name: str, args: tuple[object, ...]) -> None:
        folder, self.folder = self.folder, ""  # what follows must not be watched
        try:
            path = os.fsdecode(args[0])  # type: ignore[arg-type]
            flags = args[2] if name == "open" and isinstance(args[2], int) else 0
            # relative to a folder that is open already, and not through a link: it stays below
            below = "/" not in path and path not in ("", ".", "..") and flags & os.O_NOFOLLOW
            real = os.path.realpath(path) + os.sep
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) or not (
                below or real.startswith((folder, *_OWN, _NOTHING))
            ):
                self.escapes.append(f"{name} {path}")
        finally:
            self.folder = folder
