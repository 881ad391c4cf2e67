"""Answers that were given before, as long as nothing that they rest on has changed."""

from __future__ import annotations

import hashlib
import os
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from remit.guard.understand.disk import content, state_of

if TYPE_CHECKING:
    from collections.abc import Hashable

    from remit.guard.understand.values import Glance, Seen, Understanding

SIZE = 512


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
        if not all(map(unchanged, found.glances)):
            with self._lock:
                self._answers.pop(key, None)
            return None
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
        return found

    def put(self, key: Hashable, found: Understanding) -> None:
        """Remember an answer."""
        with self._lock:
            self._answers[key] = found
            self._answers.move_to_end(key)
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)


def unchanged(glance: Glance) -> bool:
    """Whether what was looked at is still the same."""
    try:
        info = os.lstat(glance.path)
    except (OSError, ValueError):
        return glance.state is None
    return glance.state is not None and state_of(info, listed=len(glance.state) == 4) == glance.state


def still_same(understanding: Understanding) -> Seen | None:
    """Between check and run: the first file whose content is not the one that the answer rests on."""
    for seen in understanding.seen:
        data = content(str(seen.path))
        if data is None or hashlib.sha256(data).hexdigest() != seen.sha256:
            return seen
    return None
