"""Which files of a `.git` folder are Git's own data, and so no part of a skill.

Nothing binds or analyses what is left out here. So only what no program loads is left out: Python imports a module from any folder
that it is told to look in, and from any file whose end is that of a zip archive.
"""

from __future__ import annotations

import os

from remit.skill.archive import END, END_BYTES
from remit.skill.classify import by_name
from remit.skill.model import Stance

_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_RUN = frozenset({"hooks", "config", "config.worktree"})
_REPOSITORIES = frozenset({"modules", "worktrees"})  # of submodules and further work trees, with hooks of their own


def in_history(path: str) -> bool:
    """Whether this lies inside a `.git` folder, and is neither a hook nor its configuration."""
    parts = path.split("/")
    if ".git" not in parts[:-1]:
        return False
    inner = parts[parts.index(".git") + 1 :]
    return _RUN.isdisjoint(inner if inner[0] in _REPOSITORIES else inner[:1])


def is_history(path: str, name: str, folder: int) -> bool:
    """Whether a file of a `.git` folder is data of Git: neither its name nor its end is that of code. OSError if it cannot be read."""
    kind = by_name(path)
    if kind is not None and kind.stance is not Stance.INERT:
        return False
    handle = os.open(name, _OPEN, dir_fd=folder)
    try:
        size = os.fstat(handle).st_size
        return END not in os.pread(handle, END_BYTES, max(0, size - END_BYTES))
    finally:
        os.close(handle)
