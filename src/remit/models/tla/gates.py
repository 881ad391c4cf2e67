"""The gates of a twin. It passes if all of them do; each failure is reported with its reason.

(1) TLC finds as many states as the explorer without symmetry, and the same states and transitions, by the same names
(2) every invariant and promise of the model is one of the twin's, and holds; every omission has a reason
(3) every one of them is noticed by a mutant of the twin: TLC, with `Bug` set to the mutant's name, violates the invariant that the mutant
    names, by a story as long as the recorded one whose steps are moves of the code with that mutant's patch
(4) every twin in the folder is listed, and belongs to a model
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.core.errors import InputError, RemitError
from remit.models.explore.gates import Expected, read_expected
from remit.models.explore.model import all_spoiled
from remit.models.explore.registry import models
from remit.models.outcomes import Outcome
from remit.models.tla import registry
from remit.models.tla.comparison import differences, explored, replayed
from remit.models.tla.machine import MODULE
from remit.models.tla.output_parser import drawn, said
from remit.models.tla.runner import FINE, INVARIANT, LIVENESS, TWINS, Tlc, TlcRun, ready
from remit.models.tla.values import NOTHING, identifier, told

if TYPE_CHECKING:
    from remit.models.explore.model import Model, Mutant
    from remit.models.tla.twin import Twin


_MOST = 2  # TLC, and what compares, want much memory for the largest twins
_HELD: list[Tlc] = []  # of this process


class _ProcessError(NamedTuple):
    """An error of ours, as it comes from another process."""

    message: str
    remedy: str


def each(work: Callable[[Tlc, str], Outcome], names: Sequence[str]) -> Iterator[Outcome]:
    """Yield the result of each name, in order of completion; `work` is a function of a module."""
    ready()
    with TemporaryDirectory(prefix="remit-tlc-") as folder:
        jobs = min(_MOST, os.cpu_count() or 1, len(names))
        with ProcessPoolExecutor(jobs, mp_context=get_context("fork")) as pool:
            for future in as_completed([pool.submit(_worked, work, name, folder) for name in names]):
                found = future.result()
                if isinstance(found, _ProcessError):
                    raise InputError(*found)
                yield found


def _worked(work: Callable[[Tlc, str], Outcome], name: str, folder: str) -> Outcome | _ProcessError:
    try:
        if not _HELD:
            _HELD.append(Tlc(Path(folder) / str(os.getpid())))  # it ends with this process
        return work(_HELD[0], name)
    except RemitError as error:
        return _ProcessError(error.message, error.remedy)


NO_BUG = "none"


def made(
    twin: str, constants: Mapping[str, Any], *, bug: str = NO_BUG, invariants: Iterable[str] = (), promises: Iterable[str] = (),
    fair: Iterable[str] = (),
) -> dict[str, str]:  # fmt: skip
    """Return the files by name. Invariants, promises and fair actions are given by the model's names for them."""
    given = {name: told(value) for name, value in {**constants, "Bug": bug}.items()}
    defined = [f"Given{name} == {text}" for name, text in given.items()]
    fairness = "".join(f" /\\ WF_vars({identifier(name)})" for name in fair)
    module = [
        f"---- MODULE {MODULE} ----",
        f"EXTENDS {twin}, TLC",
        *defined,
        f"Spec == Init /\\ [][Next]_vars{fairness}",
        "====",
    ]
    settings = [
        f"CONSTANT {NOTHING} = {NOTHING}",
        *(f"CONSTANT {name} <- Given{name}" for name in given),
        "SPECIFICATION Spec",
    ]
    settings += [f"INVARIANT {identifier(name)}" for name in invariants]
    settings += [f"PROPERTY {identifier(name)}" for name in promises]
    return {f"{MODULE}.tla": "\n".join(module) + "\n", f"{MODULE}.cfg": "\n".join(settings) + "\n"}


ENGINE = "tlc"
_BUG = re.compile(r'Bug (?:=|#|\\in|\\notin) (\{[^}]*\}|"[^"]*")')
_QUOTED = re.compile(r'"([^"]*)"')


class _TwinCase(NamedTuple):
    """A twin with all that belongs to it."""

    model: Model
    twin: Twin
    module: str
    text: str
    constants: Mapping[str, Any]

    @property
    def bugs(self) -> list[str]:
        """The names of the twin's mutants."""
        return list(dict.fromkeys(name for found in _BUG.findall(self.text) for name in _QUOTED.findall(found)))


def check(names: Sequence[str], done: Callable[[str], None]) -> list[Outcome]:
    """Check the twins of these models, or all, the largest first; `done` is called with each name."""
    chosen = tuple(registry.twins(names))
    known = read_expected().models
    found = {}
    for outcome in each(_checked, sorted(chosen, key=lambda name: -known.get(name, (0, 0))[1])):
        found[outcome.name] = outcome
        done(outcome.name)
    return [found[name] for name in chosen]


