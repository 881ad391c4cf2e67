"""Secrets of our own that are made once, and lie in a file that nobody else can open."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.core.errors import TrustError
from remit.gateway.private import make_private

if TYPE_CHECKING:
    from collections.abc import Callable
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
