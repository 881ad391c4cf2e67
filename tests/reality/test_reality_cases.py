"""The cases beside the checkout, run and compared."""

import json
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from harness.check import Program, a_place, explain, watch
from harness.sandbox import confined, has_bubblewrap, has_strace, sandboxed

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"


def runnable():
    for file in sorted(CASES.glob("**/expect.json")):
        expected = json.loads(file.read_text("utf-8"))
        stubbed = any(text.startswith("stub:") for text in expected.get("evidence", ()))
        if (
            expected.get("run")
            and not stubbed
            and shutil.which(expected["run"].split()[0].replace("{dir}", str(file.parent)))
        ):
            yield file.parent, expected


CASES_OR_NONE = [
    pytest.param(folder, expected, id=folder.name if number % 3 == 0 else f"{folder.name}_nightly")  # a third by day
    for number, (folder, expected) in enumerate(runnable())
] or [pytest.param(None, None, id="skipped_because_no_cases_lie_beside_the_checkout")]


def started(event, simple, line, effects, place):
    """How a case is started is not something that it does; nor is reading what is run."""
    if event.capability == "process.create":
        return not simple or line.split()[0] in event.raw
    code = {f"{place.skill}/{effect.where.file}" for effect in effects.effects}
    return event.capability == "file.read" and (event.object in line or event.object in code)


def arguments(line, place):
    """What the line of a case passes to its scripts."""
    pieces = [piece.split() for piece in re.split(r"&&|[|;]", " ".join(shlex.split(line, comments=False)))]
    return tuple(word for words in pieces for word in words[1:] if str(place.skill) not in word)


def prepared(place, setup):
    """What a case needs beside its files, made inside of the sandbox: a server that it leaves running ends with it."""
    home = {"PATH": os.environ["PATH"], "HOME": str(place.home)}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    inside = confined(place) if has_bubblewrap() else []
    subprocess.run([*inside, "bash", "-c", setup], env=home, check=False, timeout=60, **quiet)


@pytest.mark.parametrize(("folder", "expected"), CASES_OR_NONE)
def test_what_a_case_does_was_predicted_needs_strace_and_bubblewrap(folder, expected):
    if folder is None:
        pytest.skip("there is no folder of cases beside the checkout")
    if not (has_strace() and sandboxed()):
        pytest.skip("strace and bubblewrap are not both usable here")
    with a_place() as place:
        shutil.copytree(folder, place.skill, dirs_exist_ok=True, ignore=shutil.ignore_patterns("expect.json"))
        for path in place.skill.rglob("*"):
            path.chmod(path.stat().st_mode | 0o200)
        line = expected["run"].replace("{dir}", str(place.skill))
        simple = not set(line) & set("|;&'\"`$()<>")
        argv = shlex.split(line) if simple else ["bash", "-c", line]
        program = Program({}, tuple(expected.get("args", ())) or arguments(line, place))
        if setup := expected.get("setup"):
            prepared(place, setup)
        verdict = watch(place, argv, program)
        missing = [event for event in verdict.missing if not started(event, simple, line, verdict.effects, place)]
        assert not missing, explain(program, verdict._replace(missing=missing))
