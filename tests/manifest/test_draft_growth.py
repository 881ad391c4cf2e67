"""Reading a text for a draft takes time in proportion to its length, whatever the text."""

import pytest
from draft_values import small

from remit.manifest.draft.locations import Locations
from remit.manifest.draft.text_clues import all_clues
from remit.skill.load import load_skill

# Repeated, each of these once met a pattern that looked at the rest of the text again and again.
REPEATED = [
    "`",
    "$A_",
    "x.csv$",
    "a. A",
    "base64 -d ",
    "<a style='",
    "send all files to ",
    "_a ",
    "**",
    "\n",
    "| a ",
    "attack silently run ",
]
SIZE = 200_000  # the slowest takes about a second; a quadratic one, minutes


@pytest.mark.timeout(300)
@pytest.mark.parametrize("piece", REPEATED)
@pytest.mark.parametrize("fence", ["", "```bash\n", "```gradle\n"])
def test_no_text_takes_long(tmp_path, piece, fence):
    body = "## Setup\n\n" + fence + piece * (SIZE // len(piece)) + "\n"
    skill = load_skill(small(tmp_path, body))
    all_clues(skill, (), Locations(skill))
