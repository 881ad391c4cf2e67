"""How much of the same is tried by day: every run draws other examples, and at night there are as many as a test says."""

import os

NIGHTLY = "REMIT_NIGHTLY"
_LEAST = 60  # so many examples a property has by day, if it says as many at all


def many(at_night):
    """Of this many examples: all of them at night, and a fifth by day."""
    return at_night if os.environ.get(NIGHTLY) else max(min(at_night, _LEAST), at_night // 5)
