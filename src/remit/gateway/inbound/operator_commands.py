"""Commands of operators, in a chat or on a terminal. They change only what the store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.gateway.inbound import pairing, records
from remit.gateway.inbound.events import speaker_of
from remit.gateway.inbound.nodes import runs
from remit.gateway.inbound.nodes.runs import apply as apply_run
from remit.gateway.inbound.nodes.runs import look
from remit.gateway.inbound.pairing import apply as apply_pairing
from remit.gateway.inbound.routing import Identity
from remit.gateway.inbound.stores.operations import Begin, Commit, Operation, Write
from remit.gateway.inbound.stores.tables import TALKS

if TYPE_CHECKING:
    from remit.gateway.inbound.events import Event
    from remit.gateway.inbound.service import Inbound

HELP = """/pair CHANNEL CODE    let in who has this code
/unpair CHANNEL WHO   take that back
/approve ID           let a device run what waits
/deny ID              do not
/devices              which devices are there
/new                  forget this conversation, and begin another
/stop                 end what I am doing in this conversation: everybody who is heard may say it"""
STOP = "/stop"
STOPPED = "stopped"


def is_stop(text: str) -> bool:
    """Return whether a text is the stop command. It takes effect on arrival, not when its turn comes."""
    return text.strip().casefold() == STOP


async def command(inbound: Inbound, event: Event, session: str) -> str:
    """Run a command of an operator and return the answer."""
    if is_stop(event.text):
        return STOPPED
    by = Identity(event.place.channel, speaker_of(event))
    match event.text.split():
        case ["/pair", channel, code]:
            return await pair(inbound, channel, pairing.Approve(code), f"{by.channel}:{by.peer}")
        case ["/unpair", channel, who]:
            return await pair(inbound, channel, pairing.Remove(who), f"{by.channel}:{by.peer}")
        case ["/approve", name]:
            return await answer_run(inbound, name, f"{by.channel}:{by.peer}", yes=True)
        case ["/deny", name]:
            return await answer_run(inbound, name, f"{by.channel}:{by.peer}", yes=False)
        case ["/devices"]:
            found = [f"{one.id}  {one.platform}  {' '.join(sorted(one.declared))}" for one in inbound.devices.all()]
            return "\n".join(found) or "no device is there"
        case ["/new"]:
            await inbound.kept(_forget(session))
            return "this conversation is forgotten"
    return HELP


async def pair(inbound: Inbound, channel: str, event: pairing.Approve | pairing.Remove, who: str) -> str:
    """Approve or remove a pairing and return the result."""
    settings = inbound.settings.channels.get(channel)
    rules = settings.pairing if settings else pairing.Rules()
    outcome = await inbound.kept(apply_pairing(rules, channel, event, inbound.now()))
    name = event.code if isinstance(event, pairing.Approve) else event.sender
    inbound.log.append(records.answered("pairing", name, who, yes=outcome is pairing.Outcome.APPROVED))
    return f"{name}: {outcome}"


async def answer_run(inbound: Inbound, name: str, who: str, *, yes: bool) -> str:
    """Approve or deny a device command.

    The approval covers the stored digest, so exactly the command that was shown.
    """
    request = await inbound.kept(look(name))
    if request is None:
        return f"{name}: RUN_UNKNOWN"
    event = runs.Approve(request.digest, who) if yes else runs.Deny()
    refused = await inbound.kept(apply_run(name, event, inbound.now()))
    inbound.ring()
    inbound.log.append(records.answered("node", name, who, yes=yes and not refused))
    return f"{name}: {refused or ('approved' if yes else 'denied')}"


def _forget(session: str) -> Operation[None]:
    """Delete a conversation, and with it its taint."""
    yield Begin()
    yield Write(TALKS, session, None)
    yield Commit()
