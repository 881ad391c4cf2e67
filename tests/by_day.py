"""How much of the same is tried by day: every run draws other examples, and at night there are as many as a test says."""

import os
from collections import Counter

import pytest

NIGHTLY = "REMIT_NIGHTLY"


def many(at_night, least=40):
    """Of this many examples: all of them at night, and a fifth by day, or so many as are the least that says something."""
    return at_night if os.environ.get(NIGHTLY) else max(min(at_night, least), at_night // 5)


def but_by_night(cases, slow, called=str):
    """All cases as parameters; those that `slow` holds run only at night."""
    names = {case: called(case) for case in cases}
    assert not set(slow) - set(names.values()), "named as slow, and no case"
    return [pytest.param(case, id=f"{name}_nightly" if name in slow else name) for case, name in names.items()]


def skips_by_reason(reports):
    """Lines that say how many tests were skipped for which reason, the most frequent first."""
    reasons = Counter(str(report.longrepr[2]).removeprefix("Skipped: ") for report in reports)
    return [
        f"{count:6} skipped: {reason}" for reason, count in sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
    ]
