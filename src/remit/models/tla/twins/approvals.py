"""Constants of the twin of a guard question: its states, and which of them are answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.guard.store import ANSWERS, State
from remit.models.explore.worlds import approvals
from remit.models.tla.twin import Twin, by_name


def _constants() -> Mapping[str, Any]:
    return {**by_name(State), "Answers": ANSWERS, "Most": approvals.ADMITTED}


TWIN = Twin(_constants)
