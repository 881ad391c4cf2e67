"""How well flows are reported: what is missed of 186 small skills whose flows were seen when they ran, and what is reported falsely.

bench/flows.py [--list]

A false flow is one that a case says never happens ("not" in tests/flows/*.cases) and that the analysis reports. Shares are of the 60
ordinary programs; what another part of the same source does is left out, since a report knows a source only as a whole.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "reality"))

from harness.flow_cases import flow_cases
from harness.flow_match import is_checked
from harness.flow_score import excused, known_misses, score


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true", help="name each flow that is missed or false")
    args = parser.parse_args()
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
