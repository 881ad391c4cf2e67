"""How much of the same is tried by day: every run draws other examples, and at night there are as many as a test says."""

import os

NIGHTLY = "REMIT_NIGHTLY"


def many(at_night, least=60):
    """Of this many examples: all of them at night, and a fifth by day, or so many as are the least that says something."""
    return at_night if os.environ.get(NIGHTLY) else max(min(at_night, least), at_night // 5)
