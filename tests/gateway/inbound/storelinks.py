"""Links to every store that there is."""

import sys
from contextlib import contextmanager
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "executor"))
from servers import postgres, postgres_folder

from remit.gateway.inbound.stores.sqlite import sqlite_link


@contextmanager
def sqlite_links(tmp_path):
    yield lambda: sqlite_link(tmp_path / "x.db")


@contextmanager
def postgres_links(_):
    if postgres_folder() is None:
        pytest.skip("PostgreSQL is not installed here")
    from remit.gateway.inbound.stores.postgres import postgres_link

    with postgres() as address:
        yield lambda: postgres_link(address)


LINKS = {"sqlite": sqlite_links, "postgres": postgres_links}
