"""The walk-through of the worked example: every command is run, in order, and prints what the page shows.

`REMIT_UPDATE_DOCS=1 pytest tests/docs/test_worked_example.py` writes the page anew.
"""

import os
import shutil

from walks import ROOT, Place, played

EXAMPLE = ROOT / "examples/summarise-fetched-html"
PAGE = EXAMPLE / "README.md"


def test_the_walk_through_is_real(tmp_path):
    text = PAGE.read_text("utf-8")
    with Place(shutil.copytree(EXAMPLE, tmp_path / "example")) as place:
        now, statuses = played(text, place)
    assert len(statuses) >= 8
    for expected, found, commands in statuses:
        assert found == expected, commands
    if os.environ.get("REMIT_UPDATE_DOCS"):
        PAGE.write_text(now, "utf-8")
    else:
        assert text == now, "REMIT_UPDATE_DOCS=1 pytest tests/docs/test_worked_example.py writes it anew"


def test_the_two_manifests_differ_in_the_write_alone():
    from remit.manifest import read_manifest

    first, then = (read_manifest(EXAMPLE / name).permissions for name in ("first.json", "skill/remit.json"))
    added = [entry for entry in then if entry._replace(line=0) not in [one._replace(line=0) for one in first]]
    assert len(then) == len(first) + 1
    assert [(entry.capability, entry.place) for entry in added] == [("file.write", "./.cache/**")]
