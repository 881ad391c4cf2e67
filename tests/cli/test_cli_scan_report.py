"""`remit scan report`: what is printed, what is written, and what the exit status says."""

import json

import pyarrow.parquet as pq
import pytest
from cli_skills import CLEANER, READER, UNKNOWN, run, skill

from remit.scan.rows import table


@pytest.fixture
def scanned(work, capfd):
    """Two scans of one registry, before and after a skill learned to delete files."""
    for name, script in (("reader", READER), ("unknown", UNKNOWN)):
        skill(work / "registry", name, script)
    assert run(capfd, "scan", "registry", "--out", "old.parquet", "-j", 1, "-q")[0] == 0
    (work / "registry" / "reader" / "scripts" / "run.py").write_text(READER + CLEANER)
    assert run(capfd, "scan", "registry", "--out", "new.parquet", "-j", 1, "-q")[0] == 0
    return work


def test_a_scan_is_told_in_every_format(scanned, capfd):
    status, out, err = run(capfd, "scan", "report", "new.parquet")
    assert (status, err) == (0, "")
    assert "Scan of 2 skills" in out
    assert "file.delete" in out
    assert "module `frobnicate` has no summary" in out
    assert "\x1b" not in out
    assert json.loads(run(capfd, "scan", "report", "new.parquet", "--format", "json")[1])["overview"]["skills"] == 2
    assert run(capfd, "scan", "report", "new.parquet", "--format", "md")[1].startswith("# Scan of 2 skills\n")
    page = run(capfd, "scan", "report", "new.parquet", "--format", "html")[1]
    assert page.startswith("<!doctype html>")
    assert "<meter " in page


def test_what_a_skill_gained_is_told_with_its_line_and_the_exit_status(scanned, capfd):
    status, out, _ = run(capfd, "scan", "report", "new.parquet", "--against", "old.parquet")
    assert status == 1
    assert "now also file.delete" in out
    assert "`scripts/run.py:4`" in out
    assert run(capfd, "scan", "report", "new.parquet", "--against", "new.parquet")[0] == 0
    status, out, _ = run(capfd, "scan", "report", "old.parquet", "--against", "new.parquet")
    assert status == 0
    assert "no longer file.delete" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("missing.parquet",), "`missing.parquet` is not a file"),
        (("x.txt",), "cannot be read as Parquet"),
        (("other.parquet",), "has no column `location`"),
        (("empty.parquet", "--similar", "2"), "`2` is not a number from 0.5 to 0.99"),
        (("empty.parquet", "--against", "x.txt"), "cannot be read as Parquet"),
        ((), "RESULTS is missing"),
    ],
)
def test_wrong_input_is_refused(work, capfd, words, message):
    (work / "x.txt").write_text("no table")
    pq.write_table(table([]), work / "empty.parquet")
    pq.write_table(table([]).select(["name"]), work / "other.parquet")
    status, out, err = run(capfd, "scan", "report", *words)
    assert (status, out) == (2, "")
    assert message in err


def test_a_source_with_the_name_of_the_action_is_scanned_by_its_path(work, capfd):
    skill(work / "report", "reader")
    assert run(capfd, "scan", "./report", "--out", "r.parquet", "-j", 1, "-q")[0] == 0


def test_the_help_teaches(capfd):
    status, out, _ = run(capfd, "scan", "report", "--help")
    assert status == 0
    assert out.startswith("usage: remit scan report")
    assert "exit status:" in out
