import pytest
from releases import core_environment, tool


@pytest.fixture(scope="session")
def release(tmp_path_factory):
    """Wheel, sdist and bill of materials of the commit that is checked out."""
    out = tmp_path_factory.mktemp("release")
    done = tool(out, "build", umask=0o077, TZ="Asia/Tokyo")
    assert done.returncode == 0, done.stderr
    return out


@pytest.fixture(scope="session")
def wheel(release):
    return next(release.glob("*.whl"))


@pytest.fixture(scope="session")
def environment(tmp_path_factory, wheel):
    """A home with nothing in it, and an environment with the core alone: its folder, and its site-packages."""
    place = tmp_path_factory.mktemp("core")
    return place / "venv", core_environment(place / "venv", wheel)
