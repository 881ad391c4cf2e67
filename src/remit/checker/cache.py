"""Cache of results, by the digest of their inputs. If it cannot be read or written, checks are only slower.

An entry is one JSON file, named by its key, that begins with the digest of the rest: a truncated or corrupted entry is
a miss. A process that can write to this folder can change the user's files anyway, so entries are not signed.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import json
import os
from pathlib import Path
from typing import Any, NamedTuple

MAX_BYTES = 256 * 1024 * 1024
MAX_ENTRIES = 20_000
_LOOKS = 256  # checks of the size while as much is written as the limits allow
_SUFFIX = ".json"


class Usage(NamedTuple):
    """The contents of the cache."""

    entries: int
    bytes: int


def folder() -> Path:
    """Return the cache folder: `$XDG_CACHE_HOME/remit`, or `~/.cache/remit`."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    home = Path(base) if base and os.path.isabs(base) else Path(os.path.expanduser("~")) / ".cache"
    return home / "remit"


class Cache:
    """The results in one folder."""

    def __init__(
        self,
        place: Path | None = None,
        secret: bytes = b"",
        *,
        max_bytes: int = MAX_BYTES,
        max_entries: int = MAX_ENTRIES,
    ) -> None:
        self.place = place or folder()
        self.max_bytes = max_bytes
        self.max_entries = max_entries
        self._secret = secret
        self._writes = 0

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the entry of a key, or None."""
        path = self._path(key)
        try:
            found = unsealed(key, path.read_bytes(), self._secret)
        except OSError:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # pruning removes the least recently used
        return found

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Store an entry, atomically."""
        path = self._path(key)
        draft = path.with_name(f"{path.name}.{os.getpid()}.new")
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                draft.write_bytes(sealed(key, value, self._secret))
                draft.replace(path)
            finally:
                draft.unlink(missing_ok=True)
        except OSError:
            return
        self._writes += 1
        if self._writes % max(1, self.max_entries // _LOOKS) == 1:
            self.prune()

    def _path(self, key: str) -> Path:
        return self.place / key[:2] / f"{key[2:]}{_SUFFIX}"

    def _entries(self) -> list[tuple[int, int, str]]:
        """Return time of last use, size and path of every file of ours, including temporary files of dead processes."""
        out: list[tuple[int, int, str]] = []
        with contextlib.suppress(OSError):
            for shard in os.scandir(self.place):
                if len(shard.name) == 2 and shard.is_dir(follow_symlinks=False):
                    out += _files(shard.path)
        return out

    def usage(self) -> Usage:
        """Return how much the cache holds."""
        entries = self._entries()
        return Usage(len(entries), sum(size for _, size, _ in entries))

    def prune(self) -> None:
        """Remove the oldest entries until a tenth of the limits is free."""
        max_bytes, max_entries = self.max_bytes, self.max_entries
        entries = sorted(self._entries(), reverse=True)
        if len(entries) <= max_entries and sum(size for _, size, _ in entries) <= max_bytes:
            return
        total = 0
        for number, (_, size, path) in enumerate(entries, 1):
            total += size
            if number > max_entries * 9 // 10 or total > max_bytes * 9 // 10:
                _remove(path)

    def clear(self) -> Usage:
        """Remove every entry, and return what was removed."""
        before = self.usage()
        for _, _, path in self._entries():
            _remove(path)
        with contextlib.suppress(OSError):
            for shard in list(os.scandir(self.place)):
                if len(shard.name) == 2 and shard.is_dir(follow_symlinks=False):
                    with contextlib.suppress(OSError):
                        os.rmdir(shard.path)
        return before


def sealed(key: str, value: dict[str, Any], secret: bytes = b"") -> bytes:
    """Return an entry in stored form: its digest (with a secret: its signature), and its content."""
    body = json.dumps(value, separators=(",", ":")).encode("ascii")
    return _seal(key, body, secret) + b"\n" + body


def unsealed(key: str, data: bytes, secret: bytes = b"") -> dict[str, Any] | None:
    """Return the content of an entry; None if it is truncated, of another key, or not signed with the secret."""
    head, _, body = data.partition(b"\n")
    if not hmac.compare_digest(head, _seal(key, body, secret)):
        return None
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _seal(key: str, body: bytes, secret: bytes) -> bytes:
    text = key.encode() + body
    found = hmac.new(secret, text, hashlib.sha256) if secret else hashlib.sha256(text)
    return found.hexdigest().encode("ascii")


def _files(shard: str) -> list[tuple[int, int, str]]:
    out: list[tuple[int, int, str]] = []
    with contextlib.suppress(OSError):
        for entry in os.scandir(shard):
            if entry.name.endswith((_SUFFIX, ".new")) and entry.is_file(follow_symlinks=False):
                seen = entry.stat(follow_symlinks=False)
                out.append((seen.st_mtime_ns, seen.st_size, entry.path))
    return out


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
