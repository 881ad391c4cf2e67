"""Debian's Chromium, driven by Playwright, for tests that look at pages."""

from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = (
    "--no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update "
    "--disable-sync --disable-dev-shm-usage --disable-default-apps --no-default-browser-check"
).split()
VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) => console.error(`CSP: ${event.violatedDirective} ${event.blockedURI}`));
"""


@contextmanager
def started():
    """A browser; the test is skipped where there is none."""
    if not CHROMIUM.exists():
        pytest.skip("there is no /usr/bin/chromium: tools/setup installs it")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=FLAGS)
        yield browser
        browser.close()
