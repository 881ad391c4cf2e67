"""A console on a free port of this machine, a client for plain requests, and a tab of Chromium."""

import pytest
from consoling import Running, Tab, make

from chromium_browser import VIOLATIONS
from remit.web.console.settings import ConsoleSettings


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory):
    """Results of the analysis lie with the tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def settings(tmp_path):
    """Override it for other settings: the skills of a test lie below `skills`."""
    for name in ("skills", "state"):
        (tmp_path / name).mkdir(mode=0o700)
    return ConsoleSettings((tmp_path / "skills",), tmp_path / "state", tmp_path / "state" / "authority")


@pytest.fixture
def console(settings):
    """Override it for a console with other parts."""
    return make(settings)


@pytest.fixture
def running(console):
    with Running(console) as found:
        yield found


@pytest.fixture
def client(running):
    with running.client() as found:
        yield found


@pytest.fixture
def tab(chromium, running):
    """A tab that was let in, of the size of a laptop's window. `tab.page` is Playwright's page."""
    context = chromium.new_context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(60_000)
    context.add_init_script(VIOLATIONS)
    found = Tab(context.new_page(), running)
    found.enter()
    yield found
    context.close()
    assert found.wrong == []
