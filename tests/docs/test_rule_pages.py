"""docs/rules/ is what the registry says, no more and no less."""

import sys

from walks import ROOT

sys.path.insert(0, str(ROOT / "tools"))
import rule_pages


def test_the_committed_pages_are_those_that_are_made():
    kept = {path.name: path.read_text("utf-8") for path in rule_pages.FOLDER.glob("*.md")}
    assert kept == rule_pages.pages(), "`python tools/rule_pages.py` writes them anew"


def test_the_site_names_every_page():
    assert rule_pages.navigation() in rule_pages.SITE.read_text("utf-8"), "`python tools/rule_pages.py` writes it anew"
