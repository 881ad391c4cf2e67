"""Which guarantees public skills get: for which part of the skill, under which conditions, and what stands in the way.

bench/guarantees.py FOLDER … [--every 5] [--skills 520] [--show GUARANTEE]

`--show` lists the skills whose guarantee rests on conditions that can be named.
"""

from __future__ import annotations

import argparse
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from remit.checker.run import Options, Run
from remit.core.counting import counted
from remit.findings.guarantees import guarantees
from remit.skill.find import find_skills

if TYPE_CHECKING:
    from collections.abc import Iterable

    from remit.analysis.result import Effects
    from remit.findings.guarantees import Guarantee

_NETWORK = frozenset({"no-network", "only-installs", "only-hosts"})  # one of them is asked about each skill
COLUMNS = ("code", "scripts", "conditional", "no code", "broken")


def column(item: Guarantee) -> str:
    """How a guarantee stands."""
    if item.broken_by:
        return "broken"
    if item.about is not None:
        return str(item.about)
    return "conditional" if item.claims else "no code"


def tally(every: Iterable[Effects]) -> Iterable[str]:
    """The lines of the table, and the obstacles."""
    shares: dict[str, Counter[str]] = {}
    obstacles: Counter[str] = Counter()
    skills = 0
    for found in every:
        skills += 1
        kinds = set()
        for item in guarantees(found):
            name = "network" if item.ident in _NETWORK else item.ident
            shares.setdefault(name, Counter())[column(item)] += 1
            if not item.broken_by:
                kinds |= {(part.about, one.kind) for part in item.conditions for one in part.conditions}
            if item.ident in _NETWORK and not item.broken_by:
                shares.setdefault(f"  {item.ident}", Counter())[column(item)] += 1
        obstacles.update(f"{kind} in {about}" for about, kind in kinds)
    yield f"{counted(skills, 'skill')}, per cent"
    yield f"{'':20}" + "".join(f"{name:>14}" for name in COLUMNS)
    for name, counts in shares.items():
        yield f"{name:20}" + "".join(f"{100 * counts[one] / max(skills, 1):14.1f}" for one in COLUMNS)
    yield "in the way (skills): " + ", ".join(f"{name} {count}" for name, count in obstacles.most_common())


def main() -> int:
    """One process, politely."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--skills", type=int, default=520)
    parser.add_argument("--show", metavar="GUARANTEE")
    args = parser.parse_args()
    os.nice(10)
    folders = [skill for folder in args.folders for skill in find_skills(folder)][:: args.every][: args.skills]
    found = [answer.found for _, answer in Run(folders, Options(jobs=1, timeout=120)).answers() if answer.found]
    print("\n".join(tally(found)))
    for one in found if args.show else ():
        for item in guarantees(one):
            if item.ident == args.show and column(item) == "conditional":
                notes = [condition.note for part in item.claims for condition in part.conditions]
                print(f"{one.path}: {' or '.join(notes)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
