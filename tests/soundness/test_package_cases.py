"""What `package/*.cases` hide in the files and the prose of a package is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casefile import Case, read_cases

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path


@each_row("case", read_cases("package"), ids=lambda case: case.id)
def test_reported(case: Case, tmp_path: Path) -> None:
    effects = analyse(load_skill(case.write(tmp_path)))
    found = {effect.capability for effect in effects.effects}
    missing = [wanted for wanted in case.wants if not found.intersection(wanted)]
    opaque = [f"{item.where.file}:{item.where.line}: {item.reason}" for item in effects.opaque]
    assert not missing or opaque, (sorted(found), case.place)
    if not case.opaque_ok:
        assert not opaque, case.place
        assert not missing, case.place
