"""The replay store that an executor uses: a local file, or a server that executors on several machines share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from remit.bundle.files import read_small
from remit.core.errors import UsageError
from remit.executor.replay.redis import RedisMemory
from remit.executor.replay.sql import PostgresMemory, SqliteMemory

if TYPE_CHECKING:
    from remit.authority.settings import PartySettings
    from remit.executor.replay.memory import Memory

FILE, SERVER = (
    "memory",
    "memory-server",
)  # names in the settings; the second is a file with the address, which may hold a password
_MOST = 4096
_SERVERS: Mapping[str, Callable[[str], Memory]] = {
    "redis": RedisMemory,
    "rediss": RedisMemory,
    "unix": RedisMemory,  # a Redis behind a Unix socket
    "postgres": PostgresMemory,
    "postgresql": PostgresMemory,
}


def open_memory(settings: PartySettings) -> Memory:
    """Open the store that the settings name; UsageError if they name none, several, or an unknown kind."""
    if SERVER not in settings.files:
        return SqliteMemory(settings.file(FILE))
    if FILE in settings.files:
        raise UsageError(
            f"the settings name both `{FILE}` and `{SERVER}`", "keep one: actions are remembered in one place"
        )
    data = read_small(settings.file(SERVER), "the address of the memory", _MOST, UsageError, private=True)
    address = data.decode("utf-8", "replace").strip()
    kind, there, _ = address.partition("://")
    try:
        if there and kind in _SERVERS:
            return _SERVERS[kind](address)
    except ValueError:  # an invalid port, for instance
        pass
    wanted = ", ".join(f"{name}://…" for name in _SERVERS)
    raise UsageError("the memory is at no address that is known", f"write one of {wanted}")
