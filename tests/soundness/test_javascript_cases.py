"""Every evasion and idiom of `javascript/*.cases` is reported; a share of the scripts is run to see that the claims are true."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from casefile import Case, read_cases
from node_truth import TYPED, has_tools, observe, script_of

from each_row import each_row
from remit.analysis.session import analyse
from remit.skill.load import load_skill

CASES = read_cases("javascript")
PARTS = 40  # a test for each case costs as much again as the cases do
# What a trace of system calls cannot tell apart.
SEEN_AS = {
    "web.fetch": "net.connect", "web.post": "net.connect", "shell.execute": "process.create", "source.execute": "file.delete",
}  # fmt: skip
# With REMIT_ALL_CLAIMS every claim is tried; REMIT_TSX names a program that runs TypeScript.
SHARE = 1 if os.environ.get("REMIT_ALL_CLAIMS") else 40
RUNNER = Path(os.environ["REMIT_TSX"]) if os.environ.get("REMIT_TSX") else None
RUN = [case for case in CASES if case.run is not None and (RUNNER or not script_of(case).endswith(TYPED))][::SHARE]


@each_row("part", range(PARTS))
def test_reported(part: int, tmp_path: Path) -> None:
    for case in CASES[part::PARTS]:
        check(case, tmp_path)


def check(case: Case, folder: Path) -> None:
    effects = analyse(load_skill(case.write(folder)))
    found = {effect.capability for effect in effects.effects}
    found |= {name.replace("source.", "file.") for name in found if name != "source.execute"}
    missing = [wanted for wanted in case.wants if not found.intersection(wanted)]
    opaque = [f"{item.where.file}:{item.where.line}: {item.reason}" for item in effects.opaque]
    assert not missing or (opaque and case.opaque_ok), (sorted(found), opaque, case.place)
    assert case.opaque_ok or not opaque, (opaque, case.place)


@pytest.mark.skipif(not has_tools(), reason="needs node and strace")
@pytest.mark.parametrize("case", RUN, ids=lambda case: case.id)
def test_claim_is_true(case: Case, tmp_path: Path) -> None:
    seen = observe(case, tmp_path, RUNNER)
    for wanted in case.wants:
        assert seen.intersection(SEEN_AS.get(word, word) for word in wanted), (sorted(seen), case.place)
