"""Check summary files: `python -m remit.analysis.summaries FILE…` prints what is wrong, with file and line."""

from __future__ import annotations

import sys
from pathlib import Path

from remit.analysis.summaries.check import problems
from remit.core.counting import counted


def main(paths: list[str]) -> int:
    """Exit 1 if a file is wrong."""
    bad = [line for path in paths for line in problems(Path(path))]
    sys.stdout.writelines(f"{line}\n" for line in bad)
    sys.stdout.write(f"{counted(len(paths), 'file')}, {counted(len(bad), 'problem')}\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