def _checked(tlc: Tlc, name: str) -> Outcome:
    module = registry.MODELS[name]
    text = (TWINS / f"{module}.tla").read_text()
    return check_twin(tlc, models([name])[0], registry.twins([name])[name], module, text, read_expected())


def check_twin(tlc: Tlc, model: Model, twin: Twin, module: str, text: str, expected: Expected) -> Outcome:
    """Check the gates of one twin with this text."""
    start = time.perf_counter()
    with all_spoiled(model.constants):
        case = _TwinCase(model, twin, module, text, twin.constants())
    states, steps, faults = _unchanged(tlc, case)
    faults += _promised(tlc, case)
    mutants = [mutant for mutant in model.mutants if mutant.name in case.bugs]
    killed = 0
    for mutant in mutants:
        fault = _mutant(tlc, case, mutant, expected)
        killed += not fault
        faults += [f"the mutant `{mutant.name}`: {fault}"] if fault else []
    faults += _left_out(case, mutants)
    return Outcome(
        ENGINE, model.name, model.about, len(model.properties) - len(twin.left_out), states, len(mutants), killed, tuple(faults),
        time.perf_counter() - start, steps,
    )  # fmt: skip


def _files(case: _TwinCase, **asked: Any) -> dict[str, str]:
    return {f"{case.module}.tla": case.text, **made(case.module, case.constants, **asked)}


def _unchanged(tlc: Tlc, case: _TwinCase) -> tuple[int | None, int | None, list[str]]:
    """Return how many states and transitions TLC finds, and what is wrong with them."""
    invariants = [one.name for one in case.model.invariants if one.name not in case.twin.left_out]
    run = tlc.run(case.text, _files(case, invariants=invariants), dump=True)
    faults = [] if run.status == FINE else [_told(run)]
    if run.status == INVARIANT:  # what differs says why; TLC stops at what is violated
        run = tlc.run(case.text, _files(case), dump=True)
    states = said(run.output).states
    if run.status != FINE:
        return states, None, faults
    code, count = explored(case.model, case.twin)
    faults += [] if states == count else [f"TLC finds {states} states, and the explorer {count}"]
    found = drawn(run.dump)
    return states, len(found.edges), faults + differences(code, found)


def _promised(tlc: Tlc, case: _TwinCase) -> list[str]:
    """Check the promises, under the model's fairness."""
    faults = []
    for promise in case.model.eventually:
        if promise.name not in case.twin.left_out:
            run = tlc.run(case.text, _files(case, promises=[promise.name], fair=promise.fair), alone=True)
            faults += [] if run.status == FINE else [f"`{promise.name}`: {_told(run)}"]
    return faults


def _mutant(tlc: Tlc, case: _TwinCase, mutant: Mutant, expected: Expected) -> str:
    """Return what is wrong with a mutant, or an empty string."""
    promise = case.model.promise(mutant.invariant)
    asked: dict[str, Any] = (
        {"promises": [promise.name], "fair": promise.fair} if promise else {"invariants": [mutant.invariant]}
    )
    run = tlc.run(case.text, _files(case, bug=mutant.name, **asked), alone=promise is not None)
    wanted = LIVENESS if promise else INVARIANT
    if run.status == FINE:
        return f"not noticed: `{mutant.invariant}` holds in all states"
    found = said(run.output)
    if run.status != wanted or found.violated not in {identifier(mutant.invariant), ""}:
        return _told(run)
    steps = expected.mutants.get((case.model.name, mutant.name))
    if not promise and len(found.trace) - 1 != steps:
        return f"TLC's story has {len(found.trace) - 1} steps, and the explorer's {steps}"
    return replayed(case.model, case.twin, mutant.patch, found.trace)


def _left_out(case: _TwinCase, mutants: Sequence[Mutant]) -> list[str]:
    names = {one.name for one in case.model.properties}
    noticed = {mutant.invariant for mutant in mutants}
    excused = set(case.twin.left_out)
    faults = [f"no mutant of the twin is noticed by `{name}`" for name in sorted(names - noticed - excused)]
    faults += [f"`{name}` is left out, and is nothing that the model says" for name in sorted(excused - names)]
    known = {mutant.name for mutant in case.model.mutants} | {NO_BUG}
    return faults + [f"`{name}` is no mutant of the model" for name in case.bugs if name not in known]


def _told(run: TlcRun) -> str:
    found = said(run.output)
    words = f"`{found.violated}` fails" if found.violated else found.words or run.output
    return f"TLC ends with {run.status}: {words}"
