"""Links to every store that there is."""

import sys
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "executor"))
from servers import postgres, postgres_folder

from remit.gateway.inbound.stores.sql import postgres_link, sqlite_link

_NUMBERS = count()


@contextmanager
def sqlite_links(folder):
    yield lambda: sqlite_link(folder / "x.db")


@contextmanager
def postgres_server():
    if postgres_folder() is None:
        pytest.skip("PostgreSQL is not installed here")
    with postgres() as address:
        yield address


@contextmanager
def postgres_links(address):
    """Links to tables of its own, on a server that is used again; what a test left open ends with it."""
    import psycopg

    name = f"test{next(_NUMBERS)}"
    with psycopg.connect(address, autocommit=True) as link:
        link.execute(f"CREATE SCHEMA {name}")
        yield lambda: postgres_link(f"{address} options=-csearch_path={name}")
        link.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        )
