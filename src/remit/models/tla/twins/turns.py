"""Constants of the twin of turns: the event, its turn and its workers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound import turns as store
from remit.models.explore.worlds.inbound import turns
from remit.models.tla.twin import FAIRNESS, Twin, fields
from remit.models.tla.twins._seen import Operations, memory
from remit.models.tla.twins._turns import of_turns

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation
    from remit.models.explore.interleave import Call


def _constants() -> Mapping[str, Any]:
    return {
        "Event": turns.EVENT, "Turn": turns.TURN, "Workers": turns.WORKERS, "Answer_": turns.ANSWER, **of_turns(),
    }  # fmt: skip


def _call(call: Call) -> Mapping[str, Any]:
    return {"name": call.name, "worker": call.args[0 if call.name == "take" else 1]}


def _made(call: Call) -> Operation[Any]:
    match call.name:
        case "take":
            return store.take(*call.args)
        case "finish":
            return store.finish(*call.args)
    key, worker = call.args
    return store.go_on(key, worker, 0, acts=call.name == "act")


_OPERATIONS = Operations(_call, _made)


def _seen(world: turns.World) -> Mapping[str, Any]:
    return {**fields(world), "memory": memory(world.memory), "doing": _OPERATIONS.doing(world.doing)}


TWIN = Twin(_constants, _seen, {"ends": FAIRNESS})
