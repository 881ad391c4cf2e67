"""Draft a manifest, then check the skill against it: it is contained, whatever it does, unless a place is not understood."""

import os
import random
import sys
from pathlib import Path

import pytest

from by_day import but_by_night
from each_row import each_row
from remit.analysis.session import analyse
from remit.checker.report import judge
from remit.core.errors import RemitError
from remit.manifest.draft.draft import draft
from remit.manifest.read import parse_manifest
from remit.manifest.render import render
from remit.proof import Verdict
from remit.skill.find import find_skills
from remit.skill.load import load_skill

ROOT = Path(__file__).parents[2]
SHARED = ROOT.parent / "shared" / "cases"
sys.path.insert(0, str(ROOT / "tests" / "soundness"))

from casefile import read_cases  # noqa: E402


def round_trip(root: Path) -> None:
    skill = load_skill(root)
    found = analyse(skill, ())
    text = render(draft(skill, found.effects, found.commands, found.uses).manifest)
    report = judge(found, parse_manifest(text.encode(), "remit.json"))
    assert report.containment.escapes == ()
    assert report.verdict is (Verdict.OPAQUE if found.opaque else Verdict.CONTAINED)
    assert (
        render(draft(load_skill(root), found.effects, found.commands, found.uses).manifest) == text
    )  # the same skill gives the same draft


@each_row("main", sorted((ROOT / "examples").rglob("SKILL.md")), ids=lambda path: path.parent.name)
def test_examples(main):
    round_trip(main.parent)


CORPUS = os.environ.get("REMIT_CORPUS", "")


@pytest.mark.skipif(not CORPUS, reason="REMIT_CORPUS names no folder of public skills")
def test_public_skills_where_they_are_present():
    folders = sorted(find_skills(CORPUS))
    for folder in random.Random(60).sample(folders, min(60, len(folders))):
        try:
            load_skill(folder)
        except RemitError:
            continue  # refused with a reason: there is nothing to draft
        round_trip(folder)


CASES = ["package", "python_ordinary", "javascript_ordinary", "shell_ordinary"]


@pytest.mark.parametrize("folder", but_by_night(CASES, {"python_ordinary"}))
def test_cases_of_the_analysis(folder, tmp_path):
    for number, case in enumerate(read_cases(folder)):
        round_trip(case.write(tmp_path / str(number)))


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared cases lie beside the working copy only")
def test_shared_cases_where_they_are_present():
    roots = sorted(path.parent for path in SHARED.glob("*/*/SKILL.md"))
    assert roots
    for root in roots:
        round_trip(root)
