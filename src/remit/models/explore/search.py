"""All states that can be reached, breadth first: the first violation that is met has the shortest way to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import LimitError
from remit.models.explore.patching import all_spoiled

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from remit.models.explore.model import Action, Invariant, Model, State

MOST = 1_000_000  # states
DEADLOCK = "deadlock"


class Step(NamedTuple):
    """One thing that happened, and the state after it. The first of a trace is where it began."""

    action: str
    choice: Hashable
    state: State


class Violation(NamedTuple):
    """An invariant that fails, or a deadlock, and how it came to that."""

    invariant: str
    trace: tuple[Step, ...]
    again: int | None = (
        None  # of what never comes about: the place in the trace from which it goes on like this for ever
    )


class Explored(NamedTuple):
    """What was found."""

    states: int
    transitions: int
    fired: frozenset[str]  # actions that changed something
    reached: frozenset[str]  # invariants whose antecedent held somewhere
    violation: Violation | None


def explore(
    model: Model, invariants: Sequence[Invariant] | None = None, *, deadlocks: bool = True, symmetry: bool = True
) -> Explored:
    """Everything from the initial states on, until an invariant fails. Without a choice all invariants are looked at.

    Without symmetry, states that differ only in names are states of their own, whatever canonical form the model has.
    """
    model = model if symmetry else model._replace(canonical=None)
    with all_spoiled(model.constants):
        search = _Search(model, model.invariants if invariants is None else invariants, deadlocks=deadlocks)
        violation = search.run()
    fired = frozenset(action.name for action, count in zip(search.actions, search.counts, strict=True) if count)
    return Explored(len(search.seen), search.transitions, fired, frozenset(search.reached), violation)


class _Search:
    """A search on its way. It keeps, for each state, from where it was reached first."""

    def __init__(self, model: Model, invariants: Sequence[Invariant], *, deadlocks: bool) -> None:
        self.model = model
        self.actions: tuple[Action, ...] = model.actions()
        self.invariants = tuple(invariants)
        self.deadlocks = deadlocks
        self.counts = [0] * len(self.actions)
        self.transitions = 0
        self.reached: set[str] = set()
        self.seen: dict[State, tuple[State, int, Hashable] | None] = {}

    def run(self) -> Violation | None:
        """Look at all states; gives the first violation."""
        canonical = self.model.canonical
        frontier = list(dict.fromkeys(map(canonical, self.model.initial) if canonical else self.model.initial))
        for state in frontier:
            self.seen[state] = None
            if failed := self._fails(state):
                return self._told(failed, state)
        while frontier:
            later: list[State] = []
            for state in frontier:
                if found := self._expand(state, later):
                    return found
            frontier = later
        return None

    def _expand(self, state: State, later: list[State]) -> Violation | None:
        seen, stuck, transitions, canonical = self.seen, True, 0, self.model.canonical
        for number, action in enumerate(self.actions):
            changed = 0
            for choice, moved in action.moves(state):
                transitions += 1
                after = moved if canonical is None else canonical(moved)
                if after in seen:
                    changed += after != state
                    continue
                changed += 1
                seen[after] = (state, number, choice)
                later.append(after)
                if failed := self._fails(after):
                    self.transitions += transitions
                    return self._told(failed, after)
            if changed:
                stuck = False
                self.counts[number] += changed
        self.transitions += transitions
        if len(seen) > MOST:
            raise LimitError(f"`{self.model.name}` has more than {MOST} states", "give it fewer choices")
        return self._told(DEADLOCK, state) if stuck and self.deadlocks and not self.model.ends(state) else None

    def _fails(self, state: State) -> str:
        """The name of an invariant that does not hold here."""
        for one in self.invariants:
            if one.antecedent(state):
                self.reached.add(one.name)
                if not one.holds(state):
                    return one.name
        return ""

    def _told(self, name: str, state: State) -> Violation:
        steps: list[Step] = []
        came = self.seen[state]
        while came is not None:
            before, number, choice = came
            steps.append(Step(self.actions[number].name, choice, state))
            state, came = before, self.seen[before]
        steps.append(Step("", (), state))
        return Violation(name, tuple(reversed(steps)))
