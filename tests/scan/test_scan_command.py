"""`remit scan` as a user meets it."""

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest
from scan_world import files, rows, write

from remit.cli import main
from remit.scan import conduct

SOURCE = str(Path(conduct.__file__).parents[2])


@pytest.fixture
def work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("one", "two"):
        write(tmp_path / "registry" / name, files(name))
    return tmp_path


def run(capfd, *words):
    status = main(["scan", *words])
    out, err = capfd.readouterr()
    return status, out, err


def plain(text):
    return re.sub(r"\d+(\.\d+)?(?= (s|MB|a second)\b)", "N", text)


def test_a_summary_says_what_there_is_and_what_it_cost(work, capfd, snapshot):
    status, out, err = run(capfd, "registry", "--out", "r.parquet", "-j", "1")
    assert (status, err) == (0, "")
    assert plain(out) == snapshot
    assert "2 were known" in run(capfd, "registry", "--out", "r.parquet")[1]
    assert "2 results of scans" in (main(["cache", "info"]), capfd.readouterr().out)[1]
    assert "2 results of scans" in (main(["cache", "clear"]), capfd.readouterr().out)[1]
    assert " 0 were known" in run(capfd, "registry", "--out", "r.parquet")[1]
    assert " 0 were known" in run(capfd, "registry", "--out", "r.parquet", "--no-cache")[1]


def test_what_is_not_known_makes_the_status_1(work, capfd, snapshot):
    (work / "registry" / "one" / "out").symlink_to("/etc/passwd")
    status, out, _ = run(capfd, "registry", "--out", "r.parquet")
    assert status == 1
    assert plain(out) == snapshot


def test_a_summary_in_json(work, capfd):
    status, out, _ = run(capfd, "registry", "--out", "r.parquet", "--format", "json")
    found = json.loads(out)
    assert (status, found["skills"], found["verdicts"]["undeclared"], found["looked_at"]) == (0, 2, 2, 2)
    assert found["rate"] > 0
    assert found["memory"] > 0
    assert found["worker_memory"] > 0


@pytest.mark.parametrize(
    "words", [["nowhere"], ["registry", "--cache", "ftp://x"], ["registry", "--cache-key", "none"]]
)
def test_wrong_words_are_refused_with_a_remedy(work, capfd, words):
    status, out, err = run(capfd, *words, "--out", "r.parquet")
    assert (status, out) == (2, "")
    assert err.startswith("remit: ")
    assert len(err.splitlines()) == 2
    assert not (work / "r.parquet").exists()


def test_a_manifest_is_held_against_the_skill(work, capfd):
    main(["init", "registry/one", "registry/two", "-q"])
    write(work / "registry" / "bad", {**files("bad"), "remit.json": "{"})
    main(["check", "registry/one"])
    assert "inside remit.json" in capfd.readouterr().out
    (work / "registry" / "two" / "scripts" / "more.sh").write_text("#!/bin/sh\nrm -rf /srv\n")
    run(capfd, "registry", "--out", "r.parquet")
    bad, one, two = rows("r.parquet")
    assert (one["verdict"], two["verdict"], bad["verdict"]) == ("contained", "escapes", "unknown")
    assert "manifest" in bad["error"]
    assert bad["capabilities"] == ["file.read"]


def test_heavy_packages_are_not_imported_by_others():
    """`remit check` knows nothing of Arrow, Ray and Redis."""
    code = (
        "import sys, remit.cli.check, remit.cli.scan; print({'pyarrow', 'ray', 'redis', 'duckdb'} & set(sys.modules))"
    )
    env = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_progress_on_a_terminal_shows_rate_and_time_to_go(work):
    for number in range(30):
        write(work / "registry" / f"s{number}", files(f"s{number}"))
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "remit.cli", "scan", "registry", "--out", "r.parquet", "-j", "1"]
    env = {**os.environ, "PYTHONPATH": SOURCE, "TERM": "xterm"}
    process = subprocess.Popen(command, env=env, stderr=theirs, stdout=subprocess.DEVNULL)
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 4096)
        except OSError:
            break
        seen += piece
        if not piece:
            break
    os.close(ours)
    assert process.wait() == 0
    assert re.search(rb"scanning \[#*\.+\] \d+/32  \d+/s, \d+ s to go", seen)
