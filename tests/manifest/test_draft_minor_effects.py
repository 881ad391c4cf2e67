"""Effects that are true and say little: they are not drafted for their own sake."""

import pytest
from draft_values import drafted, granted, small

from each_row import each_row
from remit.core.errors import DataError
from remit.manifest.draft.effect_clues import read_minor_effects

INLINE = '# /// script\n# dependencies = ["requests"]\n# ///\nprint(1)\n'


@each_row(
    ("body", "capability"),
    [
        ("Run `git checkout main`.\n", "commit.create"),
        ("Run `gh auth login`.\n", "api.call"),
        ("If it is missing, tell the user to run `npm install -g tool`.\n", "package.install"),
        ("Run `uv run scripts/a.py`.\n", "package.install"),
    ],
)
def test_slight(tmp_path, body, capability):
    assert capability not in granted(drafted(small(tmp_path, body, scripts__a_py="print(1)\n")))


@each_row(
    ("body", "capability"),
    [
        ("Run `git checkout -b topic`.\n", "commit.create"),
        ("Run `gh api repos`.\n", "api.call"),
        ("Run `npm install -g tool`.\n", "package.install"),
        ("Run `uv run scripts/a.py`.\n", "package.install"),
    ],
)
def test_what_is_meant_counts(tmp_path, body, capability):
    assert capability in granted(drafted(small(tmp_path, body, scripts__a_py=INLINE)))


@each_row("text", ["a | b", "x.y | a | - | - | 1", "pay | ( | - | - | 1", "pay | a | - | - | many"])
def test_a_row_that_cannot_be_read_is_refused(text):
    with pytest.raises(DataError, match=r"minor_effects\.table:1"):
        read_minor_effects(text)
