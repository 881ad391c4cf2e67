"""Ordinary scripts: exactly what they do is reported, with a scope, and nothing is opaque."""

from __future__ import annotations

from typing import TYPE_CHECKING

from casefile import Case, read_cases

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

if TYPE_CHECKING:
    from pathlib import Path


@each_row("case", read_cases("python_ordinary"), ids=lambda case: case.id)
def test_exact(case: Case, tmp_path: Path) -> None:
    effects = analyse(load_skill(case.write(tmp_path)))
    assert not [f"{item.where.file}:{item.where.line}: {item.reason}" for item in effects.opaque], case.place
    shown = {
        f"{effect.capability}({effect.scope.render()}) {effect.where.file}:{effect.where.line}"
        for effect in effects.effects
    }
    found = {effect.capability for effect in effects.effects if not effect.scope.render().startswith("env:")}
    assert case.exact is not None
    assert set(case.exact) <= found, sorted(shown)
    assert found <= {*case.exact, *case.extra}, sorted(shown)
    wide = {effect.capability for effect in effects.effects if effect.scope.render() == "any"}
    assert wide == {*case.any_scope, *case.wide}, sorted(shown)
