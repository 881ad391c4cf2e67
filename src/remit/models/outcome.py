"""The result of one model in one engine: a row of the table that `remit models check` prints."""

from __future__ import annotations

from typing import NamedTuple


class Outcome(NamedTuple):
    """The result of a model. It passed if it has no faults."""

    engine: str  # python, z3 or tlc
    name: str
    says: str
    properties: int
    states: int | None  # none where the engine does not go from state to state
    mutants: int
    killed: int
    faults: tuple[str, ...]  # what is wrong, each with its story
    seconds: float
    steps: int | None = None  # from state to state, where the engine counts them
