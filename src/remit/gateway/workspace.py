"""The files of a workspace, read without following links."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from remit.gateway.acts import RefusedError

if TYPE_CHECKING:
    from pathlib import Path

MOST_BYTES = 256 * 1024
MOST_NAMES = 2_000
_DEEPEST = 64
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC  # opening a named pipe must not block


class Workspace:
    """Read access to one folder."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> str:
        """Return the text of a file."""
        parts = _parts(path)
        if not parts:
            raise RefusedError("NOT_TEXT", "this is a folder")
        with self._folder(parts[:-1]) as folder, _opened(parts[-1], _FILE, folder) as handle:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise RefusedError("NOT_TEXT", "this is not a plain file")
            data = b""
            while len(data) <= MOST_BYTES and (part := os.read(handle, MOST_BYTES + 1 - len(data))):
                data += part
        if len(data) > MOST_BYTES:
            raise RefusedError("NOT_TEXT", f"a file has more than {MOST_BYTES} bytes")
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise RefusedError("NOT_TEXT") from None

    def names(self, path: str) -> list[str]:
        """Return the names in a folder: folders end with a slash, links are left out."""
        with self._folder(_parts(path)) as folder, os.scandir(folder) as found:
            names = [
                f"{item.name}/" if item.is_dir(follow_symlinks=False) else item.name
                for item in found
                if not item.is_symlink() and item.name.isprintable()
            ]
        if len(names) > MOST_NAMES:
            raise RefusedError("NOT_TEXT", f"a folder has more than {MOST_NAMES} names")
        return sorted(names)

    def exists_inside(self, path: str) -> bool:
        """Return whether a path is a folder that is reached without links."""
        try:
            with self._folder(_parts(path)):
                return True
        except RefusedError:
            return False

    @contextmanager
    def _folder(self, parts: list[str]) -> Iterator[int]:
        with _opened(os.fspath(self._root), _FOLDER & ~os.O_NOFOLLOW, None) as root:
            held = os.dup(root)
            try:
                for part in parts:
                    with _opened(part, _FOLDER, held) as inner:
                        os.dup2(inner, held, inheritable=False)
                yield held
            finally:
                os.close(held)


def _parts(path: str) -> list[str]:
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if path.startswith("/") or ".." in parts or "\0" in path or len(parts) > _DEEPEST:
        raise RefusedError("PATH_OUTSIDE")
    return parts


@contextmanager
def _opened(name: str, flags: int, folder: int | None) -> Iterator[int]:
    try:
        handle = os.open(name, flags, dir_fd=folder)
    except FileNotFoundError:
        raise RefusedError("NOT_FOUND") from None
    except (OSError, ValueError):  # a link, or a part of the path that is no folder
        raise RefusedError("PATH_OUTSIDE") from None
    try:
        yield handle
    finally:
        os.close(handle)
