"""Shell scripts that try to hide what they do: each is reported, and each was seen to do it."""

from __future__ import annotations

import shell_alternatives
import shell_code
import shell_programs
import shell_words
from shell_cases import check, really, runnable

from each_row import each_row

CASES = [*shell_alternatives.CASES, *shell_words.CASES, *shell_code.CASES, *shell_programs.CASES]
PARTS = 30  # a test for each case costs as much again as the cases do


def test_ids_are_unique():
    ids = [case.id for case in CASES]
    assert len(ids) == len(set(ids)), sorted(name for name in set(ids) if ids.count(name) > 1)


@each_row("part", range(PARTS))
def test_reported(part, tmp_path):
    for case in CASES[part::PARTS]:
        check(case, tmp_path / case.id)


@each_row("case", [case for case in CASES if runnable(case)], ids=lambda case: case.id)
def test_really_happens(case, tmp_path):
    really(case, tmp_path)
