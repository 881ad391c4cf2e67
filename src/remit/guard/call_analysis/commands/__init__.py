"""Analysis of a shell command or a piece of code before it runs."""

from remit.guard.call_analysis.commands.cache import Cache, still_same
from remit.guard.call_analysis.commands.model import CallPlace, Doubt, FileState, Part, ReadFile, Understanding
from remit.guard.call_analysis.commands.understanding import understand, understand_code

__all__ = [
    "Cache",
    "CallPlace",
    "Doubt",
    "FileState",
    "Part",
    "ReadFile",
    "Understanding",
    "still_same",
    "understand",
    "understand_code",
]
