"""How often an ordinary program gets the scope `any` although it says more."""

from __future__ import annotations

from casefile import read_cases

KINDS = ("python_ordinary", "shell_ordinary", "javascript_ordinary")
MOST = 0.15


def test_few_programs_get_a_wider_scope_than_they_ask_for() -> None:
    cases = [case for kind in KINDS for case in read_cases(kind)]
    wide = [case.place for case in cases if case.wide]
    assert len(wide) <= MOST * len(cases), wide
