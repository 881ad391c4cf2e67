"""Strongly connected parts of a graph, without recursion: a graph of states is deep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def components(places: Iterable[int], nexts: Callable[[int], Iterable[int]]) -> Iterator[list[int]]:
    """The largest sets of places in which each can be reached from each other; a place alone is one too (Tarjan)."""
    number: dict[int, int] = {}
    low: dict[int, int] = {}
    open_: list[int] = []  # places whose part is not known yet
    closed: set[int] = set()
    for root in places:
        if root in number:
            continue
        number[root] = low[root] = len(number)
        open_.append(root)
        path = [(root, iter(nexts(root)))]
        while path:
            place, ways = path[-1]
            for to in ways:
                if to not in number:
                    number[to] = low[to] = len(number)
                    open_.append(to)
                    path.append((to, iter(nexts(to))))
                    break
                if to not in closed:
                    low[place] = min(low[place], number[to])
            else:
                path.pop()
                if path:
                    above = path[-1][0]
                    low[above] = min(low[above], low[place])
                if low[place] == number[place]:
                    part = [open_.pop()]
                    while part[-1] != place:
                        part.append(open_.pop())
                    closed.update(part)
                    yield part
