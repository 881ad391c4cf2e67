"""Constants of the twin of device requests: requests, answers of a person, and deadlines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound.nodes import runs
from remit.models.explore.worlds.inbound import node_runs
from remit.models.tla.twin import Twin, fields
from remit.models.tla.twins._seen import Operations, event, memory

if TYPE_CHECKING:
    from remit.models.explore.interleave import Call


def _constants() -> Mapping[str, Any]:
    return {
        "Requests": node_runs.World().memory.table(runs.TABLE), "Again": event(node_runs.AGAIN),
        "Answers": tuple((name, event(said)) for name, said in node_runs.ANSWERS),
        "Digests": node_runs.DIGESTS, "Until": node_runs.UNTIL, "Lifetime": runs.LIFETIME, "Kept": runs.KEPT,
    }  # fmt: skip


def _call(call: Call) -> Mapping[str, Any]:
    name, asked, now = call.args
    return {"name": name, "event": event(asked), "now": now}


def _ran(told: str) -> Mapping[str, Any]:
    """What the model tells in words."""
    words = told.split()
    return {"digest": words[0], "late": "late" in words, "allowed": "not" not in words}


_OPERATIONS = Operations(_call, lambda call: runs.apply(*call.args))


def _seen(world: node_runs.World) -> Mapping[str, Any]:
    seen = {"memory": memory(world.memory), "doing": _OPERATIONS.doing(world.doing)}
    return {**fields(world), **seen, "ran": tuple(map(_ran, world.ran))}


TWIN = Twin(_constants, _seen)
