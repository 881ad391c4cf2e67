"""Constants of the twin of delivery: the answers of the model, its workers, attempts and times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound import delivery as store
from remit.models.explore.worlds.inbound import delivery
from remit.models.tla.twin import FAIRNESS, Twin, fields
from remit.models.tla.twins._seen import Operations, event, key, memory

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation
    from remit.models.explore.interleave import Call


def _constants() -> Mapping[str, Any]:
    pieces = {_name(name): piece for name, piece in delivery.PIECES.items()}
    return {
        "Pieces": pieces, "Names": tuple(pieces), "Workers": delivery.WORKERS, "MostTries": store.MOST_TRIES, "FirstPause": store.FIRST_PAUSE,
        "LongestPause": store.LONGEST_PAUSE, "Lease": store.LEASE, "Kept": store.KEPT,
    }  # fmt: skip


def _name(name: str) -> Any:
    return key(name, store.TABLE)


def _call(call: Call) -> Mapping[str, Any]:
    match call.name:
        case "take":
            return {"name": call.name, "worker": call.args[0]}
        case "apply":
            return {"name": call.name, "key": _name(call.args[0]), "event": event(call.args[1])}
    return {"name": call.name, "key": _name(call.args[0]), "piece": call.args[1]}


def _made(call: Call) -> Operation[Any]:
    match call.name:
        case "take":
            return store.take(*call.args)
        case "apply":
            return store.apply(*call.args)
    return delivery.queued(*call.args)


_OPERATIONS = Operations(_call, _made)


def _seen(world: delivery.World) -> Mapping[str, Any]:
    holds = tuple(held and (_name(held[0]), held[1]) for held in world.holds)
    failed = frozenset(map(_name, world.failed))
    seen = {"memory": memory(world.memory), "doing": _OPERATIONS.doing(world.doing), "holds": holds, "failed": failed}
    return {**fields(world), **seen}


TWIN = Twin(_constants, _seen, {"drains": FAIRNESS, "sent-in-the-end": FAIRNESS})
