"""A gateway of one's own, as a process, with a visitor and a device."""

import pytest
from websockets.sync.client import connect

from running_gateway import Running
from visiting import Visitor


@pytest.fixture
def start_gateway(tmp_path):
    """Starts one; by what settings is told."""
    started = []

    def start(settings=None, *more, **named):
        started.append(Running(tmp_path, settings, *more, **named))
        return started[-1]

    yield start
    for gateway in started:
        gateway.close()


@pytest.fixture
def running(start_gateway):
    return start_gateway()


@pytest.fixture
def visitor(running):
    with connect(f"ws://127.0.0.1:{running.port}/chat") as socket:
        yield Visitor(socket)
