"""The store of a gateway: a database that it shares with others, or a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import PackageError
from remit.gateway.inbound.stores.running import Store, Watcher
from remit.gateway.inbound.stores.sqlite import sqlite_link
from remit.gateway.inbound.stores.tables import TABLES

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.settings.values import Settings

FILE = "gateway.db"


def open_store(settings: Settings, folder: Path, watcher: Watcher | None = None) -> Store:
    """The store that the settings name."""
    if not settings.database:
        return Store(sqlite_link(folder / FILE), TABLES, watcher)
    try:
        from remit.gateway.inbound.stores.postgres import postgres_link  # noqa: PLC0415  only who shares one needs it
    except ImportError:
        raise PackageError("psycopg", "postgres") from None
    return Store(postgres_link(settings.database), TABLES, watcher)
