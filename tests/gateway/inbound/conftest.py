"""Every store."""

import pytest
from storelinks import postgres_links, postgres_server, sqlite_links


@pytest.fixture(scope="session")
def server():
    """One for all tests: to start it takes seconds."""
    with postgres_server() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgres"])
def links(request, tmp_path):
    with (
        sqlite_links(tmp_path) if request.param == "sqlite" else postgres_links(request.getfixturevalue("server"))
    ) as made:
        yield made
