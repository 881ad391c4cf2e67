"""Many steps in one sandbox, each with the events that it caused."""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.ambient import is_ambient
from harness.check import SKILL_MD
from harness.observe import MARK, Event, each_once, traced_events
from harness.predict import Given, covered, of_repository, predict
from harness.sandbox import Place, prepare, run

from probe.workspace import fill

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from remit.analysis.result import Effects

AMBIENT = Path(__file__).parent / "ambient.toml"
DRIVER = Path(__file__).parent / "driver.py"
SECONDS = 4.0
SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/usr/games"


class Step(NamedTuple):
    """Something to run: the words of a program, or Python code; and the script of a skill that says the same."""

    script: str
    argv: tuple[str, ...] = ()
    code: str = ""


class Result(NamedTuple):
    """What came of a step. Status 124: it took too long."""

    status: int
    events: list[Event]


@contextmanager
def probe_place(*, repository: bool = False) -> Iterator[Place]:
    """A fresh place with the files of a probe."""
    base = Path(tempfile.mkdtemp(prefix="reality-")).resolve()
    try:
        prepare(base)
        (base / "template").mkdir()
        place = Place(base, fill(base / "template", repository=repository))
        (place.skill / "SKILL.md").write_text(SKILL_MD)
        yield place
    finally:
        shutil.rmtree(base, ignore_errors=True)


def run_steps(
    place: Place,
    steps: Sequence[Step],
    *,
    imports: Sequence[str] = (),
    path: Sequence[str] = (),
    seconds: float = SECONDS,
    driver: tuple[str, ...] = (sys.executable, "-S", str(DRIVER)),
) -> list[Result]:
    """Run all of them, one after the other, each in a fresh work folder."""
    if not steps:
        return []
    batch = {
        "steps": [_described(step) for step in steps], "imports": list(imports), "path": list(path), "seconds": seconds,
        "work": str(place.work), "template": str(place.base / "template"), "emptied": [str(place.home), str(place.tmp)],
    }  # fmt: skip
    (place.log / "steps.json").write_text(json.dumps(batch))
    (place.log / "statuses.json").unlink(missing_ok=True)
    argv = [*driver, str(place.log / "steps.json"), str(place.log / "statuses.json")]
    ran = run(place, argv, seconds=(seconds + 0.5) * len(steps) + 60)
    assert ran.trace, ran.output
    statuses_file = place.log / "statuses.json"
    statuses = json.loads(statuses_file.read_text()) if statuses_file.exists() else []
    events = _by_step(place, ran.trace, len(steps))
    return [
        Result(status, each_once(settled(events[number], place, status)))
        for number in range(len(steps))
        for status in [statuses[number] if number < len(statuses) else 124]
    ]


def touched(result: Result) -> int:
    """How many events of a step are in its work folder."""
    return sum("work" in Path(event.object).parts for event in result.events)


def settled(events: list[Event], place: Place, status: int) -> list[Event]:
    """Events without those of names that a step used for a while: a file that it made and removed again is temporary (unless
    the step failed, and removed what it would have left), and one that it removed, or whose mode it set, and wrote anew was written."""
    last = {e.object: e.capability for e in events if e.capability in ("file.write", "file.delete")}
    written = {e.object for e in events if e.capability == "file.write"}
    made = written - {f"{place.work}/{name}" for name in place.existing}
    passing = {name for name in made if status == 0 and last[name] == "file.delete"}
    anew = {name for name in written if last[name] == "file.write"}
    return [
        event
        for event in events
        if event.object not in passing
        and not (event.object in anew and event.capability in ("file.delete", "file.chmod"))
        and not (event.object in made and event.capability == "file.read")
    ]


def _described(step: Step) -> dict[str, object]:
    if step.code:
        return {"code": step.code}
    program = shutil.which(step.argv[0], path=SYSTEM)
    return {"program": program or "/bin/false", "argv": list(step.argv)}


def _by_step(place: Place, trace: Path, count: int) -> list[list[Event]]:
    events: list[list[Event]] = [[] for _ in range(count)]
    current, starting = -1, False
    for call, event in traced_events(trace, place, whole=False):
        if call.name == "openat" and len(call.args) > 1 and MARK in call.args[1]:
            mark = call.args[1].strip('"').rpartition("/")[2]
            if mark == "code":
                events[current].clear()
                starting = False
            else:
                current, starting = (-1, False) if mark == "-" else (int(mark), True)
        elif event and current >= 0:
            if starting and event.capability == "process.create":
                starting = False  # the step itself
            else:
                events[current].append(event)
    return events


def predicted(place: Place, step: Step, name: str = "main.sh") -> Effects:
    """What the analysis says of a skill that has this step as its only script."""
    for old in place.skill.glob("main.*"):
        old.unlink()
    (place.skill / name).write_text(step.script)
    return predict(place)


def uncovered(place: Place, result: Result, effects: Effects) -> list[Event]:
    """The events of a step that its prediction does not cover."""
    return [] if effects.opaque else [event for event in result.events if not is_covered(event, effects, place)]


def is_covered(event: Event, effects: Effects, place: Place) -> bool:
    """Whether an event was predicted, or is on a list of what a tool does for itself."""
    return (
        is_ambient(event, place)
        or is_ambient(event, place, AMBIENT)
        or covered(event, effects.effects, place, Given())
        or of_repository(event, effects, place)
    )
