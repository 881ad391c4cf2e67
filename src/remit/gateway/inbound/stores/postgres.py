"""Store in a PostgreSQL database, for gateways on several machines.

A transaction has exclusive access, as in a file.
"""

from __future__ import annotations

import psycopg

from remit.core.errors import AuthorityError
from remit.gateway.inbound.stores.sql import Dialect, SqlLink

_LOCK = 0x72656D6974  # advisory lock of all gateways that share a database


def _failed(error: Exception) -> AuthorityError:
    told = str(error).splitlines()[0] if str(error) else type(error).__name__
    return AuthorityError(f"the gateway's store can not be used: {told}", "look at the database")


_DIALECT = Dialect(
    "remit_kept", "BYTEA", "BIGINT", "", "%s", ("BEGIN", f"SELECT pg_advisory_xact_lock({_LOCK})"), (psycopg.Error,), _failed
)  # fmt: skip


def postgres_link(address: str) -> SqlLink:
    """Return a link to the database at an address."""
    try:
        link = psycopg.connect(address, autocommit=True)
        link.execute("SET synchronous_commit = on")
    except psycopg.Error as error:
        raise _failed(error) from None
    return SqlLink(link.cursor(), link.close, _DIALECT)
