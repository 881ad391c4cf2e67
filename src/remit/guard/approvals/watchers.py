"""Whether a person currently has `remit approvals` open: its process holds a lock, which it loses however it ends.

Holding the lock grants nothing. Without it a hook would wait although no one can answer.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from remit.guard.state_folder import StateFolder

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC


@contextmanager
def watching(places: StateFolder) -> Iterator[None]:
    """Hold the lock for watching; several processes may."""
    handle = os.open(places.folder / "approvals.lock", _FLAGS, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)
        yield
    finally:
        os.close(handle)


def is_watched(places: StateFolder) -> bool:
    """Whether any process is watching."""
    handle = os.open(places.folder / "approvals.lock", _FLAGS, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
