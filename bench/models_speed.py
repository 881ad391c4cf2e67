"""How fast the explorer goes: transitions a second of processor time on a step that does next to nothing, beside a plain search over the
same tuples in the same run, and through the models.

bench/models_speed.py [--side N] [NAME …]
exit status 1 if a target is missed: for plain steps, or for models whose operations go through a store.
"""

from __future__ import annotations

import argparse
import sys
import time

from remit.models.explore.model import Action, Invariant, Model
from remit.models.explore.registry import models
from remit.models.explore.search import explore

LEAST = 200_000  # transitions a second, plain steps
LEAST_STORED = 50_000  # with operations of a store in between
STORED = ("pairing-store", "ingress", "turns", "delivery", "node-runs")


def ways(side: int):
    """Four ways on a square of numbers."""

    def found(place: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        across, down = place
        out = []
        if across < side:
            out.append(("right", (across + 1, down)))
        if across:
            out.append(("left", (across - 1, down)))
        if down < side:
            out.append(("down", (across, down + 1)))
        if down:
            out.append(("up", (across, down - 1)))
        return out

    return found


def grid(side: int) -> Model:
    """The square as a model."""
    inside = Invariant("inside", "inside", lambda _: True, lambda place: place[0] <= side)
    return Model("grid", "a grid", ((0, 0),), lambda: (Action("go", ways(side)),), (inside,), lambda _: False, ())


def bare(side: int) -> float:
    """Transitions a second of a search that remembers nothing but what it has seen."""
    moves, seen, todo, count = ways(side), {(0, 0)}, [(0, 0)], 0
    start = time.process_time()
    for place in todo:
        for _, after in moves(place):
            count += 1
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return count / max(time.process_time() - start, 1e-6)


def speed(model: Model) -> float:
    """Transitions a second."""
    start = time.process_time()
    found = explore(model)
    return found.transitions / max(time.process_time() - start, 1e-6)


def main() -> int:
    """Print the figures."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--side", type=int, default=300)
    said.add_argument("names", nargs="*")
    args = said.parse_args()
    plain, alone = speed(grid(args.side)), bare(args.side)
    print(
        f"{'plain steps':<16} {plain:>10,.0f} transitions/s (target {LEAST:,}; {plain / alone:.2f} of a bare search, {alone:,.0f})"
    )
    missed = plain < LEAST
    for model in models(args.names):
        found = speed(model)
        stored = model.name in STORED
        missed |= stored and found < LEAST_STORED
        print(f"{model.name:<16} {found:>10,.0f} transitions/s{f' (target {LEAST_STORED:,})' if stored else ''}")
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
