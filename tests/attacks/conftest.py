import pytest
from attack_parts import Author, author_in
from attacked_sessions import Real, Recorded, Scratch, collector
from claude_runs import Claude
from host_packages import CLAUDE_CODE, installed

from made_once import made_once


@pytest.fixture(scope="session")
def _author(tmp_path_factory) -> Author:
    """The example skill, proved and signed once for all attacks."""
    return Author(made_once(tmp_path_factory, "author", author_in))


@pytest.fixture
def author(_author, tmp_path) -> Author:
    """A copy of it that an attack may spoil."""
    return _author.copied(tmp_path / "copy")


@pytest.fixture(autouse=True)
def _own_place(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("NO_COLOR", "1")


@pytest.fixture(params=["real_host_needs_node", "recorded"])
def agent(request, tmp_path, monkeypatch):
    """An agent that does all that it is told, with the whole guard in its host."""
    for name in ("home", "work", "hook"):
        (tmp_path / name).mkdir()
    if request.param == "recorded":
        found = Recorded(Scratch(tmp_path), monkeypatch)
    else:
        found = Real(Claude(installed(CLAUDE_CODE, "claude"), tmp_path), monkeypatch)
    yield found
    found.end()


@pytest.fixture
def sink():
    """Somebody who takes whatever is sent: the address, and what came."""
    with collector() as found:
        yield found
