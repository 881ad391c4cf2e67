"""`remit models`: lists, describes, checks and draws the models of our own state machines and the theories about them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.checker.workers import Crash, cores, run_jobs
from remit.cli.atomic_write import save
from remit.cli.progress import Progress
from remit.core.errors import PackageError, RemitError, UsageError
from remit.models.explore.drawing.graph import story_alone, whole, with_mutant
from remit.models.explore.drawing.svg import drawn
from remit.models.explore.gates import check_list, check_model, read_expected
from remit.models.explore.properties import check_properties, check_reference, read_properties, read_reference
from remit.models.explore.registry import MODELS, lying, models
from remit.models.explore.report import list_lines, listed_json, told_json
from remit.models.explore.story_export import Exported, exported
from remit.models.outcomes import PYTHON, Engine, Outcome, chosen_engines, other_engine, outcomes_json, table_lines
from remit.models.proofs.registry import THEORIES, theories
from remit.models.proofs.registry import listed_json as theories_json
from remit.models.stories import stories, story_lines
from remit.models.tla.registry import excuses, uncovered
from remit.report.as_json import pretty
from remit.report.screen import Screen

if TYPE_CHECKING:
    import argparse

    from remit.models.explore.model import Model
    from remit.models.proofs.theory import Theory


class Explored(NamedTuple):
    """The result for a model: its line, all of it as JSON, and its traces as tests if requested."""

    outcome: Outcome
    told: dict[str, Any]
    tests: tuple[Exported, ...] = ()


def explore_all(models: Sequence[Model], jobs: int, *, tests: bool, done: Callable[[str], None]) -> list[Explored]:
    """Yield the results of models, in order; the largest start first, so that none is left at the end."""
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


def run(args: argparse.Namespace) -> int:
    """Run the command."""
    return {"list": _list, "show": _show, "graph": _draw, "check": _check}[args.action](args)


def _list(args: argparse.Namespace) -> int:
    """List models and theories with their descriptions."""
    for name in args.names:
        if name not in MODELS and name not in THEORIES:
            raise UsageError(f"`{name}` is neither a model nor a theory", "`remit models list` shows them")
    mine = [name for name in args.names or MODELS if name in MODELS]
    explored = models(mine) if mine else ()
    proved, missing = _theories([name for name in args.names or THEORIES if name in THEORIES], wanted=bool(args.names))
    if args.format == "json":
        listed = [pretty({"models": listed_json(explored), "theories": theories_json(proved)})]
    else:
        listed = [*list_lines(explored), *list_lines(proved), *missing]
    Screen.of(sys.stdout, "auto").write(listed)
    return 0


def _theories(names: Sequence[str], *, wanted: bool) -> tuple[tuple[Theory, ...], list[str]]:
    """Return theories; without the solver, and unless one was requested by name, a note that they are not listed."""
    try:
        return (theories(names) if names else ()), []
    except PackageError as error:
        if wanted:
            raise
        return (), [f"theories are not listed: {error.message}; {error.remedy}"]


def _show(args: argparse.Namespace) -> int:
    """Print the trace of each mutant, as soon as it is found."""
    screen, told = Screen.of(sys.stdout, "auto"), []
    for one in stories(args.name, args.mutant or ""):
        told.append(one)
        if args.format == "text":
            screen.write(story_lines(one))
    if args.format == "json":
        screen.write(
            [pretty({"name": args.name, "mutants": [{**one._asdict(), "story": list(one.story)} for one in told]})]
        )
    return 0 if all(one.story for one in told) else 1


def _draw(args: argparse.Namespace) -> int:
    """Print a picture of a small model, or of the trace of a mutant."""
    (model,) = models([args.name])
    if args.story and not args.mutant:
        raise UsageError("a story is that of a mutant", "give `--mutant NAME`")
    if args.story:
        picture = story_alone(model, args.mutant)
    else:
        picture = with_mutant(model, args.mutant, args.most) if args.mutant else whole(model, args.most)
    text = drawn(picture)
    if args.output:
        _save(Path(args.output), text)
    else:
        print(text, end="")
    return 0


def _check(args: argparse.Namespace) -> int:
    """Run all engines, and print one table at the end."""
    wanted = chosen_engines(args.engine)
    if args.export and PYTHON not in wanted:
        raise UsageError(
            f"`--export` writes stories of the engine `{PYTHON}`", f"leave out `--engine`, or give `{PYTHON}`"
        )
    others = [
        other_engine(name) for name in wanted if name != PYTHON
    ]  # missing programs are reported before anything is done
    known = {*(MODELS if PYTHON in wanted else ()), *(name for one in others for name in one.knows)}
    for name in args.names:
        if name not in known:
            raise UsageError(f"`{name}` is not a model of {' or '.join(wanted)}", "`remit models list` shows them")
    explored, outcomes = _run(args, others, own=PYTHON in wanted)
    faults = _faults() if PYTHON in wanted and not args.names else []
    if args.export:
        _write(Path(args.export), explored)
    screen = Screen.of(sys.stdout, "auto")
    if args.format == "json":
        screen.write([pretty(_as_json(explored, outcomes, faults))])
    else:
        screen.write([*table_lines(outcomes), *faults])
    return 1 if faults or any(one.faults for one in outcomes) else 0


def _run(args: argparse.Namespace, others: Sequence[Engine], *, own: bool) -> tuple[list[Explored], list[Outcome]]:
    mine = [name for name in args.names if name in MODELS] if args.names else list(MODELS)
    chosen = models(mine) if own and mine else ()
    parts = {one.name: [name for name in args.names if name in one.knows] for one in others}
    asked = [one for one in others if parts[one.name] or not args.names]
    total = len(chosen) + sum(len(parts[one.name] or one.knows) for one in asked)
    with Progress(total, quiet=args.quiet, verb="exploring") as progress:
        explored = explore_all(chosen, args.jobs, tests=bool(args.export), done=progress.step) if chosen else []
        outcomes = [one.outcome for one in explored]
        for one in asked:
            outcomes += one.check(parts[one.name], progress.step)
    return explored, outcomes


def _faults() -> list[str]:
    """Return what is wrong with the lists, if everything was checked."""
    every = models()
    mutants = {one.name: [mutant.name for mutant in one.mutants] for one in every}
    claims = read_properties()
    faults = [*check_list(MODELS, lying(), mutants, read_expected()), *check_properties(claims, every)]
    return [*faults, *check_reference(claims, read_reference()), *uncovered(MODELS, excuses())]


def _write(folder: Path, explored: Iterable[Explored]) -> None:
    for one in explored:
        for test in one.tests:
            _save(folder / test.name, test.text)


def _save(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        save(path, text)
    except OSError as error:
        raise UsageError(f"`{path}` cannot be written: {error.strerror}", "give another place") from None


def _as_json(explored: Iterable[Explored], outcomes: Sequence[Outcome], faults: Sequence[str]) -> dict[str, Any]:
    return {
        "passed": not faults and not any(one.faults for one in outcomes),
        "faults": list(faults),
        "outcomes": outcomes_json(outcomes),
        "models": [one.told for one in explored],
    }
