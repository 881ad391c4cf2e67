"""The tutorials: every command is run, in order, and prints what the page shows.

`REMIT_UPDATE_DOCS=1 pytest tests/docs/test_tutorials.py` writes the pages anew.
"""

import os
import shutil

import pytest
from walks import ROOT, Place, played

from by_day import but_by_night

PAGES = sorted((ROOT / "docs/tutorials").glob("*.md"))


def test_there_is_one_for_each_kind_of_user():
    assert [page.stem for page in PAGES] == ["assistant", "author", "marketplace", "operator", "security-team"]


@pytest.mark.parametrize(
    "page", but_by_night(PAGES, {"author", "marketplace", "security-team"}, lambda page: page.stem)
)
def test_a_tutorial_is_real(page, tmp_path):
    here = tmp_path / "here"
    for folder in ("examples", "skills"):
        shutil.copytree(ROOT / folder, here / folder)
    text = page.read_text("utf-8")
    with Place(here) as place:
        now, statuses = played(text, place)
    assert len(statuses) >= 4
    for expected, found, commands in statuses:
        assert found == expected, commands
    if os.environ.get("REMIT_UPDATE_DOCS"):
        page.write_text(now, "utf-8")
    else:
        assert text == now, "REMIT_UPDATE_DOCS=1 pytest tests/docs/test_tutorials.py writes it anew"
