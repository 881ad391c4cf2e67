"""A scan that is killed goes on, a skill that ends its worker costs that skill only; nothing is lost, nothing comes twice."""

import ctypes
import faulthandler
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scan_world import Quiet, files, rows, scanned, write, zipped

from remit.core.errors import UsageError
from remit.scan import local_run, look, results
from remit.scan.finding import unknown
from remit.scan.places import Item
from remit.scan.results import Results

SOURCE = str(Path(local_run.__file__).parents[2])


@pytest.fixture
def registry(tmp_path):
    for number in range(12):
        write(tmp_path / "r" / f"s{number:02}", files(f"s{number:02}"))
    return tmp_path / "r"


def locations(out):
    return [row["location"] for row in rows(out)]


def row(name):
    return unknown("why").row(Item(name, "r", name, ""), "remit 0")


def poisoned(monkeypatch, act, *names):
    """A worker that comes to one of these skills ends as `act` says."""
    honest = local_run.look

    def looking(item, settings, store):
        if item.path in names:
            act()
        return honest(item, settings, store)

    monkeypatch.setattr(local_run, "look", looking)


def eat():
    held = []
    while True:
        held.append(bytearray(50_000_000))


ENDINGS = {
    "killed": (lambda: os.kill(os.getpid(), signal.SIGKILL), "signal 9"),
    "segfault": (lambda: (faulthandler.disable(), ctypes.string_at(0)), "signal 11"),
    "exit": (lambda: os._exit(3), "status 3"),
    "hang": (lambda: time.sleep(60), "longer than 6 seconds"),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_skill_that_ends_its_worker_costs_that_skill_only(tmp_path, registry, monkeypatch, ending):
    act, reason = ENDINGS[ending]
    poisoned(monkeypatch, act, "s03", "s07")
    summary = scanned(tmp_path / "out.parquet", registry, timeout=6 if ending == "hang" else 0)
    assert summary.verdicts == {"contained": 0, "escapes": 0, "opaque": 0, "undeclared": 10, "unknown": 2}
    found = {row["path"]: row for row in rows(tmp_path / "out.parquet")}
    for name in ("s03", "s07"):
        assert (found[name]["verdict"], found[name]["effects"], found[name]["fingerprint"]) == ("unknown", [], None)
        assert reason in found[name]["error"]


def test_a_skill_that_takes_all_memory_costs_that_skill_only(tmp_path, registry, monkeypatch):
    honest = look.skill_digest

    def digest(files, links):
        if any(file.path == "eats" for file in files):
            eat()
        return honest(files, links)

    monkeypatch.setattr(look, "skill_digest", digest)
    write(registry / "s05", {"eats": ""})
    scanned(tmp_path / "out.parquet", registry, memory=200_000_000)
    found = {row["path"]: row for row in rows(tmp_path / "out.parquet")}
    assert found["s05"]["verdict"] == "unknown"
    assert "MemoryError" in found["s05"]["error"]
    assert [row["verdict"] for path, row in found.items() if path != "s05"] == ["undeclared"] * 11


def test_a_worker_that_somebody_kills_costs_nothing(tmp_path, registry, monkeypatch):
    """The skill is tried again, and its row is as if nothing had happened."""
    scanned(tmp_path / "quiet.parquet", registry)
    mark = tmp_path / "mark"

    def once():
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)

    poisoned(monkeypatch, once, "s03")
    scanned(tmp_path / "killed.parquet", registry)
    assert mark.exists()
    assert rows(tmp_path / "killed.parquet") == rows(tmp_path / "quiet.parquet")


class Interrupting(Quiet):
    """Interrupts the scan after some steps."""

    def __init__(self, after):
        super().__init__()
        self.after = after

    def step(self, name, total):
        super().step(name, total)
        if len(self.steps) == self.after:
            raise KeyboardInterrupt


def test_a_scan_goes_on_where_it_was_interrupted(tmp_path, registry):
    scanned(tmp_path / "quiet.parquet", registry)
    out = tmp_path / "out.parquet"
    for after in (3, 4):
        with pytest.raises(KeyboardInterrupt):
            scanned(out, registry, watcher=Interrupting(after))
    assert not out.exists()
    watcher = Quiet()
    summary = scanned(out, registry, watcher=watcher)
    assert (watcher.before, summary.looked_at, summary.skills) == (7, 5, 12)
    assert rows(out) == rows(tmp_path / "quiet.parquet")
    assert not Path(f"{out}.parts").exists()


def test_what_is_not_wanted_any_more_is_left_out(tmp_path, registry):
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        scanned(out, registry, watcher=Interrupting(6))
    scanned(out, registry / "s11", registry / "s00")
    assert len(rows(out)) == 2


