"""What a model is. States are hashable values; an action gives, for a state, what it can become.

A green explores the code that runs. A red explores the same model with one function of that code spoiled, and one invariant, named
by the red, must fail.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from remit.models.explore.patching import Patch

State: TypeAlias = Any  # hashable; a NamedTuple tells its fields in stories
Moves: TypeAlias = Callable[[State], Iterable[tuple[Hashable, State]]]  # what was chosen, and the state after it


class Action(NamedTuple):
    """Something that can happen. It gives nothing for a state in which it can not, or changes nothing."""

    name: str
    moves: Moves


class Invariant(NamedTuple):
    """What must hold in every state in which its antecedent does; an antecedent that is never reached would say nothing."""

    name: str
    says: str
    antecedent: Callable[[State], bool]
    holds: Callable[[State], bool]


class Red(NamedTuple):
    """A function of ours spoiled in one way, and the invariant that must notice."""

    name: str
    invariant: str
    patch: Patch


class Model(NamedTuple):
    """One state machine with what goes on around it.

    Actions are made anew for each exploration: what they remember must not come from code that was spoiled.
    """

    name: str
    about: str
    initial: tuple[State, ...]
    actions: Callable[[], tuple[Action, ...]]
    invariants: tuple[Invariant, ...]
    ends: Callable[[State], bool]  # whether nothing more need happen; any other state without a way on is a deadlock
    reds: tuple[Red, ...]

    def invariant(self, name: str) -> Invariant | None:
        """The invariant of this name."""
        return next((one for one in self.invariants if one.name == name), None)
