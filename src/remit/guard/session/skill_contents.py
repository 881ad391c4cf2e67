"""Cache of the contents of skill folders: the digest, and which files are prose.

A folder counts as unchanged if every entry in it has the same inode, size, mode and times. A recent change may be
followed by another within one tick of the clock, and a link may lead to something that changes: such folders are read
each time. Loading a skill always reads it; this cache serves calls that only come across one.
"""

from __future__ import annotations

import os
import stat
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.manifest.drift.content import content_digest
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path

    State: TypeAlias = frozenset[tuple[str, int, int, int, int, int]]

_KEPT = 256  # skills
_MOST = 2000  # entries of a folder that is cached
_SETTLED = 2.0  # seconds after which a change time is reliable
_PROSE = frozenset({"text", "markup", "markdown"})


class Content(NamedTuple):
    """The content of a skill's folder."""

    digest: str
    prose: tuple[str, ...]  # paths of its instructions and references


class SkillContents:
    """The cache."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._known: OrderedDict[str, tuple[State, Content]] = OrderedDict()

    def of(self, folder: Path) -> Content:
        """Return the present content of a folder; an error if it cannot be read as a skill."""
        state = self._state(str(folder))
        known = self._known.get(str(folder))
        if known is not None and known[0] == state:
            self._known.move_to_end(str(folder))
            return known[1]
        skill = load_skill(folder)
        prose = {file.path for file in skill.files if file.kind in _PROSE} | {one.path for one in skill.documents}
        found = Content(content_digest(skill.files, skill.links), tuple(sorted(prose)))
        if state is not None:
            self._known[str(folder)] = (state, found)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    def _state(self, folder: str) -> State | None:
        """Return the state of a folder; None if it is not reliable."""
        found: set[tuple[str, int, int, int, int, int]] = set()
        last = (self._clock() - _SETTLED) * 1e9
        todo = [folder]
        try:
            while todo:
                here = todo.pop()
                with os.scandir(here) as entries:
                    for path in (here, *(entry.path for entry in entries)):
                        one = os.lstat(path)
                        if stat.S_ISLNK(one.st_mode) or one.st_ctime_ns > last or len(found) > _MOST:
                            return None
                        found.add((path, one.st_ino, one.st_mode, one.st_size, one.st_mtime_ns, one.st_ctime_ns))
                        if stat.S_ISDIR(one.st_mode) and path != here:
                            todo.append(path)
        except OSError:
            return None
        return frozenset(found)