def test_archives_go_on_too(tmp_path):
    held = {f"s{number}/{path}": text for number in range(6) for path, text in files(f"s{number}").items()}
    archive = zipped(tmp_path / "a.zip", held)
    scanned(tmp_path / "quiet.parquet", archive)
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        scanned(out, archive, watcher=Interrupting(2))
    assert scanned(out, archive).looked_at == 4
    assert rows(out) == rows(tmp_path / "quiet.parquet")


def test_parts_of_another_remit_or_with_other_limits_are_begun_anew(tmp_path, registry):
    out = tmp_path / "out.parquet"
    with pytest.raises(KeyboardInterrupt):
        scanned(out, registry, watcher=Interrupting(6))
    summary = scanned(out, registry, archive_bytes=1)
    assert (summary.begun_anew, summary.looked_at) == (True, 12)
    with pytest.raises(KeyboardInterrupt):
        scanned(out, registry, watcher=Interrupting(6))
    assert scanned(out, registry, fresh=True).looked_at == 12


def test_a_digest_that_came_meanwhile_is_asked_for(tmp_path, registry):
    index, out = tmp_path / "index.jsonl", tmp_path / "out.parquet"

    def listed(digest):
        lines = [{"location": f"{registry}/s{number:02}", "digest": digest} for number in range(12)]
        index.write_text("\n".join(json.dumps({name: text for name, text in line.items() if text}) for line in lines))
        return index

    with pytest.raises(KeyboardInterrupt):
        scanned(out, listed(""), watcher=Interrupting(6))
    assert scanned(out, listed("sha256:" + "0" * 64)).begun_anew
    assert {row["verdict"] for row in rows(out)} == {"unknown"}


def test_two_scans_do_not_write_the_same_file(tmp_path, registry):
    out = tmp_path / "out.parquet"
    with Results(out, {}), pytest.raises(UsageError, match="another scan"):
        scanned(out, registry)
    with pytest.raises(UsageError, match="cannot be written"):
        scanned("/proc/nowhere/out.parquet", registry)


def test_a_scan_that_is_killed_with_all_its_workers_goes_on(tmp_path, registry):
    """`kill -9` of the whole group, once at a time; each run goes on from the parts that lie on the disk."""
    scanned(tmp_path / "quiet.parquet", registry)
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import sys, time\nfrom remit.scan import local_run, results\nfrom remit.cli import main\n"
        "results._LEAST_SECONDS = 0.0\nhonest = local_run.look\n"
        "def look(*words):\n    time.sleep(0.15)\n    return honest(*words)\n"
        "local_run.look = look\nsys.exit(main(sys.argv[1:]))\n"
    )
    out = tmp_path / "out.parquet"
    command = [sys.executable, slow, "scan", registry, "--out", out, "--no-cache", "-j", "2"]
    env = {**os.environ, "PYTHONPATH": SOURCE}
    parts = Path(f"{out}.parts")
    for count in (1, 3):
        process = subprocess.Popen(command, env=env, stderr=subprocess.DEVNULL, start_new_session=True)
        deadline = time.monotonic() + 300
        while len(list(parts.glob("part-*.parquet"))) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        with (parts / "lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # a worker that was killed has it until it is gone, a moment later
        assert not out.exists()
    known = sum(pq.read_metadata(part).num_rows for part in parts.glob("part-*.parquet"))
    assert known >= 3
    done = subprocess.run([*command, "-q"], env=env, capture_output=True, text=True, check=True)
    assert f"{known} were done before" in done.stdout
    assert rows(out) == rows(tmp_path / "quiet.parquet")


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 300), unique=True, max_size=40), st.integers(1, 5), st.sets(st.integers(0, 300)))
def test_parts_are_merged_in_order_whatever_they_hold(tmp_path_factory, numbers, size, others):
    out = tmp_path_factory.mktemp("merge") / "out.parquet"
    wanted = {f"{number:03}" for number in numbers} - {f"{number:03}" for number in others}
    for at in range(0, len(numbers), size):
        with Results(out, {}) as held:
            for number in numbers[at : at + size]:
                held.add(row(f"{number:03}"))
    with Results(out, {}) as held:
        held.finish(wanted, lambda _: None)
    assert locations(out) == sorted(wanted)


def test_rows_of_many_groups_are_merged(tmp_path, monkeypatch):
    monkeypatch.setattr(results, "_GROUP", 7)
    monkeypatch.setattr(results, "_BATCH", 3)
    monkeypatch.setattr(results, "_MOST_ROWS", 10)
    names = [f"{number * 37 % 101:03}" for number in range(101)]
    with Results(tmp_path / "out.parquet", {}) as held:
        for name in names:
            held.add(row(name))
        held.finish(names, lambda _: None)
    assert locations(tmp_path / "out.parquet") == sorted(names)
