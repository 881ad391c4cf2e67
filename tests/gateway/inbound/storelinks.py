"""Links to every store that there is."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "executor"))
from servers import postgres, postgres_folder

from remit.gateway.inbound.stores.sqlite import SqliteLink
from remit.gateway.inbound.stores.tables import TABLES


@contextmanager
def sqlite_link(tmp_path):
    yield lambda: SqliteLink(tmp_path / "x.db", TABLES)


@contextmanager
def postgres_link(_):
    if postgres_folder() is None:
        pytest.skip("PostgreSQL is not installed here")
    from remit.gateway.inbound.stores.postgres import PostgresLink

    with postgres() as address:
        yield lambda: PostgresLink(address, TABLES)


LINKS = {"sqlite": sqlite_link, "postgres": postgres_link}
