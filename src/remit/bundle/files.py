"""A reader of small files that may be hostile: regular files only, bounded, and read once through one handle."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from remit.core.errors import RemitError, TrustError
from remit.skill.open_files import HAVE_MODES, READ

if TYPE_CHECKING:
    from pathlib import Path


def read_small(
    path: Path, what: str, limit: int, kind: type[RemitError] = TrustError, *, private: bool = False
) -> bytes:
    """Return the bytes of a regular file up to a limit; `private` refuses one that other users can read."""
    try:
        handle = os.open(path, READ)
    except (OSError, ValueError) as error:
        raise kind(f"{what} `{path}` cannot be read: {_reason(error)}", "give a file that you can read") from None
    try:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise kind(f"{what} `{path}` is not a plain file", "give the file itself")
        if private and HAVE_MODES and state.st_mode & 0o077:
            message = f"{what} `{path}` can be opened by others (mode {stat.S_IMODE(state.st_mode):04o})"
            raise kind(message, f"chmod 600 {path}; if others can log in here, make a new key")
        with os.fdopen(os.dup(handle), "rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise kind(f"{what} `{path}` cannot be read: {_reason(error)}", "give a file that you can read") from None
    finally:
        os.close(handle)
    if len(data) > limit:
        raise kind(f"{what} `{path}` is larger than {limit} bytes", "give the right file")
    return data


def _reason(error: OSError | ValueError) -> str:
    return (getattr(error, "strerror", None) or str(error)).lower()
