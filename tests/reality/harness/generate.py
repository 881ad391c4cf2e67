"""Random programs that act on files of the scratch folder, whose names they build in roundabout ways.

A generator knows which text it wants (`victim.txt`) and writes code that computes it; so every program runs, and what it does
is decided when it is written. Only harmless things are done: inside the scratch folder, with names from a fixed list.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from harness.generate_js import JavaScript
from harness.generate_python import Python
from harness.generate_shell import Shell

if TYPE_CHECKING:
    from collections.abc import Callable

    from harness.check import Program

GENERATORS: dict[str, Callable[[random.Random], Program]] = {
    "python": lambda rng: Python(rng).program(),
    "shell": lambda rng: Shell(rng).program(),
    "js": lambda rng: JavaScript(rng).program(),
}


def generated(language: str, seed: int) -> Program:
    """The program of a seed."""
    return GENERATORS[language](random.Random(f"{language}:{seed}"))
