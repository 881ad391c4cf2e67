import os
import tempfile

import pytest
from git_server import GitServer


@pytest.fixture(autouse=True)
def temporary(tmp_path, monkeypatch):
    """A folder for temporary files. After every test it is empty: nothing is left behind, whatever happened."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    yield folder
    assert os.listdir(folder) == []


@pytest.fixture
def server(tmp_path):
    """A Git server on loopback, with the repositories below `served`."""
    (tmp_path / "served").mkdir()
    with GitServer(tmp_path / "served") as found:
        yield found
