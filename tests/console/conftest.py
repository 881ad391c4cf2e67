"""A console on a free port of this machine, a client for plain requests, and a tab of Chromium."""

from pathlib import Path

import pytest
from consoling import Running, Tab, make

from remit.web.console.settings import Settings

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-dev-shm-usage --disable-default-apps --no-default-browser-check"
).split()
VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
"""


@pytest.fixture
def settings(tmp_path):
    """Override it for other settings: the skills of a test lie below `skills`."""
    for name in ("skills", "state"):
        (tmp_path / name).mkdir(mode=0o700)
    return Settings((tmp_path / "skills",), tmp_path / "state", tmp_path / "state" / "authority")


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


@pytest.fixture(scope="session")
def chromium():
    """One browser for all tests of a worker."""
    if not CHROMIUM.exists():
        pytest.skip("there is no /usr/bin/chromium: tools/setup installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def tab(chromium, running):
    """A tab that was let in, of the size of a laptop's window. `tab.page` is Playwright's page."""
    context = chromium.new_context(viewport={"width": 1200, "height": 800}, reduced_motion="reduce", locale="en-GB")
    context.set_default_timeout(15_000)
    context.add_init_script(VIOLATIONS)
    found = Tab(context.new_page(), running)
    found.enter()
    yield found
    context.close()
    assert found.wrong == []
