"""What walls add to the start of a command, beside the same command without them.

bench/walls_speed.py [--runs N]
prints milliseconds of one run with the load of the machine, medians and the least, alternating, of `true` in bash; exit status 1 if walls add
more than 15 ms at the median:
  plain   bash -c true
  walls   the rewritten call of the same command, as a host runs it: bash, the launcher, bash inside of walls that stand
  guard   what the guard does before each call: look for secrets that are not covered yet, write the file of the call
  first   the same for the first command of a skill in a session, which makes the walls (once, not alternating)
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guard"))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/guard/walls"))

from walled import Walled

MOST_ADDED = 15  # ms


def timed(act):
    begun = time.perf_counter()
    found = act()
    return (time.perf_counter() - begun) * 1000, found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=30)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as name:
        walled = Walled(Path(name))
        if problem := walled.walls.problem():
            print(f"no walls on this machine: {problem}")
            return 1
        first, _ = timed(lambda: walled.rewritten("true"))
        taken = {"plain": [], "walls": [], "guard": []}
        for _ in range(runs):
            guard, command = timed(lambda: walled.rewritten("true"))
            taken["guard"].append(guard)
            for way, text in (("plain", "true"), ("walls", command)):
                words = ["bash", "-c", text]
                took, done = timed(
                    lambda words=words: subprocess.run(words, cwd=walled.root, env=walled.environ, check=False)
                )
                assert done.returncode == 0, done
                taken[way].append(took)
        walled.close()
    print(f"load {os.getloadavg()[0]:.1f}, {runs} runs, ms")
    for way, values in taken.items():
        print(f"{way:6} median {statistics.median(values):6.1f}  least {min(values):6.1f}")
    print(f"first  {first:.1f}")
    added = statistics.median(taken["walls"]) - statistics.median(taken["plain"])
    print(f"walls add {added:.1f} ms at the median, {min(taken['walls']) - min(taken['plain']):.1f} at the least")
    return int(added > MOST_ADDED)


if __name__ == "__main__":
    sys.exit(main())
