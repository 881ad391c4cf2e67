"""The solvers: their identity, and their answers to obligations.

They run as separate programs, in parallel and with limits. Any output other than `unsat`, once for each check,
is no proof.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.proof.bounded import Bounds, Ended, Finished, Running, start
from remit.proof.installed import Identity, required

if TYPE_CHECKING:
    from remit.proof.sessions.smtlib import File

STEPS = 20_000_000  # of a solver for one question, in its own count; the induction of a large skill takes less than a hundredth
BOUNDS = Bounds(seconds=1200.0, megabytes=4096)  # a net for a solver that hangs: the steps end first
_HERE = Path(__file__)
_VALUE = re.compile(r"\(define-fun (\S+) \(\) Bool\s+(true|false)\)")
_PROGRAMS = {"z3": ("z3_solver", "_z3.py"), "cvc5": ("cvc5", "_cvc5.py")}


class Holds(NamedTuple):
    """Every check was `unsat`."""


class Fails(NamedTuple):
    """A check was `sat`: the name of the obligation, and which of its checks, counted from one."""

    query: str
    check: int


class Silent(NamedTuple):
    """No answer, and why."""

    reason: str


Answer: TypeAlias = "Holds | Fails | Silent"


def solvers() -> tuple[Identity, ...]:
    """Return the solvers, in order; PackageError if one is missing."""
    return tuple(required(package)._replace(name=name) for name, (package, _) in _PROGRAMS.items())


class SolverRun:
    """A solver that works on some obligations."""

    def __init__(self, name: str, file: File, queries: Sequence[str]) -> None:
        self.name = name
        self._queries = [query for query in file.queries if query.name in queries]
        self._running = ask(name, file.text(*queries))

    def answer(self) -> Answer:
        """Wait for the answer."""
        return answer(self._running.finish(), [query.name for query in self._queries for _ in range(query.checks)])

    def stop(self) -> None:
        """Stop the solver."""
        self._running.stop()


def ask(name: str, text: str) -> Running:
    """Start a solver on a text. Its limit counts steps, so that the result does not depend on the machine."""
    program = [sys.executable, "-I", str(_HERE.with_name(_PROGRAMS[name][1])), str(STEPS)]
    return start(program, BOUNDS, stdin=text.encode("ascii"))


def answer(ended: Ended, checks: Sequence[str]) -> Answer:
    """Return a solver's answer to these checks, one word for each."""
    if not isinstance(ended, Finished):
        return Silent(ended.reason)
    said = ended.out.decode("utf-8", "replace").split()
    if ended.status or len(said) != len(checks) or not set(said) <= {"sat", "unsat"}:
        told = next((word for word in said if word not in {"sat", "unsat"}), "") or ended.err[-300:].decode(
            "utf-8", "replace"
        )
        return Silent(f"it ended with {ended.status} after {len(said)} of {len(checks)} answers: {told.strip()}")
    if "sat" not in said:
        return Holds()
    place = said.index("sat")
    return Fails(checks[place], place - checks.index(checks[place]) + 1)


def model(name: str, text: str) -> dict[str, bool] | None:
    """Return values that satisfy a text, or None if the solver gives none."""
    ended = ask(name, text).finish()
    if not isinstance(ended, Finished) or ended.status or not ended.out.startswith(b"sat"):
        return None
    return {found[1]: found[2] == "true" for found in _VALUE.finditer(ended.out.decode("ascii", "replace"))}
