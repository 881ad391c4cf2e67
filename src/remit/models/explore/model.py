"""The model type. States are hashable values; an action yields the possible next states of a state.

The model explores the code that runs. A mutant explores the same model with a seeded bug in one function of that code; one invariant or promise,
named by the mutant, must fail.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from remit.core.errors import InputError

if TYPE_CHECKING:
    from types import ModuleType


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


class Patch(NamedTuple):
    """A function of a module, and a function that makes its mutant."""

    module: ModuleType
    name: str
    spoil: Callable[[Any], Any]

    @property
    def shown(self) -> str:
        """The patched name."""
        return f"{self.module.__name__.removeprefix('remit.')}.{self.name}"


@contextmanager
def spoiled(patch: Patch | None) -> Iterator[None]:
    """Apply a patch, if any, within the context."""
    if patch is None:
        yield
        return
    held = vars(patch.module)
    real = held.get(patch.name)
    if real is None:
        raise InputError(f"`{patch.shown}` is not there", "let the mutant spoil a function that the code has")
    made = patch.spoil(real)
    if made is real:
        raise InputError(f"`{patch.shown}` is not changed", "let the mutant change something")
    held[patch.name] = made
    try:
        yield
    finally:
        held[patch.name] = real


@contextmanager
def all_spoiled(patches: Iterable[Patch]) -> Iterator[None]:
    """Apply several patches within the context."""
    with ExitStack() as stack:
        for patch in patches:
            stack.enter_context(spoiled(patch))
        yield


T = TypeVar("T")


class Case(NamedTuple):
    """Settings, a question, and the code's answer."""

    settings: Any
    asked: Any = None
    answer: Any = None


def every(kind: Callable[..., T], /, **choices: Iterable[Any]) -> tuple[T, ...]:
    """Return all values of a type that these field choices make."""
    return tuple(kind(**dict(zip(choices, chosen, strict=True))) for chosen in product(*map(tuple, choices.values())))


def subsets(values: Iterable[T]) -> tuple[frozenset[T], ...]:
    """Return all subsets, the empty one first."""
    found = [frozenset[T]()]
    for value in values:
        found += [one | {value} for one in found]
    return tuple(found)


def was_asked(case: Case) -> bool:
    """The antecedent of most invariants over settings."""
    return case.asked is not None


def model_of(
    name: str, about: str, settings: Iterable[Hashable], ask: tuple[str, Callable[[Any], Iterable[tuple[Any, Any]]]],
    invariants: tuple[Invariant, ...], mutants: tuple[Mutant, ...],
) -> Model:  # fmt: skip
    """Return a model with each of the settings as initial state. `ask`: the name of the question, and a function that
    yields all questions with their answers.
    """
    called, answers = ask

    def asked(case: Case) -> Iterator[tuple[Any, Case]]:
        if case.asked is None:
            for question, answer in answers(case.settings):
                yield question, Case(case.settings, question, answer)

    initial = tuple(map(Case, settings))
    return Model(name, about, initial, lambda: (Action(called, asked),), invariants, was_asked, mutants)
