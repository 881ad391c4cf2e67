"""Findings of the rules of `remit check` in the text of a skill, or in any other text that an agent is about to read.

Only the text is judged: no code is analysed, so it is fast. The guard has no phrase list of its own.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from remit.findings.model import Finding, Level, level_of

if TYPE_CHECKING:
    from remit.skill.model import Skill

_MAIN = "SKILL.md"
_LONGEST = 200_000  # characters of a text that are searched


def skill_findings(skill: Skill) -> tuple[Finding, ...]:
    """Return why a person should review a skill before it is loaded, by its text alone; nothing if its level is not
    `block`.
    """
    from remit.analysis.result import Effects  # noqa: PLC0415  (a skill is loaded rarely)
    from remit.findings.assess import find  # noqa: PLC0415

    found = find(skill, Effects(skill.name, str(skill.root), (), (), (), 0, 0, 0))
    return tuple(one for one in found if level_of((one,)) is Level.BLOCK)


def text_findings(text: str) -> tuple[Finding, ...]:
    """Return the same for a single text."""
    from remit.skill.document import parse  # noqa: PLC0415
    from remit.skill.model import Skill  # noqa: PLC0415

    data = text[:_LONGEST].encode("utf-8", "replace")
    document = parse(_MAIN, data)
    skill = Skill("text", Path(), _MAIN, document.front_matter, (), (document,), contents={_MAIN: data})
    return skill_findings(skill)


def shown(finding: Finding) -> str:
    """Return a finding in one line."""
    return f"{finding.where}: {finding.message}"
