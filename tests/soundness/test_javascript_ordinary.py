"""Ordinary JavaScript: exactly the capabilities that a reader would name, no wider than need be, and nothing opaque."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casefile import Case, read_cases

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path


@each_row("case", read_cases("javascript_ordinary"), ids=lambda case: case.id)
def test_exact(case: Case, tmp_path: Path) -> None:
    effects = analyse(load_skill(case.write(tmp_path)))
    assert not effects.opaque, case.place
    found = {effect.capability for effect in effects.effects if not effect.scope.render().startswith("env:")}
    assert sorted(found) == sorted(case.exact or []), case.place
    wide = {effect.capability for effect in effects.effects if effect.scope.render() == "any"}
    assert wide == {*case.any_scope, *case.wide}, case.place
