"""Resolution of paths that a tool gets: absolute, without `..`, and with links followed; and reads of such files.

A path through another process's view of the files (`/proc/self/cwd`, `/dev/fd/3`) means something else to the daemon
than to the agent, so it cannot be resolved.
"""

from __future__ import annotations

import os
import re
import stat
from functools import lru_cache
from typing import TYPE_CHECKING

from remit.core.scope import DEEP, ROOT, PathScope, Scope
from remit.core.scope.component import escape, literal

if TYPE_CHECKING:
    from pathlib import Path


_OF_A_PROCESS = re.compile(r"/proc/(?:\d+|self|thread-self)(?:/|$)|/dev/fd(?:/|$)", re.IGNORECASE)
_LINKS = 40  # as in the kernel
_REMEMBERED = 4096  # recent paths; a session names the same ones repeatedly


def real_path(text: str, cwd: str, home: str) -> str | None:
    """Return the absolute path that a text leads to; None if unknown."""
    if not text or "\0" in text or not cwd.startswith("/"):
        return None
    path = home + text[1:] if text == "~" or text.startswith("~/") else text
    if path.startswith("~") or (path != text and os.path.lexists(f"{cwd}/~")):
        return None  # hosts differ in whether they take `~` for a folder of this name
    path = path if path.startswith("/") else f"{cwd}/{path}"
    for _ in range(_LINKS):
        if _OF_A_PROCESS.search(os.path.normpath(path)) or _OF_A_PROCESS.search(re.sub(r"/(?:\./)*/*", "/", path)):
            return None
        link = _first_link(path)
        if link is None:
            return os.path.normpath(path)
        path = link
    return None


def _first_link(path: str) -> str | None:
    """Return the path with its first link replaced by its target, after resolving `..` before it; None if there is no
    link.
    """
    done: list[str] = []
    parts = [part for part in path.split("/") if part not in ("", ".")]
    for at, part in enumerate(parts):
        if part == "..":
            done = done[:-1]
            continue
        here = "/" + "/".join((*done, part))
        try:
            target = os.readlink(here)  # noqa: PTH115  (a decision waits for it)
        except (OSError, ValueError):
            done.append(part)
            continue
        base = target if target.startswith("/") else "/" + "/".join((*done, target))
        return "/".join((base, *parts[at + 1 :]))
    return None


def read_start(path: str | Path, most: int) -> bytes | None:
    """Return the first bytes of a plain file; None if there is none, or it cannot be read. A pipe or a device is not opened for long:
    it would keep every call of the session waiting.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return None
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    except OSError:
        return None
    finally:
        os.close(handle)


@lru_cache(_REMEMBERED)
def file_scope(path: str) -> PathScope:
    """Return the scope of one absolute path."""
    return PathScope(ROOT, tuple([escape(part) for part in path.split("/") if part]))


def folder_scope(path: str | Path) -> PathScope:
    """Return the scope of a folder with everything in it."""
    return _below(str(path))


@lru_cache(_REMEMBERED)
def _below(path: str) -> PathScope:
    return PathScope(ROOT, (*file_scope(path).parts, DEEP))


@lru_cache(_REMEMBERED)
def fixed_start(scope: PathScope) -> str:
    """Return the start of a pattern of absolute paths: its components before the first that is not a plain name."""
    return "/" + "/".join(fixed_parts(scope))


def fixed_parts(scope: PathScope) -> list[str]:
    """Return the components before the first that is not a plain name."""
    plain: list[str] = []
    for part in scope.parts:
        text = literal(part)
        if text is None:
            break
        plain.append(text)
    return plain


@lru_cache(_REMEMBERED)
def is_one_path(scope: Scope) -> bool:
    """Whether a scope is one path, and not a pattern."""
    return isinstance(scope, PathScope) and None not in map(literal, scope.parts)
