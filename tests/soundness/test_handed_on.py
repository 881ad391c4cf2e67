"""What is handed on by a way that the analysis may not follow still counts, capability and scope.

`handed_on/*.cases` holds short programs; each begins with an open call on `old.txt` and then does the same to another file by another way.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from each_row import each_row
from remit.analysis.session import analyse
from remit.core.scope import ScopeKind, covers, parse_scope
from remit.skill.load import load_skill

FOLDER = Path(__file__).with_name("handed_on")
BEGINNING = {
    "py": "def wipe(p): open(p, 'w').close()\nwipe('old.txt')\n",
    "js": "const fs = require('fs');\nconst wipe = p => fs.writeFileSync(p, 'x');\nwipe('old.txt');\n",
}
CASE = re.compile(r"^=== (\S+)(?: (\S+) (\S+))?\n(.*?)(?=^=== |\Z)", re.DOTALL | re.MULTILINE)


class Program(NamedTuple):
    name: str
    language: str
    capability: str
    scope: str
    source: str


def read_programs() -> list[Program]:
    out = []
    for file in sorted(FOLDER.glob("*.cases")):
        language = "js" if file.stem == "javascript" else "py"
        for name, capability, scope, source in CASE.findall(file.read_text("utf-8")):
            where = f"{file.stem}-{name}"
            out.append(
                Program(
                    where, language, capability or "file.write", scope or "./victim.txt", BEGINNING[language] + source
                )
            )
    return out


PARTS = 30  # a test for each program costs as much again as the programs do
PROGRAMS = read_programs()


@each_row("part", range(PARTS))
def test_reported_with_its_scope(part: int, tmp_path: Path) -> None:
    for program in PROGRAMS[part::PARTS]:
        check(program, tmp_path / program.name)


def check(program: Program, folder: Path) -> None:
    (folder / "scripts").mkdir(parents=True)
    (folder / "SKILL.md").write_text("---\nname: a\ndescription: Writes files.\n---\n")
    (folder / "scripts" / f"main.{program.language}").write_text(program.source)
    found = analyse(load_skill(folder))
    wanted = parse_scope(ScopeKind.PATH, program.scope)
    reported = [effect.scope for effect in found.effects if effect.capability == program.capability]
    assert found.opaque or any("<" in scope.render() or covers(scope, wanted) for scope in reported), (
        program.name,
        reported,
    )


@pytest.mark.parametrize("part", [pytest.param(12, id="a twelfth"), pytest.param(1, id="all_nightly")])
def test_the_programs_do_what_they_say(part: int, tmp_path: Path) -> None:
    untrue = []
    for number, program in enumerate(PROGRAMS[::part]):
        folder = tmp_path / str(number)
        for inner in ("sub", "out", "a"):
            (folder / inner).mkdir(parents=True)
        for name in ("old.txt", "victim.txt"):
            (folder / name).write_text("content")
        (folder / f"main.{program.language}").write_text(program.source)
        target = folder / program.scope
        before = target.read_bytes() if target.exists() else None
        command = [sys.executable] if program.language == "py" else ["node"]
        subprocess.run(
            [*command, f"main.{program.language}", "p"], cwd=folder, capture_output=True, check=False, timeout=60
        )
        if before == (target.read_bytes() if target.exists() else None):
            untrue.append(program.name)
    assert not untrue
