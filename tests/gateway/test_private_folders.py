"""What the gateway makes for itself is closed to others, up to the first folder that was there."""

import os

import pytest

from remit.gateway.deployment.folders import make_folder
from remit.gateway.private_files import made_once
from remit.guard.state_folder import checked


@pytest.fixture
def state(tmp_path):
    before = os.umask(0o022)
    yield tmp_path / "s" / "remit"
    os.umask(before)


def test_the_guard_accepts_the_folder_in_which_an_installation_was_made_first(state):
    make_folder(state / "up", None)
    checked(state)


def test_the_guard_accepts_the_folder_in_which_a_secret_was_made_first(state):
    made_once(state / "gateway" / "chat.key", "a key", 4, lambda: b"1234")
    checked(state)
