"""One program through the whole check."""

from __future__ import annotations

import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from harness.observe import Event, observed
from harness.predict import Given, predict, unpredicted
from harness.promises import broken
from harness.sandbox import Place, Ran, has_strace, prepare, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from remit.analysis.result import Effects

SKILL_MD = "---\nname: reality\ndescription: a program that is run to see whether it was understood\n---\n"
INTERPRETERS = {"py": "python3", "sh": "bash", "js": "node", "mjs": "node"}


class Program(NamedTuple):
    """A program: its files (the first is the one that is run), and what the caller passes."""

    files: dict[str, str]
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    stdin: str = ""

    @property
    def main(self) -> str:
        """The file that is run."""
        return next(iter(self.files))


class Verdict(NamedTuple):
    """What came out of it."""

    missing: list[Event]  # not predicted, or ruled out by a guarantee
    events: list[Event]
    effects: Effects
    ran: Ran


@contextmanager
def a_place() -> Iterator[Place]:
    """A fresh place that is removed afterwards."""
    base = Path(tempfile.mkdtemp(prefix="reality-"))
    try:
        yield prepare(base)
    finally:
        shutil.rmtree(base, ignore_errors=True)


def check(program: Program) -> Verdict:
    """Predict, run, compare."""
    with a_place() as place:
        (place.skill / "SKILL.md").write_text(SKILL_MD)
        for name, text in program.files.items():
            path = place.skill / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            path.chmod(0o755)
        ending = program.main.rpartition(".")[2]
        argv = [INTERPRETERS[ending], str(place.skill / program.main), *program.args]
        return watch(place, argv, program, audit=ending == "py" and not has_strace())


def watch(place: Place, argv: list[str], program: Program, *, audit: bool = False) -> Verdict:
    """Predict for the skill that lies in a place, run it there, and compare."""
    effects = predict(place)
    ran = run(place, argv, audit=audit, env=program.env, stdin=program.stdin)
    events = observed(ran, place)
    given = Given(program.args, program.env, program.stdin)
    missing = unpredicted(events, effects, place, given) + broken(events, effects, place, given)
    return Verdict(missing, events, effects, ran)


def explain(program: Program, verdict: Verdict) -> str:
    """A failure, for a person."""
    lines = ["not predicted, or ruled out by a guarantee:"]
    lines += [f"  {event.capability} {event.object}    [{event.raw[:160]}]" for event in verdict.missing]
    lines.append("predicted:")
    lines += [f"  {effect.capability} {effect.scope.render()}  ({effect.where})" for effect in verdict.effects.effects]
    lines += [f"  opaque: {item.reason} ({item.where})" for item in verdict.effects.opaque]
    for name, text in program.files.items():
        lines += [f"── {name} {' '.join(program.args)}", text]
    return "\n".join([*lines, f"── status {verdict.ran.status}", verdict.ran.output[:2000]])
