"""The gates of a model. It passes if all of them do; each failure is reported with its reason.

(1) a mutant passes only if the invariant that it names fails, with a trace
(2) model and mutant have the same initial states and the same invariant, and differ in one function of ours: a mutant is the model's own
    exploration under one patch, so that this holds by how it is made; the patch must change something
(3) a model has more than one state, fires every action and reaches the antecedent of each invariant
(4) every invariant is looked at by the model, and noticed by a mutant
(5) the numbers of states and transitions and the lengths of stories are the recorded ones
(6) every model in the folder is listed, and every line of the record belongs to a model
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from remit.core.errors import DataError, RemitError
from remit.core.table import read_table
from remit.models.explore.liveness import broken, graph_of
from remit.models.explore.model import spoiled
from remit.models.explore.search import Explored, Violation, explore
from remit.models.explore.story import story

if TYPE_CHECKING:
    from remit.models.explore.model import Model, Mutant


class Killed(NamedTuple):
    """The result of a mutant: the story in which its invariant fails, if it does."""

    mutant: str
    invariant: str
    spoils: str
    trace: Violation | None

    @property
    def steps(self) -> int:
        """The length of the story."""
        return len(self.trace.trace) - 1 if self.trace else 0


class ModelResult(NamedTuple):
    """The result of a model."""

    model: Model
    explored: Explored
    mutants: tuple[Killed, ...]
    faults: tuple[str, ...]
    seconds: float

    @property
    def killed(self) -> int:
        """The number of mutants that were noticed."""
        return sum(one.trace is not None for one in self.mutants)


def check_model(model: Model, expected: Expected) -> ModelResult:
    """Explore a model and all of its mutants, and check the gates."""
    start = time.perf_counter()
    explored = _with_promises(model, explore(model, keep=bool(model.eventually)))
    faults = [*_model_faults(model, explored), *_unnoticed(model)]
    mutants = []
    for mutant in model.mutants:
        found, fault = check_mutant(model, mutant)
        mutants.append(found)
        faults += [fault] if fault else []
    faults += _drift(model, explored, mutants, expected)
    return ModelResult(model, explored, tuple(mutants), tuple(faults), time.perf_counter() - start)


def check_mutant(model: Model, mutant: Mutant) -> tuple[Killed, str]:
    """Explore a mutant; return the result, and what is wrong with it."""
    nothing = Killed(mutant.name, mutant.invariant, mutant.patch.shown, None)
    invariant, promise = model.invariant(mutant.invariant), model.promise(mutant.invariant)
    if invariant is None and promise is None:
        return nothing, f"the mutant `{mutant.name}` names `{mutant.invariant}`, which is no invariant of the model"
    try:
        with spoiled(mutant.patch):
            found = (
                explore(model, (invariant,), deadlocks=False).violation
                if invariant
                else promise and broken(graph_of(model), promise)[0]
            )
    except RemitError as error:
        return nothing, f"the mutant `{mutant.name}` cannot be explored: {error.message}"
    except Exception as error:  # noqa: BLE001  spoiled code may fail in any way, and that is no story
        return nothing, f"the mutant `{mutant.name}` cannot be explored: {type(error).__name__}: {error}"
    if found is None:
        return nothing, f"the mutant `{mutant.name}` is not noticed: `{mutant.invariant}` holds in all states"
    if len(found.trace) < 2:
        return nothing, f"the mutant `{mutant.name}` has no story: `{mutant.invariant}` fails at the beginning"
    return nothing._replace(trace=found), ""


def _with_promises(model: Model, explored: Explored) -> Explored:
    """Return the exploration, with liveness checked."""
    graph, explored = explored.graph, explored._replace(graph=None)
    if explored.violation or graph is None:
        return explored
    reached, violation = set(explored.reached), None
    for promise in model.eventually:
        found, was_open = broken(graph, promise)
        reached |= {promise.name} if was_open else set()
        violation = violation or found
    return explored._replace(reached=frozenset(reached), violation=violation)


def check_list(
    names: Iterable[str], lying: Iterable[str], mutants: Mapping[str, Iterable[str]], expected: Expected
) -> list[str]:
    """Return models that are not listed, and records of missing models and mutants."""
    listed, there = set(names), set(lying)
    faults = [f"`{name}` lies in the folder and is not listed" for name in sorted(there - listed)]
    faults += [f"`{name}` is listed and not there" for name in sorted(listed - there)]
    faults += [f"the record has `{name}`, which is no model" for name in sorted(set(expected.models) - listed)]
    known = {(name, mutant) for name in mutants for mutant in mutants[name]}
    return faults + [
        f"the record has the mutant `{mutant}` of `{name}`, which is not there" for name, mutant in sorted(set(expected.mutants) - known)
    ]  # fmt: skip


def _model_faults(model: Model, explored: Explored) -> list[str]:
    if explored.violation:
        return [f"`{explored.violation.invariant}` fails", *story(explored.violation)]
    faults = [] if explored.states > 1 else ["nothing ever happens: there is one state"]
    faults += [
        f"the action `{one.name}` never changes anything" for one in model.actions() if one.name not in explored.fired
    ]
    return faults + [
        f"the antecedent of `{one.name}` is never reached"
        for one in model.properties
        if one.name not in explored.reached
    ]


def _unnoticed(model: Model) -> list[str]:
    named = {mutant.invariant for mutant in model.mutants}
    actions = {action.name for action in model.actions()}
    faults = [f"no mutant is noticed by `{one.name}`" for one in model.properties if one.name not in named]
    faults += [
        f"`{one.name}` calls `{name}` fair, which is no action"
        for one in model.eventually
        for name in sorted(set(one.fair) - actions)
    ]
    faults += (
        ["two mutants have one name"] if len({mutant.name for mutant in model.mutants}) != len(model.mutants) else []
    )
    return faults + (
        ["two invariants have one name"] if len({one.name for one in model.properties}) != len(model.properties) else []
    )


def _drift(model: Model, explored: Explored, mutants: Iterable[Killed], expected: Expected) -> list[str]:
    faults = []
    found, recorded = (explored.states, explored.transitions), expected.models.get(model.name)
    if found != recorded:
        faults.append(_differs(f"{found[0]} states and {found[1]} transitions", recorded))
    for one in mutants:
        steps = expected.mutants.get((model.name, one.mutant))
        if one.trace and one.steps != steps:
            faults.append(_differs(f"a story of {one.steps} steps for the mutant `{one.mutant}`", steps))
    return faults


def _differs(found: str, recorded: object) -> str:
    return f"{found}, and the record has {recorded if recorded is not None else 'nothing of it'}"


FILE = Path(__file__).with_name("data") / "expected.table"
MODEL, MUTANT = "model", "mutant"


class Expected(NamedTuple):
    """All recorded numbers."""

    models: Mapping[str, tuple[int, int]]  # by model: states, transitions
    mutants: Mapping[tuple[str, str], int]  # by model and mutant: steps of the story


def read_expected(path: Path = FILE) -> Expected:
    """Read a table: `[model]` model, states, transitions; `[mutant]` model, mutant, steps."""
    models: dict[str, tuple[int, int]] = {}
    mutants: dict[tuple[str, str], int] = {}
    for row in read_table(path, 3):
        name, second, third = row.cells
        if row.section == MODEL and name not in models and second.isdecimal() and third.isdecimal():
            models[name] = (int(second), int(third))
        elif row.section == MUTANT and (name, second) not in mutants and third.isdecimal():
            mutants[name, second] = int(third)
        else:
            raise DataError(
                f"{row.where}: not a line of [{MODEL}] or [{MUTANT}], or it occurs twice", "correct the line"
            )
    return Expected(models, mutants)
