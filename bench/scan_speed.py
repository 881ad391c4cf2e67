"""How fast a registry is scanned: cold, with what is known, by a local Ray cluster, and through kills; and whether all of them say the same.

    bench/scan_speed.py FOLDER…                 every skill below the folders
    bench/scan_speed.py --sample 1500 FOLDER…   so many of them, always the same
    bench/scan_speed.py --skip ray,kills FOLDER…

Rates depend on what else the machine does. Seconds of the processor depend on it less: skills per second of the processor, times the
cores, is what a machine that does nothing else would do.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq

from remit.checker.workers import cores
from remit.scan.rows import TIMES
from remit.skill.find import find_skills

COLD, KNOWN = 40, 300  # skills in a second that are wanted, on two cores
SHOWN = 10  # rows that differ
REMIT = [sys.executable, "-m", "remit.cli", "scan"]


def scan(place: Path, name: str, *words: str) -> dict[str, object]:
    """One scan; its summary, as JSON gives it."""
    done = subprocess.run(
        [*REMIT, str(place / "index.jsonl"), "--out", str(place / f"{name}.parquet"), "--format", "json", *words],
        stdout=subprocess.PIPE, check=False,
    )  # fmt: skip
    if done.returncode not in (0, 1):
        raise SystemExit(f"{name}: exit status {done.returncode}")
    return json.loads(done.stdout)


def told(name: str, found: dict[str, object], wanted: int = 0) -> bool:
    """Print a line; whether a rate that is wanted is reached, by the clock or by the processor."""
    work = found["looked_at"] / found["processor"]
    memory = (found["memory"] + found["worker_memory"] * cores()) / 1024 / 1024
    print(
        f"{name:8} {found['looked_at']:6} skills in {found['seconds']:7.1f} s: {found['rate']:6.1f} a second; "
        f"{found['processor']:7.1f} s of the processor: {work:6.1f} a second of it, {work * cores():6.1f} on {cores()} cores; "
        f"at most {memory:.0f} MB; {found['verdicts']['unknown']} unknown"
        + (f"; wanted {wanted}" if wanted else ""),
        flush=True,
    )  # fmt: skip
    return not wanted or max(found["rate"], work * cores()) >= wanted


def same(place: Path, one: str, other: str) -> bool:
    """Whether two scans have the same rows, but for times."""
    first, second = (pq.read_table(place / f"{name}.parquet").drop_columns(list(TIMES)) for name in (one, other))
    equal = first.equals(second)
    print(f"{one} and {other}: {'the same' if equal else 'DIFFERENT'} {first.num_rows} rows", flush=True)
    if not equal:
        pairs = zip(first.to_pylist(), second.to_pylist(), strict=False)
        for left, right in [(left, right) for left, right in pairs if left != right][:SHOWN]:
            print(f"  {left['location']}: {', '.join(name for name in left if left[name] != right[name])}")
    return equal


def killed(place: Path, total: int) -> None:
    """A scan whose workers are killed now and then, and which is killed itself; several times."""
    out = place / "killed.parquet"
    command = [*REMIT, str(place / "index.jsonl"), "--out", str(out), "--no-cache", "-q"]
    for share in (0.2, 0.5):
        process = subprocess.Popen(command, start_new_session=True, stdout=subprocess.DEVNULL)
        workers = 0
        while process.poll() is None and _done(out) < total * share:
            time.sleep(2)
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
            if children and workers < 5:
                os.kill(int(random.choice(children)), signal.SIGKILL)
                workers += 1
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        print(f"killed   {workers} workers, then all of it, with {_done(out)} of {total} rows on the disk", flush=True)


def _done(out: Path) -> int:
    parts = Path(f"{out}.parts").glob("part-*.parquet")
    return sum(pq.read_metadata(part).num_rows for part in parts)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--skip", default="")
    args = parser.parse_args()
    skip = set(args.skip.split(","))
    folders = [str(found.resolve()) for folder in args.folders for found in find_skills(folder, nested=True)]
    if args.sample and args.sample < len(folders):
        folders = sorted(random.Random(1).sample(folders, args.sample))
    with tempfile.TemporaryDirectory(prefix="remit-bench-") as made:
        place = Path(made)
        # one line a skill: a skill inside another is a line of its own, so that each is listed once
        lines = (json.dumps({"location": folder}) + "\n" for folder in folders)
        (place / "index.jsonl").write_text("".join(lines))
        cache = ["--cache", str(place / "cache")]
        print(f"{len(folders)} skills, {cores()} cores, load {os.getloadavg()[0]:.1f}")
        fine = told("cold", scan(place, "cold", *cache), COLD)
        fine &= told("known", scan(place, "known", *cache), KNOWN)
        fine &= same(place, "cold", "known")
        if "ray" not in skip:
            told("ray", scan(place, "ray", "--ray", "local", "-j", "2", "--cache", str(place / "other")))
            fine &= same(place, "cold", "ray")
        if "kills" not in skip:
            killed(place, pq.read_metadata(place / "cold.parquet").num_rows)
            told("resumed", scan(place, "killed", "--no-cache"))
            fine &= same(place, "cold", "killed")
    return 0 if fine else 1


if __name__ == "__main__":
    raise SystemExit(main())
