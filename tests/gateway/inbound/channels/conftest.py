"""A store with channels before it."""

import pytest
from channelrooms import Room


@pytest.fixture
def room(tmp_path):
    made = Room(tmp_path)
    yield made
    made.store.close()


@pytest.fixture
def rooms(tmp_path):
    made = []

    def make(*args, **fields):
        made.append(Room(tmp_path, *args, **fields))
        return made[-1]

    yield make
    for one in made:
        one.store.close()
