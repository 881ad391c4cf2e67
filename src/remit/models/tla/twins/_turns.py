"""The constants of `_Turns.tla`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.gateway.inbound.turns import state_machine, store


def of_turns() -> Mapping[str, Any]:
    """As the code has them at this moment: a model may make them small."""
    return {
        "MostTries": state_machine.MOST_TRIES,
        "Lease": store.LEASE,
        "EndKept": store.KEPT,
        "Interrupted": store.INTERRUPTED,
    }
