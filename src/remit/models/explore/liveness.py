"""Liveness: what must eventually happen. A counterexample is a fair endless cycle without it, or a dead end.

All states and ways between them are kept. Of those that can be reached from the antecedent without the goal, the strongly connected
parts are looked at: one in which every fair action either happens, or can somewhere not happen, can be gone round for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from remit.models.explore.search import Graph, Step, Violation, Way, explore, uncollected

if TYPE_CHECKING:
    from remit.models.explore.model import Eventually, Model


def components(places: Iterable[int], nexts: Callable[[int], Iterable[int]]) -> Iterator[list[int]]:
    """Yield the strongly connected components (Tarjan); a single place is one too."""
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


def graph_of(model: Model) -> Graph:
    """Return everything that can be reached."""
    graph = explore(model, (), deadlocks=False, keep=True).graph
    assert graph is not None
    return graph


@uncollected()
def broken(graph: Graph, promise: Eventually) -> tuple[Violation | None, bool]:
    """Return a counterexample to a promise, if there is one; and whether its antecedent was ever reached."""
    open_ = [place for place, state in enumerate(graph.states) if not promise.goal(state)]
    without = set(open_)
    starts = [place for place in open_ if promise.antecedent(graph.states[place])]
    region = _reached(graph, starts, without)
    fair = [number for number, action in enumerate(graph.actions) if action.name in promise.fair]
    parts = components(sorted(region), lambda place: (way.to for way in graph.ways[place] if way.to in region))
    for part in sorted(map(sorted, parts)):
        witnesses = _witnesses(graph, set(part), fair)
        if witnesses is not None:
            return _lasso(graph, promise.name, starts, without, set(part), witnesses), True
    return None, bool(starts)


def _witnesses(graph: Graph, part: set[int], actions: Iterable[int]) -> list[tuple[int, Way | None]] | None:
    """A witness for each action; None if one has none."""
    found = []
    for action in actions:
        witness = _witness(graph, part, action)
        if witness is None:
            return None
        found.append(witness)
    return found


def _reached(graph: Graph, starts: Iterable[int], within: set[int]) -> set[int]:
    found = set(starts)
    todo = list(found)
    while todo:
        new = {way.to for way in graph.ways[todo.pop()] if way.to in within} - found
        found |= new
        todo += new
    return found


def _witness(graph: Graph, part: set[int], action: int) -> tuple[int, Way | None] | None:
    """A place in this part where the action cannot happen, or at which it happens and leads on within; None if there is none."""
    for place in sorted(part):
        ways = [way for way in graph.ways[place] if way.action == action]
        if not ways:
            return place, None
        inner = next((way for way in ways if way.to in part), None)
        if inner:
            return place, inner
    return None


def _lasso(
    graph: Graph, name: str, starts: Iterable[int], without: set[int], part: set[int], witnesses: Iterable[tuple[int, Way | None]]
) -> Violation:  # fmt: skip
    every = set(range(len(graph.states)))
    leading = _leading(graph, without, part)  # not every start need lead to this part
    first, path = _path(graph, range(graph.initial), every, leading.intersection(starts).__contains__)
    at, stem = _path(graph, [path[-1].to if path else first], without, part.__contains__)
    path += stem
    at = path[-1].to if path else at
    length, here = len(path), at
    for place, way in witnesses:
        path += _path(graph, [here], part, place.__eq__)[1] + ([way] if way else [])
        here = way.to if way else place
    path += _path(graph, [here], part, at.__eq__)[1]
    steps = [Step(graph.actions[way.action].name, way.choice, graph.states[way.to]) for way in path]
    return Violation(name, (Step("", (), graph.states[first]), *steps), length)


def _leading(graph: Graph, within: set[int], to: set[int]) -> set[int]:
    """Return the places from which some places can be reached."""
    before: dict[int, list[int]] = {}
    for place in within:
        for way in graph.ways[place]:
            before.setdefault(way.to, []).append(place)
    found, todo = set(to), list(to)
    while todo:
        new = set(before.get(todo.pop(), ())) - found
        found |= new
        todo += new
    return found


def _path(
    graph: Graph, starts: Sequence[int], within: set[int], wanted: Callable[[int], bool]
) -> tuple[int, list[Way]]:
    """The shortest way to a place that is wanted, and from where; there is one."""
    came: dict[int, tuple[int, Way] | None] = dict.fromkeys(starts)
    todo = list(starts)
    for place in todo:  # grows while it is gone through
        if wanted(place):
            back = list(_back(came, place))
            return (back[-1][0] if back else place), [way for _, way in reversed(back)]
        for way in graph.ways[place]:
            if way.to in within and way.to not in came:
                came[way.to] = (place, way)
                todo.append(way.to)
    raise AssertionError("what is strongly connected has a way")  # pragma: no cover


def _back(came: dict[int, tuple[int, Way] | None], place: int) -> Iterator[tuple[int, Way]]:
    step = came[place]
    while step is not None:
        yield step
        step = came[step[0]]
