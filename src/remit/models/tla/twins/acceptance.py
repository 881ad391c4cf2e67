"""Constants of the twin of executors: what the servers signed, its lifetime, and the states of a mark."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.authority.values.action import LIFETIME
from remit.executor.replay.memory import State
from remit.models.explore.worlds import _signed as there
from remit.models.explore.worlds.acceptance import EXECUTORS
from remit.models.tla.twin import Twin, by_name


def _constants() -> Mapping[str, Any]:
    known, presentings = there.known(), there.presentings()
    deeds = {
        name: {**deed._asdict(), "servers": frozenset(deed.servers), "moments": frozenset(deed.moments)}
        for name, deed in there.DEEDS.items()
    }
    return {
        **by_name(State), "Deeds": deeds, "Place": there.NAMES, "Executors": EXECUTORS, "Clock": there.CLOCK,
        "Requests": frozenset(one.request for one in presentings), "Words": frozenset(one.word for one in presentings),
        "Lasts": known.lifetime, "Skew": known.skew, "Lifetime": LIFETIME, "Epoch": known.layout.epoch,
    }  # fmt: skip


TWIN = Twin(_constants)
