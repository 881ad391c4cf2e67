"""The outcome of a proof attempt. Unknown is not proved, and a refutation shows why."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias


class Proved(NamedTuple):
    """The claim holds."""


class Refuted(NamedTuple):
    """The claim fails: `trace` is the counterexample, one line for each step."""

    trace: tuple[str, ...]


class Unknown(NamedTuple):
    """Undecided, and why: time, memory, a tool that is missing or that fails."""

    reason: str


Outcome: TypeAlias = "Proved | Refuted | Unknown"
