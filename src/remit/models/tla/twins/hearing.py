"""Constants of the twin of hearing: events, sessions and codes of the model, and retention times."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from remit.gateway.inbound import events, intake, pairing
from remit.gateway.inbound.routing import session_key
from remit.gateway.inbound.settings.values import MAIN
from remit.models.explore.worlds.inbound import hearing
from remit.models.tla.twin import Twin, fields
from remit.models.tla.twins._seen import Operations, event, memory

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation
    from remit.models.explore.interleave import Call


def _constants() -> Mapping[str, Any]:
    people = tuple(hearing.SESSIONS)
    codes = {peer: f"code-{peer}" for peer in people}
    place = hearing.EVENTS[0].place._replace(peer="everybody")
    return {
        "Events": hearing.EVENTS, "Sessions": hearing.SESSIONS, "Senders": people, "Codes": codes, "Rules": hearing.RULES,
        "Everybody": session_key(hearing.SETTINGS.sessions, MAIN, place),
        "Texts": {peer: intake.PAIRING_TEXT.format(code=code) for peer, code in codes.items()},
        "Kept": events.KEPT, "MessageKept": intake.MESSAGE_KEPT,
    }  # fmt: skip


def _call(call: Call) -> Mapping[str, Any]:
    if call.name == "hear":
        return {"name": call.name, "number": call.args[0]}
    return {"name": call.name, "event": event(call.args[2])}


def _made(call: Call) -> Operation[Any]:
    return hearing.heard(call.args[0]) if call.name == "hear" else pairing.apply(*call.args)


_OPERATIONS = Operations(_call, _made)


def _seen(world: hearing.World) -> Mapping[str, Any]:
    return {**fields(world), "memory": memory(world.memory), "doing": _OPERATIONS.doing(world.doing)}


TWIN = Twin(_constants, _seen)
