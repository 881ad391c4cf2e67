"""Walls for tests; they are skipped where the machine has none."""

import pytest
from walled import Walled

from remit.guard.walls import Walls


@pytest.fixture
def walled(tmp_path):
    found = Walled(tmp_path)
    if problem := found.walls.problem():
        pytest.skip(f"no walls on this machine: {problem}")
    yield found
    found.close()


@pytest.fixture
def no_walls(monkeypatch):
    """A machine on which walls cannot be made."""
    monkeypatch.setattr(Walls, "_prepared", lambda _: "user namespaces are forbidden on this machine")
