import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]


@pytest.fixture(scope="module")
def chromium():
    """One browser for the tests of a module: while it runs, this thread has an event loop, which others must not find."""
    from chromium_browser import started

    with started() as browser:
        yield browser
