"""A copy of what was checked, so that what runs is what was looked at."""

from __future__ import annotations

import hashlib
import os
from types import MappingProxyType
from typing import TYPE_CHECKING

from remit.core.errors import InputError
from remit.guard.understand.disk import content

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from remit.guard.understand.values import Understanding


def checked_copy(understanding: Understanding, folder: Path) -> Mapping[Path, Path]:
    """Copy the files that an answer rests on below a folder, each by its whole path: original to copy.

    The bytes are compared while they are copied, so that a copy is what was checked; a file that changed is refused. The copies are
    read-only, and scripts that import what lies beside them find it, because the folders keep their shape.
    """
    out: dict[Path, Path] = {}
    for seen in understanding.seen:
        data = content(str(seen.path))
        if data is None or hashlib.sha256(data).hexdigest() != seen.sha256:
            raise InputError(f"`{seen.path}` changed since it was checked", "ask again")
        copy = folder / seen.path.relative_to("/")
        copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o500)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        out[seen.path] = copy
    return MappingProxyType(out)
