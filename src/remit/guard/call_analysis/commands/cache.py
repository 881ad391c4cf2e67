"""Answers that were given before, as long as nothing that they rest on has changed."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from collections.abc import Hashable, Iterable
from threading import Lock

from remit.guard.call_analysis.commands.disk import LISTED, WAY, content, state_of
from remit.guard.call_analysis.commands.model import FileState, ReadFile, Understanding

SIZE = 512
# File systems count time in steps: what changes twice in one step looks as if it had changed once. Nanoseconds, several steps.
_STEP = 50_000_000


class Cache:
    """The answers that were used last."""

    def __init__(self, size: int = SIZE) -> None:
        self._size = size
        self._answers: OrderedDict[Hashable, Understanding] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._answers)

    def get(self, key: Hashable) -> Understanding | None:
        """The answer, if everything that it rests on is as it was."""
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
        """Remember an answer for which the looking began at a time (nanoseconds since 1970).

        One that rests on something that had only just changed is not remembered: the next change might not show.
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
    """Whether all that was looked at is still the same."""
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
            if len(state) == WAY:  # most are folders on the way; what is no folder any more has another mode
                if info[:WAY] != state:
                    return False
            elif state_of(info, listed=len(state) == LISTED) != state:
                return False
    return True


def _changed_at(glance: FileState) -> int:
    """When something last changed, as its file system says; 0 for nothing, and for a folder that is only a way."""
    state = glance.state
    if state is None or len(state) < LISTED:
        return 0
    return state[4] if len(state) == LISTED else state[5]


def still_same(understanding: Understanding) -> ReadFile | None:
    """Between check and run: the first file whose content is not the one that the answer rests on."""
    for seen in understanding.seen:
        path = str(seen.path)
        if seen.state is not None and unchanged((FileState(path, seen.state),)):
            continue
        data = content(path)
        if data is None or hashlib.sha256(data).hexdigest() != seen.sha256:
            return seen
    return None
