"""Store of results for the next scan, and for other workers of this one: a folder, or Redis.

A process that can write to the store can forge results. The user's own folder is as safe as the user's other files. A
store that others can write to, and Redis always, requires a key (`secret`), which signs every entry: entries without a
valid signature are ignored.
"""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from remit.checker.cache import Cache, folder, sealed, unsealed
from remit.core.errors import UsageError

if TYPE_CHECKING:
    import redis

REDIS = ("redis://", "rediss://", "unix://")
MAX_BYTES = 4 * 1024 * 1024 * 1024
MAX_ENTRIES = 500_000
_PREFIX = "remit:scan:"
_PATIENCE = 5  # seconds for a response
_PAUSE = 30  # seconds for which a failed Redis is not used: scans are only slower without
_LEAST_SECRET = 32
_SIGN = "sign what is kept: `openssl rand -hex 32 > key`, and `--cache-key key` for all who share it"


class Store(Protocol):
    """Results by key."""

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the entry of a key, or None."""
        ...

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Store an entry, if possible."""
        ...


class RedisStore:
    """Results in Redis. After a failure it is not used for a while."""

    def __init__(self, url: str, secret: bytes = b"") -> None:
        import redis  # noqa: PLC0415  an extra

        self._failures: tuple[type[Exception], ...] = (redis.RedisError, OSError)
        self._redis: redis.Redis = redis.Redis.from_url(url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE)
        self._secret = secret
        self._resting = 0.0

    def get(self, key: str) -> dict[str, Any] | None:
        """Return the entry of a key, or None."""
        data = self._try(lambda: self._redis.get(_PREFIX + key))
        return unsealed(key, data, self._secret) if isinstance(data, bytes) else None

    def put(self, key: str, value: dict[str, Any]) -> None:
        """Store an entry."""
        self._try(lambda: self._redis.set(_PREFIX + key, sealed(key, value, self._secret)))

    def ping(self) -> None:
        """Raise UsageError if Redis is not reachable."""
        try:
            self._redis.ping()
        except self._failures as error:
            raise UsageError(f"the cache does not answer: {error}", "start the Redis, or give a folder") from None

    def _try(self, ask: Callable[[], object]) -> object:
        if time.monotonic() < self._resting:
            return None
        try:
            return ask()
        except self._failures:
            self._resting = time.monotonic() + _PAUSE
            return None


def default_place() -> Path:
    """Return the default folder of results."""
    return folder() / "scan"


def open_store(where: str, key_file: str = "") -> Cache | RedisStore | None:
    """Open the store at a folder or URL; None if there is to be none."""
    if not where:
        return None
    secret = _secret(key_file) if key_file else b""
    if where.startswith(REDIS):
        if not secret:
            raise UsageError("anyone who reaches a Redis could change what is reported about skills", _SIGN)
        return RedisStore(where, secret)
    if "://" in where:
        raise UsageError(f"`{where}` is no cache", f"give a folder, or a URL that begins with {' or '.join(REDIS)}")
    if not secret and _of_others(Path(where)):
        raise UsageError(
            f"others can write to the cache `{where}`, and could change what is reported about skills", _SIGN
        )
    return Cache(Path(where), secret, max_bytes=MAX_BYTES, max_entries=MAX_ENTRIES)


def _of_others(folder: Path) -> bool:
    """Whether a folder belongs to another user, or everyone may write to it."""
    try:
        seen = folder.stat()
    except OSError:  # there is none yet, or nothing comes of it
        return False
    return seen.st_uid != os.geteuid() or bool(seen.st_mode & stat.S_IWOTH)


def _secret(key_file: str) -> bytes:
    try:
        secret = Path(key_file).read_bytes().strip()
    except OSError as error:
        reason = (error.strerror or "error").lower()
        raise UsageError(f"the key `{key_file}` cannot be read: {reason}", "`openssl rand -hex 32` makes one") from None
    if len(secret) < _LEAST_SECRET:
        raise UsageError(
            f"the key `{key_file}` is shorter than {_LEAST_SECRET} bytes", "`openssl rand -hex 32` makes one"
        )
    return secret
