"""Opening of the gateway's store: a shared database, or a local file."""

from __future__ import annotations

import os
import sqlite3
from typing import TYPE_CHECKING

from remit.authority.store import FAILURES, unusable
from remit.core.errors import AuthorityError, PackageError
from remit.gateway.inbound.stores.operation_runner import Store, Watcher
from remit.gateway.inbound.stores.sql import Dialect, SqlLink
from remit.gateway.inbound.stores.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.settings.values import Settings


def _failed(error: Exception) -> AuthorityError:
    return unusable("the gateway's store", error)


_DIALECT = Dialect(
    "kept", "BLOB", "INTEGER", " STRICT, WITHOUT ROWID", "?", ("BEGIN IMMEDIATE",), FAILURES, _failed
)  # fmt: skip


def sqlite_link(path: Path) -> SqlLink:
    """Return a link to the SQLite file, which is created if needed."""
    try:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600))
        link = sqlite3.connect(path, timeout=10, isolation_level=None, check_same_thread=False)
        link.execute("PRAGMA journal_mode = WAL")
        link.execute("PRAGMA synchronous = FULL")
    except FAILURES as error:
        raise _failed(error) from None
    return SqlLink(link.cursor(), link.close, _DIALECT)


FILE = "gateway.db"


def open_store(settings: Settings, folder: Path, watcher: Watcher | None = None) -> Store:
    """Return the store that the settings name."""
    if not settings.database:
        return Store(sqlite_link(folder / FILE), TABLES, watcher)
    try:
        from remit.gateway.inbound.stores.postgres import postgres_link  # noqa: PLC0415  needed only for a shared database
    except ImportError:
        raise PackageError("psycopg", "postgres") from None
    return Store(postgres_link(settings.database), TABLES, watcher)
