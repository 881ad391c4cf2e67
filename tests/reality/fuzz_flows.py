"""Random programs that move a marked value to a file or a socket, run for minutes: what arrives must be reported.

tests/reality/fuzz_flows.py --minutes 5
tests/reality/fuzz_flows.py --seed 17 --language shell --count 1 --show    one program again

A program with carriers of `carriers/lost.table`, which are known to lose their data, is not tried. What is missed is made shorter and printed.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from harness.flow_batch import outcomes, shrink
from harness.generate_flows import LANGUAGES, is_lost, moved
from harness.sandbox import has_bubblewrap, has_node

BATCH = 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, help="the first seed (default: another one each time)")
    parser.add_argument("--count", type=int, default=1_000_000, help="seeds to try")
    parser.add_argument("--language", choices=sorted(LANGUAGES))
    parser.add_argument("--keep", type=int, default=10, help="misses to print before stopping")
    parser.add_argument("--show", action="store_true", help="print every program")
    args = parser.parse_args()
    if not has_bubblewrap():
        print("flows: bubblewrap is not usable here; run: apt-get install -y bubblewrap")
        return 2
    languages = [args.language] if args.language else [name for name in LANGUAGES if name != "javascript" or has_node()]
    first = args.seed if args.seed is not None else random.SystemRandom().randrange(10**9)
    print(f"flows: {', '.join(languages)} from seed {first}", flush=True)
    end, counts, seed = time.monotonic() + 60 * args.minutes, Counter(), first
    shown: set[str] = set()
    while time.monotonic() < end and seed < first + args.count and len(shown) < args.keep:
        until = min(seed + BATCH, first + args.count)
        programs = [moved(language, number) for number in range(seed, until) for language in languages]
        seed = until
        for found in outcomes([program for program in programs if not is_lost(program)]):
            counts["programs"] += 1
            counts["opaque"] += bool(found.opaque)
            if args.show:
                print(f"── {found.program.names}\n{found.program.text}")
            if not found.arrived:
                counts["did not arrive"] += 1
                print(f"\nDID NOT ARRIVE {found.program.names}\n{found.program.text}\n{found.output}", flush=True)
            elif found.is_missed:
                counts["missed"] += 1
                small = shrink(found.program)
                if small.names not in shown:
                    shown.add(small.names)
                    print(f"\nMISSED {small.language}: {small.names}\n{small.text}", flush=True)
    print("flows: " + ", ".join(f"{value} {name}" for name, value in counts.items()))
    return 1 if counts["missed"] or counts["did not arrive"] else 0


if __name__ == "__main__":
    sys.exit(main())
