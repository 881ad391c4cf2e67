"""What is it? A folder becomes a `Skill`: read, never run."""

from remit.skill.document import Document
from remit.skill.frontmatter import FrontMatter, allowed_tools
from remit.skill.grants import Grant, grants
from remit.skill.load import find_skills, load_skill
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
