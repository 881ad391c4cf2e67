"""Files of settings: read as a whole, replaced as a whole, with a copy of what was there before the guard came."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import GuardError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.guard.install.form import Change

LARGEST = 4 * 1024 * 1024
_SUFFIX = ".before-remit"


def real(path: Path) -> Path:
    """The file itself: people keep settings elsewhere and link them, and a link must stay one."""
    return Path(os.path.realpath(path))


def backup_of(path: Path) -> Path:
    """Where the copy of a file lies."""
    return path.with_name(path.name + _SUFFIX)


def content(path: Path) -> bytes | None:
    """The bytes of a plain file; None if there is none."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
            raise GuardError(f"`{path}` is no plain file of settings", "look what it is, and move it away")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _failed(path, "read", error) from None


def apply(changes: Iterable[Change]) -> None:
    """Make changes, each at once or not at all. A file that somebody else changed meanwhile is left alone."""
    for change in changes:
        if content(change.path) != change.before:
            raise GuardError(f"`{change.path}` has just been changed by somebody else", "try again")
        try:
            _apply(change)
        except OSError as error:
            raise _failed(change.path, "changed", error) from None


def _apply(change: Change) -> None:
    path, backup = change.path, backup_of(change.path)
    mode = stat.S_IMODE(path.stat().st_mode) if change.before is not None else change.mode
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755 if change.mode & 0o004 else 0o700)
    if change.before is not None and not change.forget and not backup.exists():
        _replace(backup, change.before, mode)
    if change.after is None:
        path.unlink(missing_ok=True)
    else:
        _replace(path, change.after, mode)
    if change.forget:
        backup.unlink(missing_ok=True)


def _replace(path: Path, data: bytes, mode: int) -> None:
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _failed(path: Path, what: str, error: OSError) -> GuardError:
    remedy = "run it as a user who may; managed settings belong to root" if isinstance(error, PermissionError) else ""
    return GuardError(f"`{path}` cannot be {what}: {(error.strerror or str(error)).lower()}", remedy)
