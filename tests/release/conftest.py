import pytest
from releases import core_environment, site_packages, tool

from made_once import made_once


def _build(out):
    done = tool(out, "build", umask=0o077, TZ="Asia/Tokyo")
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    """Wheel, sdist and bill of materials of the commit that is checked out."""
    return made_once(tmp_path_factory, "release", _build)


@pytest.fixture(scope="session")
def wheel(release):
    return next(release.glob("*.whl"))


@pytest.fixture(scope="session")
def environment(tmp_path_factory, wheel):
    """A home with nothing in it, and an environment with the core alone: its folder, and its site-packages."""
    place = made_once(tmp_path_factory, "core", lambda place: core_environment(place / "venv", wheel)) / "venv"
    return place, site_packages(place)
