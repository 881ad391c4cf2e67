"""A run of the tests ends with the number of skipped tests by reason."""

from types import SimpleNamespace

from by_day import skips_by_reason


def test_skips_are_counted_by_reason():
    given = ["no node", "only at night", "no node"]
    reports = [SimpleNamespace(longrepr=("f.py", 1, f"Skipped: {reason}")) for reason in given]
    assert skips_by_reason(reports) == ["     2 skipped: no node", "     1 skipped: only at night"]


def test_a_run_without_skips_prints_nothing():
    assert skips_by_reason(()) == []
