"""Whoever answers in the replay. This is the one place where the bench and the guard meet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.core.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path

    from remit.guard.event import Decider


def make_decider(workspace: Path, state: Path, pinned: Path | None) -> Decider:
    """A guard that has seen nothing yet. `pinned`: the folder of skills as they were admitted, or nothing was pinned."""
    del workspace, state, pinned
    raise UsageError("there is no engine to replay against", "the guard's engine is made here once it exists")
