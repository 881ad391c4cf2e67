"""The layout of a graph: layers from top to bottom, an order with few crossings in each, and edges as straight as
possible.

(1) ways that lead back are turned round, so that all lead down
(2) each state lies one layer below the lowest that leads to it
(3) a way that passes through layers, and the label of each, has a place of its own in them: nothing is drawn over it
(4) sweeps down and up put each next to the middle of its neighbours
(5) across, each is as near to its neighbours as the others in its layer let it (least squares, by pooling who would collide)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

_SWEEPS, _ROUNDS = 24, 40
_GAP = 14.0  # across, between two things


class Box(NamedTuple):
    """The size of a box."""

    width: float
    height: float


class EdgeLine(NamedTuple):
    """An edge between two boxes; its label has a size."""

    start: int
    end: int
    label: Box


class DrawnLayout(NamedTuple):
    """Centres of boxes and labels, the points of each line in its own direction, and the total size."""

    boxes: list[tuple[float, float]]
    labels: list[tuple[float, float]]
    lines: list[list[tuple[float, float]]]
    size: tuple[float, float]


def place(boxes: Sequence[Box], lines: Sequence[EdgeLine], roots: Iterable[int]) -> DrawnLayout:
    """Lay out a graph in the steps above."""
    turned = _back(len(boxes), lines, sorted(roots))
    down = [
        (line.end, line.start) if back else (line.start, line.end) for line, back in zip(lines, turned, strict=True)
    ]
    layers = [2 * one for one in _layers(len(boxes), down)]  # (3) every other layer is for labels
    sizes, chains = list(boxes), []
    edges: list[tuple[int, int]] = []
    for line, (top, bottom) in zip(lines, down, strict=True):
        chain, middle = [top], layers[top] + 1
        for layer in range(layers[top] + 1, layers[bottom]):
            chain.append(len(sizes))
            sizes.append(line.label if layer == middle else Box(4, 0))
            layers.append(layer)
        chain.append(bottom)
        chains.append(chain)
        edges += itertools.pairwise(chain)
    rows = _ordered(layers, edges)
    across = _across(rows, sizes, edges)
    heights = [max(sizes[one].height for one in row) for row in rows]
    tops, at = [], 0.0
    for height in heights:
        tops.append(at + height / 2)
        at += height + 22
    points = [(across[one], tops[layers[one]]) for one in range(len(sizes))]
    drawn = []
    for chain, back in zip(chains, turned, strict=True):
        drawn.append([points[one] for one in (reversed(chain) if back else chain)])
    width = max((across[one] + sizes[one].width / 2 for one in range(len(sizes))), default=0.0)
    labels = [points[chain[1]] for chain in chains]
    return DrawnLayout(points[: len(boxes)], labels, drawn, (width, at))


def _back(count: int, lines: Sequence[EdgeLine], roots: list[int]) -> list[bool]:
    """(1) which lines lead back to where one came from, when all are followed from the roots."""
    out: list[list[int]] = [[] for _ in range(count)]
    for number, line in enumerate(lines):
        out[line.start].append(number)
    turned, state = [False] * len(lines), [0] * count  # 1 while what comes after it is looked at, then 2
    for root in (*roots, *range(count)):
        if state[root]:
            continue
        state[root] = 1
        todo = [(root, iter(out[root]))]
        while todo:
            here, rest = todo[-1]
            found = next(rest, None)
            if found is None:
                state[here] = 2
                todo.pop()
            elif state[end := lines[found].end] == 0:
                state[end] = 1
                todo.append((end, iter(out[end])))
            else:
                turned[found] = state[end] == 1
    return turned


def _layers(count: int, down: Sequence[tuple[int, int]]) -> list[int]:
    """(2) the longest way to each."""
    before: list[int] = [0] * count
    out: list[list[int]] = [[] for _ in range(count)]
    for start, end in down:
        out[start].append(end)
        before[end] += 1
    found, todo = [0] * count, [one for one in range(count) if not before[one]]
    for here in todo:  # grows while it is gone through
        for end in out[here]:
            found[end] = max(found[end], found[here] + 1)
            before[end] -= 1
            if not before[end]:
                todo.append(end)
    return found


def _ordered(layers: Sequence[int], edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """(4) the order with the fewest crossings that was seen."""
    rows: list[list[int]] = [[] for _ in range(max(layers, default=-1) + 1)]
    above, below = _neighbours(len(layers), edges)
    for one, layer in enumerate(layers):
        rows[layer].append(one)
    best, fewest = [list(row) for row in rows], _crossings(rows, below)
    for sweep in range(_SWEEPS):
        going_down = sweep % 2 == 0
        near = above if going_down else below
        for row in rows if going_down else reversed(rows):
            at = {one: place for other in rows for place, one in enumerate(other)}
            row.sort(key=_middle(near, at))
        found = _crossings(rows, below)
        if found < fewest:
            best, fewest = [list(row) for row in rows], found
    return best


def _middle(near: Sequence[Sequence[int]], at: dict[int, int]) -> Callable[[int], float]:
    return lambda one: sum(at[other] for other in near[one]) / len(near[one]) if near[one] else at[one]


def _neighbours(count: int, edges: Sequence[tuple[int, int]]) -> tuple[list[list[int]], list[list[int]]]:
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for top, bottom in edges:
        above[bottom].append(top)
        below[top].append(bottom)
    return above, below


def _crossings(rows: Sequence[Sequence[int]], below: Sequence[Sequence[int]]) -> int:
    found = 0
    for row, under in itertools.pairwise(rows):
        at = {one: place for place, one in enumerate(under)}
        ends: list[int] = []
        for one in row:
            new = sorted(at[other] for other in below[one])
            found += sum(other > end for end in new for other in ends)
            ends += new
    return found


def _across(rows: Sequence[Sequence[int]], sizes: Sequence[Box], edges: Sequence[tuple[int, int]]) -> list[float]:
    """(5) the middle of each, across."""
    found = [0.0] * len(sizes)
    for row in rows:
        at = 0.0
        for one in row:
            found[one] = at + sizes[one].width / 2
            at += sizes[one].width + _GAP
    above, below = _neighbours(len(sizes), edges)
    for number in range(_ROUNDS):
        near = above if number % 2 == 0 else below
        if number > _ROUNDS - 6:  # at last both sides count
            near = [[*one, *other] for one, other in zip(above, below, strict=True)]
        for row in rows if number % 2 == 0 else reversed(rows):
            wanted = [
                sum(found[other] for other in near[one]) / len(near[one]) if near[one] else found[one] for one in row
            ]
            for one, at in zip(row, _apart(wanted, [sizes[one].width for one in row]), strict=True):
                found[one] = at
    left = min((found[one] - sizes[one].width / 2 for one in range(len(sizes))), default=0.0)
    return [one - left for one in found]


def _apart(wanted: Sequence[float], widths: Sequence[float]) -> list[float]:
    """The places nearest to those that are wanted, in their order and without touching."""
    offsets, at = [], 0.0
    for number, width in enumerate(widths):
        at += (widths[number - 1] + width) / 2 + _GAP if number else 0.0
        offsets.append(at)
    pools: list[tuple[float, int]] = []  # sum of what is wanted, and of how many
    for one, offset in zip(wanted, offsets, strict=True):
        total, count = one - offset, 1
        while pools and pools[-1][0] / pools[-1][1] > total / count:
            more, many = pools.pop()
            total, count = total + more, count + many
        pools.append((total, count))
    levels = [total / count for total, count in pools for _ in range(count)]
    return [level + offset for level, offset in zip(levels, offsets, strict=True)]
