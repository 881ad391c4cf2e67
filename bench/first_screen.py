"""The first screen of `remit check` over many skills: how many lines each takes, and whether every line fits.

    python bench/first_screen.py FOLDER … [--skills 200] [--columns 80 100] [--show 20]

Exit status 1: a screen is longer than 12 lines, or a line is wider than the screen.
"""

from __future__ import annotations

import argparse
import io
import os
from collections import Counter
from pathlib import Path

from remit.checker.run import Options, Run
from remit.core.counting import counted
from remit.report.as_text import TextReport
from remit.report.first_screen import LINES
from remit.report.screen import Screen, width_of
from remit.skill.find import find_skills


def main() -> int:
    """One process, politely."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--skills", type=int, default=200)
    parser.add_argument("--columns", type=int, nargs="+", default=[100])
    parser.add_argument("--show", type=int, default=0, help="print so many of the screens, drawn evenly")
    args = parser.parse_args()
    os.nice(10)
    folders = [skill for folder in args.folders for skill in find_skills(folder)]
    folders = folders[:: max(len(folders) // args.skills, 1)][: args.skills]
    run = Run(folders, Options(jobs=1, timeout=120))
    screens = [Screen(io.StringIO(), color=False, width=width) for width in args.columns]
    sizes: list[Counter[int]] = [Counter() for _ in screens]
    wrong = 0
    every = max(len(folders) // args.show, 1) if args.show else 0
    for number, answer in run.answers():
        report = run.report(answer)[0]
        for screen, counts in zip(screens, sizes, strict=True):
            lines = list(TextReport(screen).skill(report))
            counts[len(lines)] += 1
            bad = len(lines) > LINES or any(width_of(line) > screen.width for line in lines)
            wrong += bad
            if bad or (every and number % every == 0):
                print("\n".join((f"── {answer.path}: {len(lines)} lines", *lines)), flush=True)
    for screen, counts in zip(screens, sizes, strict=True):
        shown = ", ".join(f"{size}: {count}" for size, count in sorted(counts.items()))
        print(f"{counted(sum(counts.values()), 'skill')} at {screen.width} columns, lines: {shown}")
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
