"""What a proof attempt ends in. Unknown is not proved, and a refutation shows why."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Proved(NamedTuple):
    """It holds."""


class Refuted(NamedTuple):
    """It does not hold: `trace` is the counterexample, a line for each step."""

    trace: tuple[str, ...]


class Unknown(NamedTuple):
    """Nobody can say, and why: time, memory, a tool that is missing or that fails."""

    reason: str


Outcome: TypeAlias = "Proved | Refuted | Unknown"
