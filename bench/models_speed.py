"""How fast the explorer goes: transitions a second of processor time on a step that does next to nothing, and through the models.

bench/models_speed.py [--side N]
exit status 1 if the target for plain steps is missed.
"""

from __future__ import annotations

import argparse
import sys
import time

from remit.models.explore.model import Action, Invariant, Model
from remit.models.explore.registry import models
from remit.models.explore.search import explore

LEAST = 200_000  # transitions a second, plain steps


def grid(side: int) -> Model:
    """Four ways on a square of numbers."""

    def ways(place: tuple[int, int]) -> list[tuple[str, tuple[int, int]]]:
        across, down = place
        found = []
        if across < side:
            found.append(("right", (across + 1, down)))
        if across:
            found.append(("left", (across - 1, down)))
        if down < side:
            found.append(("down", (across, down + 1)))
        if down:
            found.append(("up", (across, down - 1)))
        return found

    inside = Invariant("inside", "inside", lambda _: True, lambda place: place[0] <= side)
    return Model("grid", "a grid", ((0, 0),), lambda: (Action("go", ways),), (inside,), lambda _: False, ())


def speed(model: Model) -> float:
    """Transitions a second."""
    start = time.process_time()
    found = explore(model)
    return found.transitions / max(time.process_time() - start, 1e-6)


def main() -> int:
    """Print the figures."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("--side", type=int, default=300)
    plain = speed(grid(said.parse_args().side))
    print(f"plain steps      {plain:>10,.0f} transitions/s (target {LEAST:,})")
    for model in models():
        print(f"{model.name:<16} {speed(model):>10,.0f} transitions/s")
    return 0 if plain >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
