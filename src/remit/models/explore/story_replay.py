"""The replay of a story: the same initial state, actions and choices, through the current code or a mutant.

A choice is identified by its words in the story (`told`); where several of one action have the same words, by their order. That an operation
goes on is one choice, whatever it asks: code that is not spoiled may ask something else there.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import UsageError
from remit.gateway.inbound.stores.operations import All, Begin, Commit, Next, Read, Write
from remit.models.explore.model import Patch, all_spoiled
from remit.models.explore.search import DEADLOCK, Step, Violation
from remit.models.explore.story import told

if TYPE_CHECKING:
    from remit.models.explore.model import Action, Eventually, Model, State


class StoryStep(NamedTuple):
    """One step of a story."""

    action: str
    choice: str
    order: int = 0  # among choices with the same words
    goes_on: str = ""  # the place of an operation that goes on


class Walk(NamedTuple):
    """How far a story could be replayed, and whether its property fails in it."""

    trace: tuple[Step, ...]
    whole: bool  # every step was possible
    fails: bool

    def story_of(self, violation: str, again: int | None) -> Violation:
        """For who tells it."""
        return Violation(violation, self.trace, again)


def chosen(model: Model, violation: Violation) -> tuple[int, tuple[StoryStep, ...]]:
    """Which of the initial states a story begins with, and its steps. The code must be as it was when the story was found."""
    canonical = model.canonical or (lambda state: state)
    start = violation.trace[0].state
    first = next(place for place, state in enumerate(model.initial) if canonical(state) == start)
    steps, here = [], start
    with all_spoiled(model.constants):
        actions = {action.name: action for action in model.actions()}
        for step in violation.trace[1:]:
            words = told(step.choice)
            found = list(_with_words(model, actions[step.action], here, words))
            order = next(place for place, (choice, _) in enumerate(found) if choice == step.choice)
            here = found[order][1]
            steps.append(StoryStep(step.action, words, order, _place(step.choice)))
    return first, tuple(steps)


def walk(
    model: Model,
    about: str,
    first: int,
    steps: tuple[StoryStep, ...],
    again: int | None = None,
    patch: Patch | None = None,
) -> Walk:
    """Walk a story about an invariant or a promise; one that cannot be gone on with ends there, and nothing of it failed.

    `again`: of a promise, the place from which it goes on like this for ever.
    """
    patches = (*model.constants, *((patch,) if patch else ()))
    with all_spoiled(patches):
        actions = {action.name: action for action in model.actions()}
        canonical = model.canonical or (lambda state: state)
        trace = [Step("", (), canonical(model.initial[first]))]
        for step in steps:
            action = actions.get(step.action)
            found = _possible(model, action, trace[-1].state, step) if action else []
            if not found:
                return Walk(tuple(trace), False, _breaks(model, about)(trace))
            trace.append(Step(step.action, *found[0]))
        promise = model.promise(about)
        fails = _goes_on(model, promise, trace, again or 0) if promise else _breaks(model, about)(trace)
    return Walk(tuple(trace), True, fails)


def _with_words(model: Model, action: Action, state: State, words: str) -> Iterator[tuple[Hashable, State]]:
    canonical = model.canonical
    for choice, moved in action.moves(state):
        if told(choice) == words:
            yield choice, moved if canonical is None else canonical(moved)


def _possible(model: Model, action: Action, state: State, step: StoryStep) -> list[tuple[Hashable, State]]:
    """What the step can be here: one at most."""
    found = list(_with_words(model, action, state, step.choice))[step.order :]
    if found or not step.goes_on:
        return found[:1]
    canonical = model.canonical or (lambda state: state)
    return [(choice, canonical(moved)) for choice, moved in action.moves(state) if _place(choice) == step.goes_on][:1]


def _place(choice: Hashable) -> str:
    """The place of an operation that goes on (`interleave.going_on`), if the choice is that one does."""
    match choice:
        case (int(place), Begin() | Commit() | Read() | Write() | Next() | All() | "returns"):
            return str(place)
    return ""


def _breaks(model: Model, about: str) -> Callable[[list[Step]], bool]:
    """Whether an invariant fails somewhere on the way."""
    invariant = model.invariant(about)
    if about == DEADLOCK:
        return lambda trace: not model.ends(trace[-1].state) and not _leads_on(model, trace[-1].state)
    if invariant is None:
        if model.promise(about) is None:
            raise UsageError(f"`{about}` is nothing that `{model.name}` says", "`remit models list` shows what it says")
        return lambda _: False  # what must come about is not missed by a story that ends
    return lambda trace: any(invariant.antecedent(one.state) and not invariant.holds(one.state) for one in trace)


def _leads_on(model: Model, state: State) -> bool:
    canonical = model.canonical or (lambda state: state)
    return any(canonical(moved) != state for action in model.actions() for _, moved in action.moves(state))


def _goes_on(model: Model, promise: Eventually, trace: list[Step], again: int) -> bool:
    """Whether it can go on like this for ever without what was promised: it comes round, and puts off no fair action for ever."""
    loop = trace[again:]
    wanted = [place for place, one in enumerate(trace) if promise.antecedent(one.state)]
    missed = any(all(not promise.goal(one.state) for one in trace[place:]) for place in wanted)
    if not missed or loop[0].state != loop[-1].state:
        return False
    happens = {after.action for _, after in pairwise(loop)}
    canonical = model.canonical or (lambda state: state)
    return all(
        action.name in happens or any(all(canonical(moved) == one.state for _, moved in action.moves(one.state)) for one in loop)
        for action in model.actions()
        if action.name in promise.fair
    )  # fmt: skip
