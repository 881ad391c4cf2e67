"""Breadth-first search of all reachable states, so that the first violation has the shortest trace."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import LimitError
from remit.models.explore.model import all_spoiled

if TYPE_CHECKING:
    from remit.models.explore.model import Action, Invariant, Model, State

MOST = 1_000_000  # states
DEADLOCK = "deadlock"


class Step(NamedTuple):
    """One event, and the state after it. The first of a trace is the initial state."""

    action: str
    choice: Hashable
    state: State


class Violation(NamedTuple):
    """An invariant that fails, or a deadlock, with its trace."""

    invariant: str
    trace: tuple[Step, ...]
    again: int | None = (
        None  # of what never comes about: the place in the trace from which it goes on like this for ever
    )


class Way(NamedTuple):
    """A transition between two states."""

    action: int
    choice: Hashable
    to: int


class Graph(NamedTuple):
    """All states and transitions; self-loops are left out."""

    actions: tuple[Action, ...]
    states: list[State]
    ways: list[list[Way]]
    initial: int  # so many of the first states


class Explored(NamedTuple):
    """The result of a search."""

    states: int
    transitions: int
    fired: frozenset[str]  # actions that changed something
    reached: frozenset[str]  # invariants whose antecedent held somewhere
    violation: Violation | None
    graph: Graph | None = None  # where it was to be kept


def explore(
    model: Model,
    invariants: Sequence[Invariant] | None = None,
    *,
    deadlocks: bool = True,
    symmetry: bool = True,
    keep: bool = False,
) -> Explored:
    """Explore from the initial states until an invariant fails. By default all invariants are checked.

    Without symmetry, states that differ only in names are states of their own, whatever canonical form the model has. With `keep` the
    graph is kept, for what must come about.
    """
    model = model if symmetry else model._replace(canonical=None)
    with all_spoiled(model.constants), uncollected():
        search = _Search(model, model.invariants if invariants is None else invariants, deadlocks=deadlocks, keep=keep)
        violation = search.run()
    fired = frozenset(action.name for action, changed in zip(search.actions, search.fired, strict=True) if changed)
    graph = Graph(search.actions, search.states, search.ways, search.initial) if keep else None
    return Explored(len(search.states), search.transitions, fired, frozenset(search.reached), violation, graph)


@contextmanager
def uncollected() -> Iterator[None]:
    """Disable garbage collection: the search keeps everything, and scanning it took a third of the time."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class _Search:
    """A search in progress. States are identified by index, because comparing them is expensive."""

    def __init__(self, model: Model, invariants: Sequence[Invariant], *, deadlocks: bool, keep: bool) -> None:
        self.model = model
        self.actions: tuple[Action, ...] = model.actions()
        self.invariants = tuple(invariants)
        self.deadlocks = deadlocks
        self.keep = keep
        self.fired = [False] * len(self.actions)
        self.transitions = 0
        self.reached: set[str] = set()
        self.states: list[State] = []  # in the order in which they were found
        self.places: dict[State, int] = {}
        self.came: list[tuple[int, int, Hashable] | None] = []  # for each: from where it was reached first, and how
        self.ways: list[list[Way]] = []
        self.initial = 0

    def run(self) -> Violation | None:
        """Visit all states; return the first violation."""
        canonical = self.model.canonical
        self.states += dict.fromkeys(map(canonical, self.model.initial) if canonical else self.model.initial)
        self.places |= {state: place for place, state in enumerate(self.states)}
        self.initial = len(self.states)
        self.came += [None] * self.initial
        for place, state in enumerate(self.states):
            if failed := self._fails(state):
                return self._told(failed, place)
        for here, state in enumerate(self.states):  # grows while it is gone through
            if found := self._expand(here, state):
                return found
        return None

    def _expand(self, here: int, state: State) -> Violation | None:
        states, places, came, canonical = self.states, self.places, self.came, self.model.canonical
        ways: list[Way] | None = [] if self.keep else None
        stuck, transitions, size = True, 0, len(states)
        for number, action in enumerate(self.actions):
            changed = False
            for choice, moved in action.moves(state):
                transitions += 1
                after = moved if canonical is None else canonical(moved)
                place = places.setdefault(after, size)
                if place == here:
                    continue
                changed = True
                if ways is not None:
                    ways.append(Way(number, choice, place))
                if place == size:
                    size += 1
                    states.append(after)
                    came.append((here, number, choice))
                    if failed := self._fails(after):
                        self.transitions += transitions
                        return self._told(failed, place)
            if changed:
                stuck = False
                self.fired[number] = True
        self.transitions += transitions
        if ways is not None:
            self.ways.append(ways)
        if size > MOST:
            raise LimitError(f"`{self.model.name}` has more than {MOST} states", "give it fewer choices")
        return self._told(DEADLOCK, here) if stuck and self.deadlocks and not self.model.ends(state) else None

    def _fails(self, state: State) -> str:
        """Return the name of an invariant that fails in this state."""
        for name, _, antecedent, holds in self.invariants:
            if antecedent(state):
                self.reached.add(name)
                if not holds(state):
                    return name
        return ""

    def _told(self, name: str, place: int) -> Violation:
        steps: list[Step] = []
        came = self.came[place]
        while came is not None:
            before, number, choice = came
            steps.append(Step(self.actions[number].name, choice, self.states[place]))
            place, came = before, self.came[before]
        steps.append(Step("", (), self.states[place]))
        return Violation(name, tuple(reversed(steps)))
