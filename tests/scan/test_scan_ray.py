"""A Ray cluster gives the same rows as processes of this machine, and survives what kills its own."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from scan_world import committed, files, rows, scanned, write, zipped

from remit.core.errors import UsageError
from remit.scan.cluster import Node, _answer, _batches, _by_source, refuse_others
from remit.scan.look import ScanSettings, toolchain
from remit.scan.node import batch_text, settings_text
from remit.scan.places import Bad, Item, PlaceKind, SkillSource
from remit.scan.rows import TIMES, table
from remit.scan.sources import wanted

SOURCE = str(Path(sys.modules["remit.scan.cluster"].__file__).parents[2])
SESSION = Path(__file__).with_name("ray_session.py")


def test_a_cluster_gives_the_same_rows_though_its_processes_are_killed_nightly(tmp_path):
    pytest.importorskip("ray")
    for number in range(24):
        write(tmp_path / "r" / f"s{number:02}", files(f"s{number:02}"))
    write(tmp_path / "r" / "bad", files("bad"))
    (tmp_path / "r" / "bad" / "out").symlink_to("/etc/passwd")
    held = {f"in/{name}/{path}": text for name in ("a", "b") for path, text in files(name).items()}
    zipped(tmp_path / "evil.zip", {"../x": ""})
    git = f"{committed(write(tmp_path / 'g', held))}#HEAD"
    sources = [tmp_path / "r", zipped(tmp_path / "z.zip", held), tmp_path / "evil.zip", git]
    scanned(tmp_path / "here.parquet", *sources)
    out = tmp_path / "there.parquet"
    command = [sys.executable, SESSION, out, *sources]
    env = {**os.environ, "PYTHONPATH": SOURCE, "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout.splitlines()[-1])  # Ray speaks before
    assert (summary["skills"], summary["verdicts"]["unknown"]) == (30, 2)
    assert rows(out) == rows(tmp_path / "here.parquet")


def test_the_process_of_a_machine_gives_the_same_rows_and_is_started_anew_when_it_was_killed(tmp_path, monkeypatch):
    """What an actor of Ray holds, without Ray."""
    monkeypatch.setenv("PYTHONPATH", SOURCE)
    for name in ("one", "two"):
        write(tmp_path / "r" / name, files(name))
    scanned(tmp_path / "here.parquet", tmp_path / "r")
    node = Node(settings_text(ScanSettings()))
    assert node.toolchain() == toolchain()
    batch = batch_text(list(wanted([str(tmp_path / "r")])), [])
    os.kill(node.pids()[1], signal.SIGKILL)
    with pytest.raises((RuntimeError, OSError)):
        node.scan(batch)
    found = [_answer(json.loads(line)) for line in node.scan(batch)]
    made = table(sorted(answer.seen.row(answer.item, toolchain()) for answer in found)).drop_columns(list(TIMES))
    assert made.to_pylist() == rows(tmp_path / "here.parquet")
    assert json.loads(node.close())["seconds"] > 0


def test_a_machine_with_another_remit_is_refused():
    refuse_others([toolchain(), toolchain()])
    with pytest.raises(UsageError, match="a machine of the cluster has `remit 0"):
        refuse_others([toolchain(), "remit 0"])


def test_skills_are_given_out_by_the_dozen_and_places_alone():
    items = [Item(f"s{number}", "r", ".", "") for number in range(40)]
    place, bad = SkillSource(PlaceKind.ARCHIVE, "a.zip", "a.zip"), Bad("b", "b", ".", "why")
    batches = list(_batches([*items[:35], place, bad, *items[35:]], {"s0", "a.zip"}))
    assert [len(batch) if isinstance(batch, list) else batch for batch in batches] == [32, 1, bad, 7]
    assert [item for batch in batches if isinstance(batch, list) for item in batch if item != place] == items[1:]


def test_what_is_done_of_a_place_is_known_by_its_name():
    found = _by_source(["a.zip!x", "a.zip!y!z", "b"])
    assert (found["a.zip"], found["a.zip!y"], found["b"]) == (["a.zip!x", "a.zip!y!z"], ["a.zip!y!z"], ["b"])
