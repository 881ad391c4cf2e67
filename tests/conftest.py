"""What every test shares: no deadlines (machines are noisy), one width of the terminal, and what runs only at night."""

import gc
import os

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("remit", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("remit")
os.environ["COLUMNS"] = "80"
NIGHTLY = "REMIT_NIGHTLY"


def pytest_collection(session):
    """Nothing of what is collected becomes garbage, of which there would be a search every few hundred tests."""
    gc.disable()


def pytest_collection_finish(session):
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(items):
    """What has `_nightly` in its name runs where REMIT_NIGHTLY is set: facts that hang on pinned versions, and more of the same."""
    if os.environ.get(NIGHTLY):
        return
    for item in items:
        if "_nightly" in item.nodeid:
            item.add_marker(pytest.mark.skip(reason=f"only at night: set {NIGHTLY}=1"))
