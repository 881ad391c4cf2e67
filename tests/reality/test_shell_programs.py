"""Shell programs and the programs inside them, ordinary and sly: what they do was predicted, or something is opaque."""

import re
from pathlib import Path

import pytest
from harness.check import SKILL_MD, Program, a_place, explain, watch
from harness.sandbox import has_strace, sandboxed

_TEXT = (Path(__file__).resolve().parent / "shell_programs.txt").read_text("utf-8")
PROGRAMS = re.findall(r"^### (\S+)(?: (\w+))?\n(.*?)(?=^### |\Z)", _TEXT, re.DOTALL | re.MULTILINE)


# A quarter is run by day
NAMES = [name if number % 4 == 0 else f"{name}_nightly" for number, (name, _, _) in enumerate(PROGRAMS)]


@pytest.mark.parametrize(("name", "word", "script"), PROGRAMS, ids=NAMES)
def test_what_a_shell_program_does_was_predicted_needs_strace_and_bubblewrap(name, word, script):
    if not (has_strace() and sandboxed()):
        pytest.skip("strace and bubblewrap are not both usable here")
    shell = "dash" if word == "dash" else "bash"
    program = Program({"run.sh": f"#!/bin/{'sh' if shell == 'dash' else 'bash'}\n{script}"})
    with a_place() as place:
        (place.skill / "SKILL.md").write_text(SKILL_MD)
        (place.skill / "run.sh").write_text(program.files["run.sh"])
        verdict = watch(place, [shell, str(place.skill / "run.sh")], program)
    assert not verdict.missing, explain(program, verdict)
    if word == "exact":
        assert not verdict.effects.opaque
        assert "any" not in {effect.scope.render() for effect in verdict.effects.effects}


def test_there_are_many():
    assert len(PROGRAMS) > 140
