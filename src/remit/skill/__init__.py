"""Skills: reads a folder into a `Skill`; nothing in it is run.

Names are imported lazily: a run that finds its results in the cache needs neither YAML nor Markdown.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from remit.skill.document import Document
    from remit.skill.find import find_skills
    from remit.skill.frontmatter import FrontMatter, allowed_tools
    from remit.skill.host_permissions import Grant, grants
    from remit.skill.load import load_skill
    from remit.skill.model import Limits, Skill, SkillFile, Stance
    from remit.skill.program import SourceProgram, programs

__all__ = [
    "Document",
    "FrontMatter",
    "Grant",
    "Limits",
    "Skill",
    "SkillFile",
    "SourceProgram",
    "Stance",
    "allowed_tools",
    "find_skills",
    "grants",
    "load_skill",
    "programs",
]

_HOMES = {
    "document": ("Document",),
    "find": ("find_skills",),
    "frontmatter": ("FrontMatter", "allowed_tools"),
    "host_permissions": ("Grant", "grants"),
    "load": ("load_skill",),
    "model": ("Limits", "Skill", "SkillFile", "Stance"),
    "program": ("SourceProgram", "programs"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        message = f"module `{__name__}` has no attribute `{name}`"
        raise AttributeError(message)
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
