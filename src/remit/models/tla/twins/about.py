"""Constants of the twin of edits, deletions and reactions: senders and locations, and how long a message is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from remit.gateway.inbound.intake import MESSAGE_KEPT
from remit.models.explore.worlds.inbound import about
from remit.models.tla.twin import Twin, fields
from remit.models.tla.twins._seen import memory


def _constants() -> Mapping[str, Any]:
    return {
        "Sessions": about.SESSIONS, "People": about.PEOPLE, "Rooms": about.ROOMS, "Threads": about.THREADS, "MessageKept": MESSAGE_KEPT,
    }  # fmt: skip


def _seen(world: about.World) -> Mapping[str, Any]:
    return {**fields(world), "memory": memory(world.memory)}


TWIN = Twin(_constants, _seen)
