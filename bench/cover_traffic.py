"""How well a policy server tells a look-up that somebody asked for from one that nobody asked for, by when it comes and how large it is.

bench/cover_traffic.py [--hours N]
plays hours of an agent and of the gateway's covers on a clock of its own, and prints for several kinds of agents the score of the
distinguisher of `remit games sap` (0.5 is a guess): of single look-ups, and of minutes in which the agent is at work or is not.
The pauses between preview and commit are those of a model: log-normal, with a median of three seconds; three of ten actions are not committed.
"""

from __future__ import annotations

import argparse
import bisect
import math
import random
from typing import TYPE_CHECKING, NamedTuple

from remit.gateway.games.sap import tell
from remit.gateway.parties.servers import Pauses, Shaping, next_cover

if TYPE_CHECKING:
    from collections.abc import Iterator

AGENTS = {  # seconds of work, seconds of rest, seconds from one action to the next while at work
    "an action every half minute, all day": (math.inf, 0.0, 30.0),
    "an action every five seconds, all day": (math.inf, 0.0, 5.0),
    "a minute of work in ten, an action every five seconds": (60.0, 540.0, 5.0),
}
COMMITTED, MEDIAN, SPREAD = 0.7, 3.0, 0.8
SHORT, LONG = 0.8, 0.2  # texts of the smallest size class, and of the next one
MOST_TOLD = 4000  # look-ups that are told apart


class LookUp(NamedTuple):
    """What a server sees of one, and whether somebody asked for it."""

    at: float
    bucket: int
    real: bool


def actions(agent: tuple[float, float, float], end: float, draw: random.Random) -> Iterator[tuple[float, float, int]]:
    """Of each action: when it is previewed, how long after that it is committed (-1: never), and its size class."""
    work, rest, apart = agent
    begun = at = 0.0
    while at < end:
        at += draw.expovariate(1 / apart)
        if at - begun > work:
            begun = at = begun + work + draw.expovariate(1 / rest)
        pause = draw.lognormvariate(math.log(MEDIAN), SPREAD) if draw.random() < COMMITTED else -1.0
        yield at, pause, int(draw.random() < LONG)


def seen(agent: tuple[float, float, float], end: float, draw: random.Random) -> list[LookUp]:
    """All look-ups of some hours, in order. Covers are drawn from the pauses that the gateway has measured by then."""
    out, pauses, shaping = [], Pauses(), Shaping()
    asked: list[tuple[float, str]] = []
    for number, (at, pause, bucket) in enumerate(actions(agent, end, draw)):
        moments = [at] if pause < 0 else [at, at + pause]
        out += [LookUp(one, bucket, real=True) for one in moments]
        asked += [(one, str(number)) for one in moments]
    asked.sort()
    now, known = 0.0, 0
    while now < end:
        cover = next_cover(shaping, pauses, draw)
        now += cover.after
        while known < len(asked) and asked[known][0] < now:
            pauses.note(asked[known][1], asked[known][0])
            known += 1
        out.append(LookUp(now, cover.bucket, real=False))
        if cover.again >= 0:
            out.append(LookUp(now + cover.again, cover.bucket, real=False))
    return sorted(one._replace(at=math.ceil(one.at / shaping.slot) * shaping.slot) for one in out)


def around(found: list[LookUp], times: list[float], number: int) -> list[float]:
    """What shows of a look-up: size class, distance to its neighbours of the same class, and how many there are around it."""
    one = found[number]
    same = [abs(other.at - one.at) for other in found[max(0, number - 60) : number + 60] if other.bucket == one.bucket]
    near = sorted(same)[1:3] or [math.inf]
    counts = [bisect.bisect(times, one.at + width) - bisect.bisect_left(times, one.at - width) for width in (1, 10, 60)]
    return [float(one.bucket), near[0], near[-1], *map(float, counts)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hours", type=float, default=24.0)
    args = parser.parse_args()
    for name, agent in AGENTS.items():
        draw = random.Random(1)
        found = seen(agent, args.hours * 3600, draw)
        times = [one.at for one in found]
        real = [number for number, one in enumerate(found) if one.real]
        covers = [number for number, one in enumerate(found) if not one.real]
        half = min(len(real), len(covers), MOST_TOLD)
        chosen = [*draw.sample(real, half), *draw.sample(covers, half)]
        draw.shuffle(chosen)
        single = tell([around(found, times, number) for number in chosen], [found[number].real for number in chosen])
        minutes = [
            found[bisect.bisect(times, at) : bisect.bisect(times, at + 60)] for at in range(0, int(times[-1]), 60)
        ]
        busy = [any(one.real for one in minute) for minute in minutes]
        print(f"{name}:\n    look-ups {single}")
        if all(busy):
            print("    minutes  every one is at work")
        else:
            rows = [[float(len(one)), float(sum(each.bucket for each in one))] for one in minutes]
            print(f"    minutes  {tell(rows, busy)}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
