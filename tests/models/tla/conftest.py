"""TLC, if it runs here; it is started once for all tests of a file."""

import shutil

import pytest

from remit.core.errors import PackageError
from remit.models.tla.runner import Tlc, ready


@pytest.fixture(scope="session")
def tlc(tmp_path_factory):
    if shutil.which("java") is None:
        pytest.skip("no Java is installed")
    try:
        ready()
        started = Tlc(tmp_path_factory.mktemp("tlc"))
    except PackageError as error:
        pytest.skip(error.message)
    with started:
        yield started
