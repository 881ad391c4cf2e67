"""Fixtures of the rule tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from skills import Found, check_skill

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture
def python(tmp_path: Path) -> Callable[..., Found]:
    """Analyse one Python script."""
    return lambda source, **files: check_skill(tmp_path / "skill", {"scripts/main.py": source, **files})


@pytest.fixture
def shell(tmp_path: Path) -> Callable[[str], Found]:
    """Analyse one bash script."""
    return lambda source: check_skill(tmp_path / "skill", {"scripts/run.sh": "#!/usr/bin/env bash\n" + source})


@pytest.fixture
def node(tmp_path: Path) -> Callable[[str], Found]:
    """Analyse one Node script."""
    return lambda source: check_skill(tmp_path / "skill", {"scripts/main.js": source})


@pytest.fixture
def skill(tmp_path: Path) -> Callable[..., Found]:
    """Analyse a skill of several files."""
    return lambda files, text="Use the scripts.\n": check_skill(tmp_path / "skill", files, text)
