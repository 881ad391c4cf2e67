"""One arena for the attacks of a module, another for each that changes something."""

import tempfile

import pytest
from attack_arena import Arena


def _arena(root):
    before, tempfile.tempdir = tempfile.tempdir, str(root / "tmp")
    try:
        return Arena(root)
    finally:
        tempfile.tempdir = before


@pytest.fixture(scope="module")
def baited(tmp_path_factory):
    arena = _arena(tmp_path_factory.mktemp("baited"))
    arena.bait()
    yield arena
    arena.close()


@pytest.fixture
def arena(tmp_path):
    found = _arena(tmp_path)
    yield found
    found.close()
