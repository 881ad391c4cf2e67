"""Constants of the twin of turn queues: messages, workers, and retention times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound import events, intake, turns
from remit.gateway.inbound.turns import TURNS
from remit.models.explore.worlds.inbound import turn_lines
from remit.models.tla.twin import FAIRNESS, Twin, fields
from remit.models.tla.twins._seen import Operations, key, memory
from remit.models.tla.twins._turns import of_turns

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation
    from remit.models.explore.interleave import Call


def _constants() -> Mapping[str, Any]:
    people = (turn_lines.ANN, turn_lines.BOB)
    routed = {who: tuple(turn_lines.routed(number, who) for number in range(len(turn_lines.NAMES))) for who in people}
    first = routed[turn_lines.ANN][0]
    return {
        "Events": {who: tuple(one.event for one in found) for who, found in routed.items()}, "First_": turn_lines.ANN,
        "Sessions": {one.speaker: one.session for found in routed.values() for one in found}, "Agent": first.agent,
        "Workers": turn_lines.WORKERS, "Kept": events.KEPT, "MessageKept": intake.MESSAGE_KEPT, **of_turns(),
    }  # fmt: skip


def _call(call: Call) -> Mapping[str, Any]:
    if call.name == "take":
        return {"name": call.name, "worker": call.args[0]}
    return {"name": call.name, "key": key(call.args[0], TURNS), "worker": call.args[1]}


def _made(call: Call) -> Operation[Any]:
    return turns.take(*call.args) if call.name == "take" else turns.finish(*call.args)


_OPERATIONS = Operations(_call, _made)


def _seen(world: turn_lines.World) -> Mapping[str, Any]:
    thinks = tuple(key(name, TURNS) if name else None for name in world.thinks)
    seen = {"memory": memory(world.memory), "doing": _OPERATIONS.doing(world.doing), "thinks": thinks}
    return {**fields(world), **seen}


TWIN = Twin(_constants, _seen, {"every-turn-ends": FAIRNESS})
