"""Stores of a gateway that is all in this process."""

import pytest

from remit.gateway.handles import Handles
from remit.gateway.state import Vault
from remit.gateway.transactions import Transactions


@pytest.fixture
def vault():
    return Vault(b"v" * 32)


@pytest.fixture
def handles(tmp_path, vault):
    store = Handles(tmp_path / "handles.db", vault)
    yield store
    store.close()


@pytest.fixture
def transactions(tmp_path, vault):
    store = Transactions(tmp_path / "tx.db", vault)
    yield store
    store.close()


@pytest.fixture
def world(tmp_path):
    from gateworld import World

    made = World(tmp_path)
    yield made
    made.close()
