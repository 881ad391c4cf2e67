"""The model type. States are hashable values; an action yields the possible next states of a state.

The model explores the code that runs. A mutant explores the same model with a seeded bug in one function of that code; one invariant or promise,
named by the mutant, must fail.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from remit.models.explore.patches import Patch

State: TypeAlias = Any  # hashable; a NamedTuple tells its fields in stories
Moves: TypeAlias = Callable[[State], Iterable[tuple[Hashable, State]]]  # what was chosen, and the state after it


def remembering(step: Callable[..., Any]) -> Callable[..., Any]:
    """Cache a pure function. Events of two types with equal fields are different keys."""
    return lru_cache(maxsize=None, typed=True)(step)


class Action(NamedTuple):
    """Something that can happen. It yields nothing for a state in which it cannot, or changes nothing."""

    name: str
    moves: Moves


class Invariant(NamedTuple):
    """What must hold in every state where its antecedent does; an antecedent that is never reached proves nothing."""

    name: str
    says: str
    antecedent: Callable[[State], bool]
    holds: Callable[[State], bool]


class Eventually(NamedTuple):
    """What must eventually follow every state where its antecedent holds, if no fair action is delayed for ever.

    An action is delayed for ever if from some point on it could always happen, and never does.
    """

    name: str
    says: str
    antecedent: Callable[[State], bool]
    goal: Callable[[State], bool]
    fair: tuple[str, ...]  # names of actions


class Mutant(NamedTuple):
    """A seeded bug in one function of ours, and the invariant or promise that must notice it."""

    name: str
    invariant: str
    patch: Patch


class Model(NamedTuple):
    """One state machine with its environment.

    Actions are created anew for each exploration, because cached results must not come from a mutant.
    """

    name: str
    about: str
    initial: tuple[State, ...]
    actions: Callable[[], tuple[Action, ...]]
    invariants: tuple[Invariant, ...]
    ends: Callable[[State], bool]  # whether nothing more need happen; any other state without a way on is a deadlock
    mutants: tuple[Mutant, ...]
    eventually: tuple[Eventually, ...] = ()
    # one state for all that differ only in names: what is found is the same, with fewer states
    canonical: Callable[[State], State] | None = None
    # numbers of ours (how often, how long) that are made small, for model and mutants alike, so that all of it can be gone through
    constants: tuple[Patch, ...] = ()

    def invariant(self, name: str) -> Invariant | None:
        """The invariant of this name."""
        return next((one for one in self.invariants if one.name == name), None)

    def promise(self, name: str) -> Eventually | None:
        """What must come about, by its name."""
        return next((one for one in self.eventually if one.name == name), None)

    @property
    def properties(self) -> tuple[Invariant | Eventually, ...]:
        """All that the model says."""
        return (*self.invariants, *self.eventually)
