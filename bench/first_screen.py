"""The first screen of `remit check` over many skills: how many lines each takes, and whether every line fits.

    python bench/first_screen.py FOLDER … [--skills 200] [--columns 100]

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
    parser.add_argument("--columns", type=int, default=100)
    args = parser.parse_args()
    os.nice(10)
    folders = [skill for folder in args.folders for skill in find_skills(folder)]
    folders = folders[:: max(len(folders) // args.skills, 1)][: args.skills]
    run = Run(folders, Options(jobs=1, timeout=120))
    screen = Screen(io.StringIO(), color=False, width=args.columns)
    sizes: Counter[int] = Counter()
    wrong = 0
    for _, answer in run.answers():
        lines = list(TextReport(screen).skill(run.report(answer)[0]))
        sizes[len(lines)] += 1
        if len(lines) > LINES or any(width_of(line) > screen.width for line in lines):
            wrong += 1
            print("\n".join((f"── {answer.path}: {len(lines)} lines", *lines)))
    shown = ", ".join(f"{size}: {count}" for size, count in sorted(sizes.items()))
    print(f"{counted(sum(sizes.values()), 'skill')} at {args.columns} columns, lines: {shown}; {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
