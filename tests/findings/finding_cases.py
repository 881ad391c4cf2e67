"""The cases of rules.cases: small skills and what a rule must say about each."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from remit.analysis.session import analyse
from remit.findings.assess import find, find_by
from remit.findings.registry import rules
from remit.findings.subject import Subject
from remit.skill.load import load_skill

FILE = Path(__file__).with_name("rules.cases")
_CODE = re.compile(r"\\x\{([0-9a-f]+)\}")


class FindingCase(NamedTuple):
    """One skill, the rule that it is about, and the worst severity that is expected; empty if the rule is to be quiet."""

    rule: str
    bad: bool
    severity: str
    description: str
    files: dict[str, str]
    line: int

    @property
    def name(self) -> str:
        return f"{self.rule}:{self.line}"


@cache
def cases() -> tuple[FindingCase, ...]:
    """Every case of the file."""
    found: list[FindingCase] = []
    path = ""
    for number, line in enumerate(FILE.read_text("utf-8").splitlines(), 1):
        if line.startswith("=== "):
            rule, expected, description = (cell.strip() for cell in line[4:].split(" | "))
            kind, _, severity = expected.partition(" ")
            assert kind in ("bad", "good"), f"line {number}: {kind}"
            found.append(FindingCase(rule, kind == "bad", severity, description, {}, number))
            path = "SKILL.md"
        elif line.startswith("--- "):
            path = line[4:].strip()
        elif found:
            files = found[-1].files
            files[path] = f"{files.get(path, '')}{line}\n"
    return tuple(found)


def written(case: FindingCase, root: Path) -> Path:
    """The case as a folder."""
    folder = root / "demo"
    head = f"---\nname: demo\ndescription: {json.dumps(case.description)}\n---\n\n# Demo\n\n"
    for path, text in case.files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        plain = _CODE.sub(lambda code: chr(int(code[1], 16)), text)
        target.write_text(head + plain if path == "SKILL.md" else plain, "utf-8")
    return folder


def found_by(rule: str, folder: Path):
    """What one rule finds about a skill on disk."""
    skill = load_skill(folder)
    return list(find_by(rules()[rule], Subject(skill, analyse(skill))))


def found_in(folder: Path):
    """All findings about a skill on disk."""
    skill = load_skill(folder)
    return find(skill, analyse(skill))
