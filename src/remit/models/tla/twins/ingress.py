"""Constants of the twin of ingress: events and sessions of the model, and retention times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound import events, intake
from remit.gateway.inbound.stores.serialization import key_of
from remit.models.explore.worlds.inbound import ingress
from remit.models.tla.twin import FAIRNESS, Twin, fields
from remit.models.tla.twins._seen import Operations, memory
from remit.models.tla.twins._turns import of_turns

if TYPE_CHECKING:
    from remit.models.explore.interleave import Call


def _constants() -> Mapping[str, Any]:
    numbers = range(len(ingress.EVENTS))
    order = tuple(sorted(numbers, key=lambda number: key_of(events.name_of(ingress.EVENTS[number]))))
    return {
        "Events": ingress.EVENTS, "Order": order, "Sessions": ingress.SESSIONS, "Agent": ingress.AGENT, "Kept": events.KEPT,
        "MessageKept": intake.MESSAGE_KEPT, **of_turns(),
    }  # fmt: skip


def _call(call: Call) -> Mapping[str, Any]:
    return {"name": call.name, "number": ingress.EVENTS.index(call.args[0].event)}


_OPERATIONS = Operations(_call, lambda call: intake.accept(*call.args))


def _seen(world: ingress.World) -> Mapping[str, Any]:
    return {**fields(world), "memory": memory(world.memory), "doing": _OPERATIONS.doing(world.doing)}


TWIN = Twin(_constants, _seen, {"arrives": FAIRNESS})
