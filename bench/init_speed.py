"""How many manifests of skills without scripts are drafted in a second: cold, and again from the cache.

    bench/init_speed.py [FOLDER…] [--count N]    default: the folder that REMIT_CORPUS names, else examples/; 300 skills

Both runs are one command over the same folders, start-up included, one after the other: the ratio depends less on the machine than the
speeds. Nothing is copied or written but a cache in a folder of its own.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from typing import TYPE_CHECKING

from remit.core.errors import RemitError
from remit.skill.find import find_skills
from remit.skill.load import load_skill
from speed import ROOT, best, measure

if TYPE_CHECKING:
    from pathlib import Path


def is_prose(folder: Path) -> bool:
    """Whether no file of a skill is a program. What its documents show as code is analysed all the same."""
    try:
        return not any(file.languages for file in load_skill(folder).files)
    except RemitError:
        return False  # what is refused is no measure of drafting


def pick(folders: list[str], count: int) -> list[str]:
    """Skills without scripts, spread evenly over all that there are; the same ones each time."""
    found = sorted(str(path) for folder in folders for path in find_skills(folder) if is_prose(path))
    step = max(1, len(found) // count)
    return found[::step][:count]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*")
    parser.add_argument("--count", type=int, default=300)
    args = parser.parse_args()
    skills = pick(args.folders or [os.environ.get("REMIT_CORPUS") or str(ROOT / "examples")], args.count)
    if not skills:
        print("\nno skills without scripts to draft manifests for: give a folder, or set REMIT_CORPUS")
        return 0
    command = [sys.executable, "-m", "remit.cli", "init", "--stdout", *skills]
    with tempfile.TemporaryDirectory() as cache:
        env = {"XDG_CACHE_HOME": cache}
        cold = measure(command, env)
        again = best(command, 3, env)
    if cold.status > 1 or again.status > 1:
        print(f"remit init failed with status {max(cold.status, again.status)}", file=sys.stderr)
        return 1
    print(f"\n{len(skills)} skills without scripts, {os.cpu_count()} cores\n")
    print(
        "| remit init --stdout | skills a second | seconds | of the processor | skills for each of these |\n|---|---:|---:|---:|---:|"
    )
    for name, run in (("cold", cold), ("from the cache", again)):
        print(
            f"| {name} | {len(skills) / run.seconds:.0f} | {run.seconds:.2f} | {run.work:.2f} | {len(skills) / run.work:.0f} |"
        )
    print(f"\nfrom the cache it is {cold.seconds / again.seconds:.0f} times faster")
    return 0


if __name__ == "__main__":
    sys.exit(main())
