"""Files of our own: secrets that are made once and that nobody else can open, and the lock of a folder that one gateway has alone."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.core.errors import TrustError, UsageError
from remit.gateway.private import make_private

if TYPE_CHECKING:
    from pathlib import Path


def made_once(path: Path, what: str, size: int, make: Callable[[], bytes]) -> bytes:
    """What lies there, made at first; TrustError if it is something else. `what`: as errors name it."""
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
    """As the only gateway in a folder: UsageError while another one runs there. It ends with the process, however that ends."""
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
