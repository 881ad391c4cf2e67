"""The constants of `_Turns.tla`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.gateway.inbound import turns


def of_turns() -> Mapping[str, Any]:
    """As the code has them at this moment: a model may make them small."""
    return {
        "MostTries": turns.MOST_TRIES,
        "Lease": turns.LEASE,
        "EndKept": turns.KEPT,
        "Interrupted": turns.INTERRUPTED,
    }
