"""State of a gateway: files in its folder, or a PostgreSQL database that several gateways share; and its encryption.

Statements are written for SQLite and translated for PostgreSQL. In both, a change locks the state against all other
gateways. Values are encrypted with AES-256-GCM under the gateway's own key, with a fresh nonce and bound to their
context, which is authenticated with the value: ciphertext that is moved to another handle, session or caller does not
decrypt.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from remit.authority.store import Store
from remit.bundle.files import read_small
from remit.core.digest import canonical
from remit.core.errors import AuthorityError, PackageError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.settings import PartySettings


KEY_BYTES, _NONCE_BYTES = 32, 12
_DOMAIN = b"remit/sealed/v1\0"


class Vault:
    """The encryption key of a gateway. It cannot be printed or pickled."""

    __slots__ = ("_cipher",)

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise AuthorityError(f"the key of a gateway has {KEY_BYTES} bytes", "let `remit up` make one")
        try:
            from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # noqa: PLC0415
        except ImportError:
            raise PackageError("cryptography", "authority") from None
        self._cipher = AESGCM(key)

    def __repr__(self) -> str:
        return "Vault()"

    def __reduce__(self) -> Any:
        raise TypeError("a key stays where it is")

    def seal(self, plain: bytes, about: dict[str, Any]) -> bytes:
        """Encrypt a value for storage. `about` is the context that it is bound to."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, plain, _DOMAIN + canonical(about))

    def unseal(self, sealed: bytes, about: dict[str, Any]) -> bytes:
        """Decrypt a value; AuthorityError if it was changed or is bound to another context."""
        from cryptography.exceptions import InvalidTag  # noqa: PLC0415  installed, or the vault would not exist

        try:
            return self._cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], _DOMAIN + canonical(about))
        except (InvalidTag, ValueError):
            raise AuthorityError("a sealed value was changed, or is of another key", "restore the store") from None


def read_vault(path: Path) -> Vault:
    """Read the key from a file; a file that others can read is refused."""
    return Vault(read_small(path, "the key of the gateway", KEY_BYTES, AuthorityError, private=True))


SERVER = "state-server"  # name of the settings file entry for the database address, which may hold a password
_MOST = 4096
_SCHEMA = "remit_gateway"
_LOCK = 0x72656D6975  # advisory lock of all gateways that share a database
_WORDS = (
    (re.compile(r"\)\s*STRICT(, WITHOUT ROWID)?"), ")"),
    (re.compile(r"INTEGER PRIMARY KEY AUTOINCREMENT"), "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"),
    (re.compile(r"\bINTEGER\b"), "BIGINT"),
    (re.compile(r"\bBLOB\b"), "BYTEA"),
    (re.compile(r"\?"), "%s"),
)


class Link(Protocol):
    """A connection that runs statements."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        """Run a statement and return a cursor."""
        ...


class State(Protocol):
    """One group of tables."""

    def change(self) -> AbstractContextManager[Link]:
        """Return a context for an atomic change; no other process changes anything meanwhile."""
        ...

    def look(self) -> AbstractContextManager[Link]:
        """Return a context for reading."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class Database(NamedTuple):
    """The address of a PostgreSQL database."""

    address: str


def open_state(place: Path | Database, form: str, *, durable: bool = True) -> State:
    """Open tables in a file or a database.

    `durable`: whether a file syncs each change to the disk; a database always does.
    """
    return PostgresState(place.address, form) if isinstance(place, Database) else Store(place, form, durable=durable)


def database_of(settings: PartySettings) -> Database | None:
    """Return the database that the settings of a gateway name, or None if its state lies in files."""
    if SERVER not in settings.files:
        return None
    data = read_small(settings.file(SERVER), "the address of the database", _MOST, UsageError, private=True)
    address = data.decode("utf-8", "replace").strip()
    if not address.startswith(("postgres://", "postgresql://")):
        raise UsageError(
            "the state of a gateway is at no address that is known", "write postgresql://USER@HOST/DATABASE"
        )
    return Database(address)


class _PostgresLink:
    """A PostgreSQL connection that accepts SQLite statements."""

    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Any:
        """See `Link`. String subclasses (such as enums) become plain strings."""
        plain = [str(one) if isinstance(one, str) else one for one in values]
        return self._connection.execute(_said(statement), plain)


class PostgresState:
    """Tables in a PostgreSQL database, shared by threads. A broken connection is reopened at the next use."""

    def __init__(self, address: str, form: str) -> None:
        try:
            import psycopg  # noqa: PLC0415  needed only for a shared database
        except ImportError:
            raise PackageError("psycopg", "postgres") from None
        self._psycopg: Any = psycopg
        self._address = address
        self._lock = threading.Lock()
        self._connection: Any = None
        with self.change() as link:
            for statement in form.split(";"):
                link.execute(statement)

    @contextmanager
    def change(self) -> Iterator[Link]:
        """See `State`."""
        with self._failing() as connection, connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
            yield _PostgresLink(connection)

    @contextmanager
    def look(self) -> Iterator[Link]:
        """See `State`."""
        with self._failing() as connection:
            yield _PostgresLink(connection)

    def close(self) -> None:
        """See `State`."""
        with self._lock:
            if self._connection is not None:
                self._connection.close()

    @contextmanager
    def _failing(self) -> Iterator[Any]:
        """Return the connection under a lock. Errors become AuthorityError, and nothing is retried."""
        with self._lock:
            try:
                if self._connection is None or self._connection.closed:
                    self._connection = self._connected()
                yield self._connection
            except self._psycopg.Error as error:
                message = f"the gateway's memory cannot be used: {type(error).__name__}"
                raise AuthorityError(message, "see that PostgreSQL runs") from None

    def _connected(self) -> Any:
        connection = self._psycopg.connect(self._address, autocommit=True, connect_timeout=5)
        connection.execute("SET synchronous_commit = on")
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))  # two gateways may start at once
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
        connection.execute(f"SET search_path TO {_SCHEMA}")
        return connection


def _said(statement: str) -> str:
    for words, others in _WORDS:
        statement = words.sub(others, statement)
    return statement
