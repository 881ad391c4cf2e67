"""Engine 1 from the command line: models do not know of one another, so that several are explored at a time, each in a process."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.checker.workers import Crash, cores, run_jobs
from remit.core.errors import RemitError
from remit.models.engines import PYTHON
from remit.models.explore.checking import check_model
from remit.models.explore.expected import read_expected
from remit.models.explore.exporting import Exported, exported
from remit.models.explore.report import told_json
from remit.models.outcome import Outcome

if TYPE_CHECKING:
    from remit.models.explore.model import Model


class Explored(NamedTuple):
    """What became of a model: its line, all of it as JSON, and its stories as tests where they are wanted."""

    outcome: Outcome
    told: dict[str, Any]
    tests: tuple[Exported, ...] = ()


def explore_all(models: Sequence[Model], jobs: int, *, tests: bool, done: Callable[[str], None]) -> list[Explored]:
    """Explore models, in their order; the largest begin first, so that nobody waits for one at the end."""
    expected = read_expected()

    def work(number: int) -> bytes:
        checked = check_model(models[number], expected)
        stories = [tuple(one) for one in exported(checked)] if tests else []
        return json.dumps({"told": told_json(checked), "tests": stories}).encode()

    def working(number: int) -> bytes:
        try:
            return work(number)
        except RemitError as error:
            return json.dumps({"fault": error.message}).encode()
        except Exception as error:  # noqa: BLE001  a world may fail in any way: that is told of this model, and the others go on
            return json.dumps({"fault": f"{type(error).__name__}: {error}"}).encode()

    order = sorted(range(len(models)), key=lambda number: -expected.models.get(models[number].name, (0, 0))[1])
    found: dict[int, Explored] = {}
    for number, answer in run_jobs(working, order, min(jobs or cores(), len(models))):
        found[number] = _explored(models[number], answer)
        done(models[number].name)
    return [found[number] for number in range(len(models))]


def _explored(model: Model, answer: bytes | Crash) -> Explored:
    data: dict[str, Any] = {"fault": answer.reason} if isinstance(answer, Crash) else json.loads(answer)
    if "fault" in data:
        fault = f"it was not explored: {data['fault']}"
        outcome = Outcome(
            PYTHON, model.name, model.about, len(model.properties), 0, len(model.mutants), 0, (fault,), 0.0
        )
        return Explored(outcome, {"name": model.name, "about": model.about, "faults": [fault]})
    told = data["told"]
    killed = sum(one["killed"] for one in told["mutants"])
    outcome = Outcome(
        PYTHON, model.name, model.about, len(model.properties), told["states"], len(model.mutants), killed, tuple(told["faults"]),
        told["seconds"], told["transitions"],
    )  # fmt: skip
    return Explored(outcome, told, tuple(Exported(*one) for one in data["tests"]))
