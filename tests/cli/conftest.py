import pytest


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch):
    """Every test has its own cache, memory of what was accepted, and current folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("REMIT_DEBUG", raising=False)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)


@pytest.fixture
def work(tmp_path):
    return tmp_path / "work"
