"""Our own source with a small room that acts, and with what a test plants into it."""

from pathlib import Path

import pytest
from planting import OWN

from self_analysis.doors import check_doors
from self_analysis.source import own_source

ROOM = Path(__file__).parent / "fixtures" / "acting"


@pytest.fixture(scope="session")
def source():
    """Remit and the room `acting`."""
    return {**own_source(), **{f"remit/acting/{path.name}": path.read_text() for path in sorted(ROOM.glob("*.py"))}}


@pytest.fixture
def planted(source):
    """What is found when lines are added to a module of the room, or to another file."""

    def check(text="", file="remit/acting/start.py", replace=("", "")):
        old, new = replace
        before = source.get(file, "")
        assert old in before
        changed = {**source, file: before.replace(old, new) + text}
        return check_doors(changed, "acting", OWN)

    return check
