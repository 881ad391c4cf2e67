"""The language is described where its users look for it."""

import re
from pathlib import Path

import pytest

from each_row import each_row
from remit.analysis.commands.actions import VERBS
from remit.analysis.commands.functions import FUNCTIONS
from remit.analysis.commands.syntax import MARKS, STYLES

DOCS = (Path(__file__).parents[2] / "docs" / "commands.md").read_text(encoding="utf-8")


@each_row("name", sorted({*VERBS, *FUNCTIONS, *MARKS, *STYLES}))
def test_every_word_is_documented(name):
    assert re.search(rf"\b{name}\b", DOCS)


@pytest.mark.parametrize("name", ["frobnicate", "flockrun"])
def test_the_check_can_fail(name):
    assert not re.search(rf"\b{name}\b", DOCS)
