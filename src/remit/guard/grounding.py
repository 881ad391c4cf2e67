"""Patterns against the files that are there. A command that reads `./**` reads what lies there now, and no more.

A pattern that holds no sensitive file now spares them all: reading or deleting it meets none. A pattern that is written may make a new
one; where a snapshot is taken and what changed is looked at afterwards, such a file is taken away again (`turns.py`).
"""

from __future__ import annotations

import os
import re
from functools import cache
from typing import TYPE_CHECKING, Any

from remit.core.capability import vocabulary
from remit.core.scope import DEEP, PathScope, ScopeKind, covers
from remit.core.scope.component import literal
from remit.core.sensitive import ACTIONS, may_touch, places
from remit.guard.paths import exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from remit.policy.request import Request

MOST = 20_000  # entries that are looked at; past them nothing is spared


def grounded(requests: Iterable[Request], *, undone: Callable[[Request], bool]) -> tuple[Request, ...]:
    """Requests with patterns that spare what is sensitive marked as such. `undone`: what a write makes there can be taken away."""
    return tuple(_grounded(request, undone) for request in requests)


def _grounded(request: Request, undone: Callable[[Request], bool]) -> Request:
    scope = request.scope
    if not isinstance(scope, PathScope) or vocabulary()[request.capability].scope_kind is not ScopeKind.PATH:
        return request
    if all(literal(part) is not None for part in scope.parts):
        return request
    writes = request.capability in ("file.write", "source.write", "file.chmod")
    spares = undone(request) if writes else not any(True for _ in sensitive_files(request.capability, scope))
    return request._replace(spared=True) if spares else request


def sensitive_files(capability: str, scope: PathScope) -> Iterator[str]:
    """The sensitive files that lie under a pattern. The last one stands for all that could not be looked at."""
    name = capability if capability.startswith(("file.", "source.")) else "file.read"
    for seen, path in enumerate(_files(scope)):
        if seen >= MOST:
            yield path
            return
        if _may_be(name, path) and covers(scope, exactly(path)) and may_touch(name, exactly(path)):
            yield path


def _files(scope: PathScope) -> Iterator[str]:
    """Every file below the folder in which a pattern begins, and deep enough for it."""
    fixed: list[str] = []
    for part in scope.parts:
        text = literal(part)
        if text is None:
            break
        fixed.append(text)
    deep = DEEP in scope.parts
    todo = [("/" + "/".join(fixed), len(scope.parts) - len(fixed))]
    while todo:
        folder, depth = todo.pop()
        try:
            with os.scandir(folder) as found:
                entries = list(found)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            yield folder  # what is in there nobody can say
            continue
        for entry in entries:
            yield entry.path
            if (deep or depth > 1) and entry.is_dir(follow_symlinks=False) and not _stored(entry.path):
                todo.append((entry.path, depth - 1))


def counted(root: Path, most: int) -> int | None:
    """How many files and folders lie in a folder; None if they are more than so many, or cannot be counted."""
    found = 0
    todo = [str(root)]
    while todo:
        try:
            with os.scandir(todo.pop()) as entries:
                for entry in entries:
                    found += 1
                    if entry.is_dir(follow_symlinks=False):
                        todo.append(entry.path)
        except OSError:
            return None
        if found > most:
            return None
    return found


def _stored(folder: str) -> bool:
    """Whether a folder holds what git stores under digests."""
    return folder.endswith("/.git/objects")


@cache
def _shapes(capability: str) -> Any:
    """One expression for all places where a capability means more, a little too wide: what it passes over is none of them."""
    import re2  # noqa: PLC0415  (asked for when the first pattern is met)

    found = []
    for place in places().rows:
        if not place.means[ACTIONS[capability.partition(".")[2]]]:
            continue
        parts = place.parts[1:] if place.parts[:1] == (DEEP,) else place.parts
        found.append("/".join(".*" if part == DEEP else _shape(part) for part in parts).replace("/.*", "(?:/.*)?"))
    return re2.compile("(?i)(?:.*/)?(?:" + "|".join(sorted(set(found))) + ")")


def _shape(part: str) -> str:
    text = literal(part)
    if text is not None:
        return re.escape(text)
    return "[^/]*".join(re.escape(piece) for piece in part.replace("?", "*").split("*"))


def _may_be(capability: str, path: str) -> bool:
    try:
        return _shapes(capability).fullmatch(path.rstrip(" .")) is not None or not path.isascii()
    except UnicodeEncodeError:
        return True
