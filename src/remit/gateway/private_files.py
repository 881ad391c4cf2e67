"""Files and folders that only their owner can enter: folders, secrets created once, and the lock that keeps a folder to
one gateway.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.core.errors import TrustError, UsageError

if TYPE_CHECKING:
    from pathlib import Path


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents with mode 0700.

    `mkdir(parents=True)` would create the parents with default modes; the guard keeps its state in one of them and
    would then refuse it.
    """
    if not folder.is_dir():
        make_private(folder.parent)
        folder.mkdir(mode=0o700, exist_ok=True)


def made_once(path: Path, what: str, size: int, make: Callable[[], bytes]) -> bytes:
    """Return a file's content, created first if needed; TrustError if it has another size.

    `what`: its name in errors.
    """
    if not path.exists():
        make_private(path.parent)
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(make())
    data = read_small(path, what, size, private=True)
    if len(data) != size:
        raise TrustError(f"`{path}` is not {what}", "remove it: a new one is made, and paired again")
    return data


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Hold the folder's lock; UsageError while another gateway runs there.

    The kernel releases it when the process ends.
    """
    handle = os.open(folder / "gateway.lock", os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise UsageError(
                f"another gateway runs in `{folder}`",
                "stop that one, or give this one its own --folder and a database that both share",
            ) from None
        yield
    finally:
        os.close(handle)
