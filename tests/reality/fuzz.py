"""The reality check with fresh seeds, for minutes. What fails is shrunk and saved in tests/reality/found/."""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

from harness.check import check, explain
from harness.found import save, shrink
from harness.generate import GENERATORS, generated
from harness.sandbox import has_node, has_strace

from remit.findings.guarantees import guarantees


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, help="the first seed (default: another one each time)")
    parser.add_argument("--language", choices=sorted(GENERATORS))
    parser.add_argument("--keep", type=int, default=5, help="counterexamples to shrink and save before stopping")
    args = parser.parse_args()
    if not has_strace():
        print("reality: strace is not usable here; run: apt-get install -y strace bubblewrap")
        return 2
    languages = [args.language] if args.language else [name for name in GENERATORS if name != "js" or has_node()]
    seed = args.seed if args.seed is not None else random.SystemRandom().randrange(10**9)
    print(f"reality: {', '.join(languages)} from seed {seed} for {args.minutes:g} minutes", flush=True)
    end, shown = time.monotonic() + 60 * args.minutes, 0.0
    counts: Counter[str] = Counter()
    while time.monotonic() < end and counts["missed"] < args.keep:
        language = languages[seed % len(languages)]
        program = generated(language, seed)
        verdict = check(program)
        counts["programs"] += 1
        counts["events"] += len(verdict.events)
        counts["opaque"] += bool(verdict.effects.opaque)
        counts["guarantees"] += sum(item.about is not None for item in guarantees(verdict.effects))
        if verdict.missing:
            counts["missed"] += 1
            small, why = shrink(program, verdict.missing[0].capability)
            print(f"\n{language} {seed}: {save(small, why)}\n{explain(small, why)}", flush=True)
        if time.monotonic() - shown > 10:
            shown = time.monotonic()
            print(" ".join(f"{value} {name}" for name, value in counts.items()), flush=True)
        seed += 1
    print(
        f"reality: {counts['programs']} programs, {counts['opaque']} opaque, {counts['guarantees']} guarantees given, "
        f"{counts['missed']} with something that was not predicted or breaks a guarantee"
    )
    return 1 if counts["missed"] else 0


if __name__ == "__main__":
    sys.exit(main())
