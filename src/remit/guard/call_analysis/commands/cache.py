"""A cache of analyses of commands, each valid as long as nothing that it depends on has changed."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from threading import Lock

from remit.guard.call_analysis.commands.disk import LISTED, WAY, content, state_of
from remit.guard.call_analysis.commands.model import FileState, ReadFile, Understanding

SIZE = 512
# In nanoseconds, several ticks: file systems count time in ticks, and two changes within one tick look like one.
_STEP = 50_000_000


class Cache:
    """The most recently used answers."""

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._answers: OrderedDict[Hashable, Understanding] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: Hashable) -> Understanding | None:
        """Return the answer if everything that it depends on is unchanged."""
        with self._lock:
            found = self._answers.get(key)
            if found is None:
                return None
            self._answers.move_to_end(key)
        if unchanged(found.glances):
            return found
        with self._lock:
            self._answers.pop(key, None)
        return None

    def put(self, key: Hashable, found: Understanding, begun: int) -> Understanding:
        """Store an answer whose analysis began at a time (nanoseconds since 1970).

        An answer that depends on something that has only just changed is not stored: the next change might not show.
        """
        if any(_changed_at(glance) > begun - _STEP for glance in found.glances):
            return found
        states = {path: state for path, state in found.glances if state is not None and len(state) > LISTED}
        found = found._replace(seen=tuple(one._replace(state=states.get(str(one.path))) for one in found.seen))
        with self._lock:
            self._answers[key] = found
            self._answers.move_to_end(key)
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)
        return found


def unchanged(glances: Iterable[FileState]) -> bool:
    """Whether everything that was looked at is unchanged."""
    lstat = os.lstat
    for path, state in glances:
        try:
            info = lstat(path)
        except (OSError, ValueError):
            if state is not None:
                return False
        else:
            if state is None:
                return False
            if len(state) == WAY:  # most are folders on the path; anything but a folder has another mode
                if info[:WAY] != state:
                    return False
            elif state_of(info, listed=len(state) == LISTED) != state:
                return False
    return True


def _changed_at(glance: FileState) -> int:
    """Return the change time of a file system entry; 0 for nothing, and for a folder that is only on the path."""
    state = glance.state
    if state is None or len(state) < LISTED:
        return 0
    return state[4] if len(state) == LISTED else state[5]


def still_same(understanding: Understanding) -> ReadFile | None:
    """Return the first file whose content is no longer the one that the answer depends on. For the check right before
    the run.
    """
    for seen in understanding.seen:
        path = str(seen.path)
        if seen.state is not None and unchanged((FileState(path, seen.state),)):
            continue
        data = content(path)
        if data is None or hashlib.sha256(data).hexdigest() != seen.sha256:
            return seen
    return None
