"""How well flows are reported: what is missed of 186 small skills whose flows were seen when they ran, and what is reported falsely.

bench/flows.py [--list]
bench/flows.py --cost FOLDER    what flows cost: seconds of the processor for the skills in a folder with and without them, in one run

A false flow is one that a case says never happens ("not" in tests/flows/*.cases) and that the analysis reports. Shares are of the 60
ordinary programs; what another part of the same source does is left out, since a report knows a source only as a whole.
"""

from __future__ import annotations

import argparse
import operator
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Self

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "reality"))

from harness.flow_cases import flow_cases
from harness.flow_match import is_checked
from harness.flow_score import excused, known_misses, score

from remit.analysis import session
from remit.analysis.flows import Flows
from remit.skill.find import find_skills
from remit.skill.load import load_skill


class Nothing(set):
    """A set that stays empty."""

    def _ignore(self, *_: object) -> None:
        """Nothing is kept."""

    def __ior__(self, _: object) -> Self:
        return self

    add = update = _ignore


class NoFlows(Flows):
    """A graph to which nothing is added."""

    _empty = Nothing()
    context = property(operator.attrgetter("_empty"), lambda _self, _value: None)

    def effect(self, key: object) -> None:
        """No effect is looked at."""

    def result(self) -> tuple[()]:
        """There are no flows."""
        return ()


def cost(folder: Path) -> int:
    """Print how much longer the analysis takes with flows."""
    skills = [load_skill(path) for path in find_skills(folder)]
    taken = {Flows: 0.0, NoFlows: 0.0}
    for skill in skills:
        best = dict.fromkeys(taken, float("inf"))
        for kind in (NoFlows, Flows, NoFlows, Flows):  # the first run also loads summaries
            session.Flows = kind
            start = time.process_time()
            session.analyse(skill)
            best[kind] = min(best[kind], time.process_time() - start)
        for kind, seconds in best.items():
            taken[kind] += seconds
    share = taken[Flows] / taken[NoFlows] - 1
    print(f"{len(skills)} skills: {taken[NoFlows]:.1f} s without flows, {taken[Flows]:.1f} s with them ({share:+.0%})")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name each flow that is missed or false")
    parser.add_argument("--cost", type=Path, metavar="FOLDER", help="measure what flows cost")
    args = parser.parse_args()
    if args.cost:
        return cost(args.cost)
    cases, known = flow_cases(), known_misses()
    counts: Counter[str] = Counter()
    for name, case in cases.items():
        found = score(case)
        counts["expected"] += sum(map(is_checked, case.flows))
        for flow in found.missed:
            why = excused(case, found) or ("known" if (name, str(flow)) in known else "missed")
            counts[why] += 1
            if args.list:
                print(f"{why:9}{name}: {flow}")
        if case.kind == "ordinary":
            counts["ordinary"] += 1
            counts["reported"] += found.reported
            counts["wrong"] += found.wrong
            counts["false"] += len(found.false)
            counts["never"] += sum(is_checked(flow) and not flow.source.part for flow in case.never)
            for flow in found.false if args.list else ():
                print(f"{'false':9}{name}: {flow}")
    of = counts["expected"]
    gone = counts["implicit"] + counts["opaque"] + counts["known"] + counts["missed"]
    print(f"{len(cases)} cases, {of} flows: {of - gone} reported, {gone} not")
    print(
        f"  not reported: {counts['implicit']} implicit, {counts['opaque']} where the analysis says that code is opaque,"
        f" {counts['known']} known misses, {counts['missed']} other misses"
    )
    print(
        f"{counts['ordinary']} ordinary programs: {counts['false']} of {counts['never']} flows that never happen are reported;"
        f" {counts['wrong']} of {counts['reported']} reported flows ({counts['wrong'] / counts['reported']:.1%}) are such"
    )
    return 1 if counts["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
