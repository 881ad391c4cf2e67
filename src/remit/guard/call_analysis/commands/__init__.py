"""Analysis of a shell command or a piece of code before it runs."""

from remit.guard.call_analysis.commands.cache import Cache, still_same
from remit.guard.call_analysis.commands.model import Doubt, FileState, Part, Place, ReadFile, Understanding
from remit.guard.call_analysis.commands.understanding import understand, understand_code

__all__ = [
    "Cache",
    "Doubt",
    "FileState",
    "Part",
    "Place",
    "ReadFile",
    "Understanding",
    "still_same",
    "understand",
    "understand_code",
]
