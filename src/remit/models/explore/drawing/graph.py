"""The graph to draw: every state and transition of a model, or the story of a mutant."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import LimitError, UsageError
from remit.models.explore.gates import check_mutant
from remit.models.explore.model import all_spoiled
from remit.models.explore.story import told

if TYPE_CHECKING:
    from remit.models.explore.model import Model, Mutant, State
    from remit.models.explore.search import Violation


class Way(NamedTuple):
    """A transition between two states, by one or more actions."""

    start: int
    end: int
    labels: tuple[tuple[str, str], ...]  # action, and the words of the choice


class Picture(NamedTuple):
    """The graph, with states by number."""

    model: Model
    states: tuple[State, ...]
    ways: tuple[Way, ...]
    initial: frozenset[int]
    ends: frozenset[int]
    about: str = ""  # the mutant, where one is drawn
    violated: str = ""  # the invariant that fails
    path: tuple[tuple[int, int], ...] = ()  # the way of the story
    bad: int | None = None  # where it ends


def whole(model: Model, most: int) -> Picture:
    """Return every state of a model."""
    with all_spoiled(model.constants):
        return _drawn(model, most)


def with_mutant(model: Model, name: str, most: int) -> Picture:
    """Return every state of a model under a mutant, with its story marked."""
    mutant, violation = _violation(model, name)
    with all_spoiled((*model.constants, mutant.patch)):
        picture = _drawn(model, most)
    places = {state: place for place, state in enumerate(picture.states)}
    walked = [places[step.state] for step in violation.trace]
    return _marked(picture, mutant, walked)


def story_alone(model: Model, name: str) -> Picture:
    """Return only the states of a mutant's story."""
    mutant, violation = _violation(model, name)
    states = tuple(dict.fromkeys(step.state for step in violation.trace))
    places = {state: place for place, state in enumerate(states)}
    walked = [places[step.state] for step in violation.trace]
    labels: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for (start, end), step in zip(pairwise(walked), violation.trace[1:], strict=True):
        labels.setdefault((start, end), []).append((step.action, told(step.choice)))
    with all_spoiled((*model.constants, mutant.patch)):
        ends = frozenset(place for place, state in enumerate(states) if model.ends(state))
    picture = Picture(model, states, _ways(labels), frozenset({0}), ends)
    return _marked(picture, mutant, walked)


def _marked(picture: Picture, mutant: Mutant, walked: list[int]) -> Picture:
    return picture._replace(about=mutant.name, violated=mutant.invariant, path=tuple(pairwise(walked)), bad=walked[-1])


def _violation(model: Model, name: str) -> tuple[Mutant, Violation]:
    mutant = next((one for one in model.mutants if one.name == name), None)
    if mutant is None:
        known = ", ".join(f"`{one.name}`" for one in model.mutants)
        raise UsageError(f"`{name}` is no mutant of `{model.name}`", f"one of {known}")
    found, fault = check_mutant(model, mutant)
    if found.trace is None:
        raise UsageError(fault, "a mutant that is not noticed has no story: see `remit models check`")
    return mutant, found.trace


def _drawn(model: Model, most: int) -> Picture:
    actions, canonical = model.actions(), model.canonical or (lambda state: state)
    states = list(dict.fromkeys(map(canonical, model.initial)))
    initial = frozenset(range(len(states)))
    places = {state: place for place, state in enumerate(states)}
    labels: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for start, state in enumerate(states):  # grows while it is gone through
        for action in actions:
            for choice, moved in action.moves(state):
                after = canonical(moved)
                end = places.setdefault(after, len(states))
                if end == len(states):
                    states.append(after)
                if end != start:  # what changes nothing is no way
                    labels.setdefault((start, end), []).append((action.name, told(choice)))
        if len(states) > most:
            remedy = "raise `--most`, or draw a story alone: `--mutant NAME --story`"
            raise LimitError(f"`{model.name}` has more than {most} states: nobody could read that", remedy)
    ends = frozenset(place for place, state in enumerate(states) if model.ends(state))
    return Picture(model, tuple(states), _ways(labels), initial, ends)


def _ways(labels: dict[tuple[int, int], list[tuple[str, str]]]) -> tuple[Way, ...]:
    return tuple(Way(start, end, _once(found)) for (start, end), found in sorted(labels.items()))


def _once(labels: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys(labels))
