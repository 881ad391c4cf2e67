"""Commands on devices, from the agent's request to the device's answer.

(1) the settings and the device's own declaration allow it now
(2) it is stored; if a person must approve, the turn is suspended until then without occupying a worker
(3) when it is about to run, tool policy and settings are checked again, and the content must be the approved one
(4) the store records that it runs before it is sent to the device

The approver sees everything that runs, where, and who asked. The arguments are written as one JSON string, so that no
part of them looks like a line of the text and no character is invisible. Long arguments are cut with a visible mark and
the digest of the whole.
"""

from __future__ import annotations

import json
import secrets
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from remit.core.digest import bytes_digest, digest
from remit.core.errors import AuthorityError
from remit.gateway.inbound.nodes.commands import known, refusal, wants_approval
from remit.gateway.inbound.nodes.devices import LostError
from remit.gateway.inbound.nodes.runs import Ask, RunDone, RunLost, RunSent, apply
from remit.gateway.inbound.pairing import let_in

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.turn import TurnOrigin
    from remit.gateway.inbound.turn_context import TurnContext


NODES = "nodes"  # pairing channel of devices


class DeviceCommand(NamedTuple):
    """A command that is requested."""

    device: str
    command: str
    arguments: str
    tainted: bool

    @property
    def digest(self) -> str:
        """Return the digest of everything that runs, which a person approves."""
        return digest({"device": self.device, "command": self.command, "arguments": self.arguments})


async def run_command(context: TurnContext, wanted: DeviceCommand) -> str:
    """Run a command and return the device's answer.

    AuthorityError if it was not run; raises the suspension if a person must approve first.
    """
    name = secrets.token_hex(4)
    _check(await _refused(context, wanted))  # (1)
    approval = wants_approval(known(), wanted.command, tainted=wanted.tainted)
    ask = Ask(wanted.device, wanted.command, wanted.digest, approval, wanted.arguments, *context.asked_by())
    if approval:
        raise context.waiting(name, wanted, ask)  # (2)
    _check(await context.kept(apply(name, ask, context.now())))  # (2)
    return await run_asked(context, wanted, name)


async def run_asked(context: TurnContext, wanted: DeviceCommand, name: str) -> str:
    """Run a request that needs no further approval, from step (3)."""
    allowed = not await _refused(context, wanted)
    _check(await context.kept(apply(name, RunSent(wanted.digest, allowed), context.now())))  # (3) (4)
    await context.asks(name)
    try:
        done = await context.devices.run(wanted.device, name, wanted.command, wanted.arguments)
    except LostError:
        await context.kept(apply(name, RunLost(), context.now()))
        raise
    await context.kept(apply(name, RunDone(), context.now()))
    return f"status {done.status}\n{done.output}"


async def _refused(context: TurnContext, wanted: DeviceCommand) -> str:
    device = context.devices.get(wanted.device)
    if device is None:
        return "DEVICE_AWAY"
    if not await context.kept(let_in(NODES, device.id)):  # its pairing may have been removed since it connected
        return "DEVICE_NOT_PAIRED"
    return context.refusal_now() or refusal(known(), context.commands(), device, wanted.command)


def _check(refused: str) -> None:
    if refused:
        raise AuthorityError(refused, "docs/gateway.md has the codes")


# Unicode categories of characters that are invisible or change how others look
_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))
MOST = 6_000  # characters of arguments
_TEXT = """A device is to run a command. It runs only if you approve it.
id:        {name}
device:    {device}
command:   {command}
arguments: {arguments}
asked by:  {by} (agent {agent}, session {session})
Approve with: /approve {name}   or deny with: /deny {name}"""


def approval_text(name: str, wanted: DeviceCommand, ask: Ask, about: TurnOrigin) -> str:
    """Return the text for a request."""
    return _TEXT.format(
        name=name, device=_visible(wanted.device), command=_visible(wanted.command), arguments=shown(wanted.arguments), by=_visible(ask.by),
        agent=about.agent, session=_visible(about.session),
    )  # fmt: skip


def shown(arguments: str) -> str:
    """Return the quoted arguments, with a mark if they are cut."""
    if len(arguments) <= MOST:
        return _quoted(arguments)
    ends = [_quoted(one) for one in (arguments[: MOST // 2], arguments[-MOST // 2 :])]
    digest = bytes_digest(arguments.encode("utf-8", "surrogatepass"))
    left = len(arguments) - MOST
    return f"{ends[0]} [CUT: {left} of {len(arguments)} characters are not shown here; {digest} of all of it] {ends[1]}"


def _quoted(text: str) -> str:
    return _visible(json.dumps(text, ensure_ascii=False))


def _visible(text: str) -> str:
    """Return a text in which invisible characters are escaped as in JSON."""
    return "".join(json.dumps(char)[1:-1] if unicodedata.category(char) in _UNSEEN else char for char in text)
