"""Long programs end in an opaque location after a fixed number of steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize(
    ("line", "copies"),
    [
        ('x=$(cmd "$y" | sed s/a/b/); y=$x', 4000),
        ('case "$1" in a) v=$2;; b) v=c;; *) if [ -f "$v" ]; then v=d; else v=e; fi;; esac', 4000),
    ],
)
def test_a_dense_shell_script_is_opaque(tmp_path: Path, line: str, copies: int) -> None:
    (tmp_path / "SKILL.md").write_text("---\nname: dense\ndescription: d\n---\nRun `bash a.sh`.\n")
    (tmp_path / "a.sh").write_text("#!/bin/bash\n" + f"{line}\n" * copies)
    reasons = {item.reason for item in analyse(load_skill(tmp_path)).opaque}
    assert "the shell program takes too many steps to follow" in reasons
