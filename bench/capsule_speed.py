"""What a capsule adds to the start of a command, beside the same command without it.

bench/capsule_speed.py [--runs N]
prints milliseconds of one run with the load of the machine, medians and the least, and of the processor that all processes of a run use
together, alternating, of `true`; exit status 1 if a capsule adds more than 25 ms at the median:
  plain       started directly
  bubblewrap  started by bubblewrap alone, with the same namespaces and nothing else
  capsule     started in a capsule from a process that runs already, as the executor does it: contract, mounts, filter, Landlock
  egress      the same with a host granted, so that the proxy is started too (it starts beside the command, which does not wait)
  command     `remit capsule run`, with the start of Python and its imports
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import remit
from remit.capsule.bubblewrap import ALONE
from remit.capsule.helper.build import helper
from remit.capsule.launch import Streams, run_in_capsule
from remit.capsule.prepare import RunRequest, prepare
from remit.manifest import read_manifest
from remit.policy.command_permits import permit_for

SOURCE = str(Path(remit.__file__).resolve().parent.parent)
MANIFEST = """{"skill_metadata": {"name": "bench"}, "permissions": [
  {"capability": "file.read", "scope": "./data/**", "effect": "allow"},
  {"capability": "file.write", "scope": "./out/**", "effect": "allow"}%s]}"""
HOST = ', {"capability": "web.fetch", "scope": "example.com", "effect": "allow"}'
COMMAND = ("true",)
MOST_ADDED = 25  # ms


def in_capsule(folder, manifest, nothing):
    permit = permit_for("bench", COMMAND)
    made = helper(permit, folder / "cache")
    asked = RunRequest(
        read_manifest(manifest), COMMAND, str(folder / "work"), str(folder / "home"), caller=dict(os.environ)
    )

    def go():
        ran = run_in_capsule(permit, prepare(permit, asked), made, Streams(nothing, nothing, 2))
        assert ran.code == 0, ran

    return go


def ways(folder, nothing):
    plain, granted = folder / "plain.json", folder / "granted.json"
    plain.write_text(MANIFEST % "")
    granted.write_text(MANIFEST % HOST)
    system = ["--ro-bind", "/usr", "/usr", "--symlink", "usr/bin", "/bin", "--symlink", "usr/lib", "/lib"]
    system += ["--symlink", "usr/lib64", "/lib64"] if Path("/lib64").exists() else []
    cli = [sys.executable, "-m", "remit.cli", "capsule", "run", "--manifest", str(plain)]
    cli += ["--workspace", str(folder / "work"), "--", *COMMAND]
    env = {**os.environ, "PYTHONPATH": SOURCE, "XDG_CACHE_HOME": str(folder / "xdg")}
    return {
        "plain": lambda: subprocess.run(COMMAND, check=True),
        "bubblewrap": lambda: subprocess.run(
            ["bwrap", *ALONE, *system, "--setenv", "PATH", "/usr/bin", *COMMAND], check=True
        ),
        "capsule": in_capsule(folder, plain, nothing),
        "egress": in_capsule(folder, granted, nothing),
        "command": lambda: subprocess.run(cli, check=True, env=env),
    }


def measure(way):
    """Milliseconds, and milliseconds of the processor: of this process and of all that it waited for."""
    start, used = time.perf_counter(), processor()
    way()
    return (time.perf_counter() - start) * 1000, (processor() - used) * 1000


def processor():
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in found)


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--runs", type=int, default=30)
    runs = options.parse_args().runs
    with tempfile.TemporaryDirectory(prefix="rc") as name, open(os.devnull, "r+b") as nothing:  # noqa: PTH123
        folder = Path(name).resolve()
        for inner in ("work/data", "work/out", "home"):
            (folder / inner).mkdir(parents=True)
        for number in range(200):
            (folder / "work/data" / f"{number}.txt").write_text("x")
        known = ways(folder, nothing.fileno())
        times = {way: [] for way in known}
        for way in known.values():
            way()  # caches, and the compiler for the helper
        for _ in range(runs):
            for way, go in known.items():
                times[way].append(measure(go))
    took = {way: [one for one, _ in found] for way, found in times.items()}
    base, least = statistics.median(took["plain"]), min(took["plain"])
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, {runs} runs each, 200 files in the workspace")
    for way, found in took.items():
        middle, used = statistics.median(found), statistics.median(one for _, one in times[way])
        print(
            f"{way:<11} median {middle:7.1f} ms (added {middle - base:7.1f}, ratio {middle / base:5.1f})"
            f"   least {min(found):6.1f} ms (added {min(found) - least:6.1f})   processor {used:6.1f} ms"
        )
    good = statistics.median(took["capsule"]) - base <= MOST_ADDED
    print("the target is met" if good else f"the target, {MOST_ADDED} ms added, is missed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
