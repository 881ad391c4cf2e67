"""The regular expressions for ordinary paths agree with exact inclusion."""

import sys

from hypothesis import given, settings
from hypothesis import strategies as st

import remit.core.sensitive  # noqa: F401  the package exports a function of the same name
from by_day import many
from remit.core.scope import PLACES, PathScope, covers

S = sys.modules["remit.core.sensitive"]
TABLE = S.places()
NAMES = [
    *sorted({part for row in TABLE.rows for part in row.parts if "*" not in part}),
    "a",
    "x.pem",
    "id_rsa",
    "out",
    "B.KEY",
    ".Env ",
]


@st.composite
def near_a_place(draw):
    """A path built from a place of the table, perhaps with one component replaced."""
    base = draw(st.sampled_from(TABLE.rows))
    parts = []
    for part in base.parts:
        if part == "**":
            parts += draw(st.lists(st.sampled_from(NAMES), max_size=2))
        else:
            parts.append(part.replace("*", draw(st.sampled_from(["", "q", "a.b"]))).replace("?", "z") or "q")
    if parts and draw(st.booleans()):
        parts[draw(st.integers(0, len(parts) - 1))] = draw(st.sampled_from(NAMES))
    return PathScope(base.anchor or draw(st.sampled_from(sorted(PLACES))), tuple(parts or ["a"]))


@settings(max_examples=many(600), deadline=None)
@given(near_a_place())
def test_the_quick_way_agrees_with_inclusion(scope):
    folded = S._folded(scope)
    rows = (TABLE.rows[i] for i in range(len(TABLE.rows)))
    wanted = [row for row in rows if covers(PathScope(row.anchor or folded.anchor, row.parts), folded)]
    found = S._place_of(scope)
    assert (found in wanted) if found is not None else not wanted
