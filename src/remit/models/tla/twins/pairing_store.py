"""Constants of the twin of the pairing store: the operations at each of the two places."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound import pairing
from remit.models.explore.worlds.inbound import pairing_store
from remit.models.tla.twin import Twin, fields
from remit.models.tla.twins._seen import Operations, event, memory

if TYPE_CHECKING:
    from remit.models.explore.interleave import Call


def _call(call: Call) -> Mapping[str, Any]:
    _, channel, asked, _ = call.args
    return {"channel": channel, "event": event(asked)}


def _constants() -> Mapping[str, Any]:
    whose = pairing_store.WHOSE
    calls = tuple(
        tuple({"channel": channel, "event": event(asked)} for channel, asked in place) for place in pairing_store.CALLS
    )
    return {"Senders": tuple(sorted(set(whose.values()))), "Calls": calls, "Rules": pairing_store.RULES, "Whose": whose}


_OPERATIONS = Operations(_call, lambda call: pairing.apply(*call.args))


def _seen(world: pairing_store.World) -> Mapping[str, Any]:
    return {**fields(world), "memory": memory(world.memory), "doing": _OPERATIONS.doing(world.doing)}


TWIN = Twin(_constants, _seen)
