"""Feeds mutated skills to the loader, the analysis and the drafter: no crash, no hang, no step out of the folder, and every
draft can be read and holds its skill.

tests/fuzz/run.py --count 100000        a long run with a progress line
tests/fuzz/run.py --seed 17 --count 1   one folder again
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from mutate import Mutator

from guard import Guard
from remit.analysis.session import analyse
from remit.core.errors import RemitError
from remit.manifest.draft.draft import draft
from remit.manifest.read import parse_manifest
from remit.manifest.render import render
from remit.proof import Verdict, contain
from remit.skill.load import load_skill

BATCH = 500
HANG_SECONDS = 300  # of work on one folder, whose budget is in steps: then the worker is ended
MEMORY = 2 << 30


def attempt(folder: Path, guard: Guard) -> tuple[str, str]:
    """What became of one folder; words in capitals are failures."""
    outcome, detail = "analysed", ""
    guard.watch(str(folder))
    try:
        skill = load_skill(folder)
        found = analyse(skill)
        manifest = parse_manifest(
            render(draft(skill, found.effects, found.commands, found.uses).manifest).encode(), "remit.json"
        )
        verdict = contain(found.effects, found.opaque, (), manifest).verdict
        if verdict is Verdict.ESCAPES:
            outcome, detail = "UNCONTAINED", "the skill escapes its own draft"
        elif found.opaque:
            outcome = "opaque"
    except RemitError as error:
        outcome, detail = ("refused", "") if error.remedy else ("NO_REMEDY", error.message)
    except BaseException:
        guard.watch("")  # a traceback shows lines of our own files
        outcome, detail = "CRASH", traceback.format_exc()[-1500:]
    finally:
        guard.watch("")
    if guard.escapes:
        outcome, detail = "ESCAPE", "; ".join(guard.escapes)
        guard.escapes.clear()
    return outcome, detail


def worker(first: int, count: int) -> None:
    """Folders one after the other, each seed printed before it is tried, so that a dead worker names its killer."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    guard = Guard()
    for seed in range(first, first + count):
        print("seed", seed, flush=True)
        base = Path(tempfile.mkdtemp(prefix="fuzz-"))
        try:
            (base / "skill").mkdir()
            Mutator(seed).folder(base / "skill")
            signal.setitimer(signal.ITIMER_PROF, HANG_SECONDS)  # native code does not return to be told
            outcome, detail = attempt(base / "skill", guard)
            signal.setitimer(signal.ITIMER_PROF, 0)
        finally:
            shutil.rmtree(base, ignore_errors=True)
        print("done", outcome, repr(detail), flush=True)


def drive(first: int, count: int, minutes: float, *, quiet: bool) -> Counter[str]:
    """Run workers until enough was tried; what fails is printed."""
    total: Counter[str] = Counter()
    end, shown = time.monotonic() + 60 * minutes, time.monotonic()
    seed = first
    while seed < first + count and time.monotonic() < end:
        size = min(BATCH, first + count - seed)
        command = [sys.executable, __file__, "--worker", "--seed", str(seed), "--count", str(size)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            current = seed
            for line in process.stdout or ():
                word, _, rest = line.strip().partition(" ")
                if word == "seed":
                    current = int(rest)
                elif word == "done":
                    outcome, _, detail = rest.partition(" ")
                    total[outcome] += 1
                    seed = current + 1
                    if outcome.isupper():
                        print(f"{outcome} seed {current}: {detail}".replace("\\n", "\n"), flush=True)
                if not quiet and time.monotonic() - shown > 15:
                    shown = time.monotonic()
                    print(f"{sum(total.values())}/{count} {dict(total)}", flush=True)
        if process.returncode:
            total["DIED"] += 1
            print(f"DIED seed {current}: status {process.returncode}", flush=True)
            seed = current + 1
    return total


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--minutes", type=float, default=10_000)
    parser.add_argument("--seed", type=int, help="the first seed (default: another one each time)")
    parser.add_argument("--quiet", action="store_true", help="no progress line")
    parser.add_argument("--write", metavar="FOLDER", type=Path, help="only write the folder of the seed")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(10**9)
    if args.worker:
        worker(seed, args.count)
        return 0
    if args.write:
        args.write.mkdir(parents=True)
        Mutator(seed).folder(args.write)
        return 0
    start = time.monotonic()
    total = drive(seed, args.count, args.minutes, quiet=args.quiet)
    bad = sum(count for outcome, count in total.items() if outcome.isupper())
    print(f"fuzz: {sum(total.values())} folders from seed {seed} in {time.monotonic() - start:.0f} s: {dict(total)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
