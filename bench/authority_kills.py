"""Two gateways, two executors and two policy servers are killed (`kill -9`) while agents act: what was lost, and what happened twice?

python bench/authority_kills.py [--rounds N] [--seconds N] [--replay redis|postgres] [--seed N]

Gateways share a PostgreSQL, executors a Redis or the same PostgreSQL. In each round one party is killed, in every fifth two, and started
again; four agents send messages meanwhile, and ask again until they know what became of each. It prints a line every 50 rounds and a
summary. Exit status 1 if a message was lost or sent twice, or has no outcome.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests/executor"))

from two_of_each import Heard, judge, kills, office, working


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=600, help="after which no round begins")
    parser.add_argument("--replay", choices=("redis", "postgres"), default="redis")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    def tell(number, heard, seconds):
        if number % 50 == 0:
            told = {"rounds": number, "seconds": round(seconds), "asked": len(heard.names), "told": heard.counted()}
            print(json.dumps(told), flush=True)

    heard = Heard()
    # the server of a database runs as another user, who must get there
    with tempfile.TemporaryDirectory(prefix="remit-kills-") as folder:
        with office(Path(folder), args.replay) as (made, taken):
            killed, disturb = kills(made, args.rounds, args.seconds, args.seed, tell)
            asyncio.run(working(made, heard, disturb, seed=args.seed))
            faults, figures = judge(made, taken, heard)
        used = sum(os.times()[:4])
    print(json.dumps({"killed": killed} | figures, indent=2))
    print(
        f"{killed['rounds']} rounds, {used:.0f} s of processor time: {json.dumps(faults) if faults else 'nothing lost, nothing twice'}"
    )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
