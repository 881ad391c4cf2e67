"""JSON settings of hosts: replaced as a whole, in the owner's order and indentation, with a backup of the original."""

from __future__ import annotations

import json
import os
import re
import stat
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from remit.core.errors import GuardError
from remit.guard.install.model import Change

LARGEST = 4 * 1024 * 1024
_SUFFIX = ".before-remit"
_INDENT = re.compile(r"\{\s*\n([ \t]+)\S")


class SettingsFile(NamedTuple):
    """One JSON file of a host that we edit."""

    path: Path
    before: bytes | None
    value: dict[str, Any]
    copy: bytes | None  # of the file before the guard was installed; None if there was none
    earlier: dict[str, Any]  # its parsed content

    def changed(self, wanted: dict[str, Any], *, ours: bool, mode: int = 0o600) -> tuple[Change, ...]:
        """Return the change that puts our settings in. A file with some of ours is not backed up as the original."""
        if wanted == self.value:
            return ()
        return (Change(self.path, self.before, render(wanted, self.before), mode, copy=not ours),)

    def restored(self, wanted: dict[str, Any]) -> tuple[Change, ...]:
        """Return the change that takes ours out: to the very bytes of the original if the content is the same."""
        if wanted == self.value:
            return ()
        same = self.copy is not None and wanted == self.earlier
        after = self.copy if same else render(wanted, self.before) if wanted else None
        return (Change(self.path, self.before, after, forget=True),)


def read_settings(path: Path) -> SettingsFile:
    """Read a file, with its backup from before the guard was installed."""
    before, copy = content(path), content(backup_of(path))
    return SettingsFile(path, before, parse(before, path), copy, parse(copy, backup_of(path)))


def parse(data: bytes | None, path: Path) -> dict[str, Any]:
    """Return the object in a file, empty if missing. All but plain JSON is refused: editing would lose part."""
    if data is None or not data.strip():
        return {}
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_pairs)
    except (ValueError, RecursionError) as error:
        message = f"`{path}` is not plain JSON ({error}); the host ignores all of it, with the hooks in it"
        raise GuardError(message, "correct the file (no comments, no comma at the end), then try again") from None
    if not isinstance(value, dict):
        raise GuardError(f"`{path}` is not an object", "correct the file, then try again")
    return value


def render(value: dict[str, Any], before: bytes | None) -> bytes:
    """Return an object as text, with the file's indentation."""
    found = _INDENT.match(before.decode("utf-8-sig", "replace").lstrip()) if before else None
    indent = found[1] if found else "  "
    return (json.dumps(value, indent=indent, ensure_ascii=False) + "\n").encode("utf-8", "surrogatepass")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise ValueError(f"`{name}` occurs twice")
        found[name] = value
    return found


def real(path: Path) -> Path:
    """Return the target of a linked settings file: the link must remain one."""
    return Path(os.path.realpath(path))


def backup_of(path: Path) -> Path:
    """Return the path of a file's backup."""
    return path.with_name(path.name + _SUFFIX)


def content(path: Path) -> bytes | None:
    """Return the bytes of a plain file; None if there is none."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
            raise GuardError(f"`{path}` is no plain file of settings", "check what it is, and move it away")
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _failed(path, "read", error) from None


def own_files(files: Mapping[Path, bytes | None]) -> tuple[Change, ...]:
    """Return the changes for files that are ours alone; None: the file is to be removed."""
    there = {path: content(path) for path in files}
    return tuple(Change(path, there[path], after, forget=True) for path, after in files.items() if there[path] != after)


def apply(changes: Iterable[Change]) -> None:
    """Make changes, each atomically. A file that changed meanwhile is left alone."""
    for change in changes:
        if content(change.path) != change.before:
            raise GuardError(f"`{change.path}` has just been changed by another process", "try again")
        try:
            _apply(change)
        except OSError as error:
            raise _failed(change.path, "changed", error) from None


def _apply(change: Change) -> None:
    path, backup = change.path, backup_of(change.path)
    mode = stat.S_IMODE(path.stat().st_mode) if change.before is not None else change.mode
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o755 if change.mode & 0o004 else 0o700)
    if change.before is not None and change.copy and not change.forget and not backup.exists():
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
    remedy = (
        "run it as a user with write access; managed settings belong to root"
        if isinstance(error, PermissionError)
        else ""
    )
    return GuardError(f"`{path}` cannot be {what}: {(error.strerror or str(error)).lower()}", remedy)
