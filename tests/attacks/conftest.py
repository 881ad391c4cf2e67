import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
from attack_parts import Author, author_in


@pytest.fixture(scope="session")
def _author(tmp_path_factory) -> Author:
    """The example skill, proved and signed once for all attacks."""
    return author_in(tmp_path_factory.mktemp("author"))


@pytest.fixture
def author(_author, tmp_path) -> Author:
    """A copy of it that an attack may spoil."""
    return _author.copied(tmp_path / "copy")


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")
