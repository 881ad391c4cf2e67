"""A command on a device, from what an agent asks to what the device answers.

(1) the settings and the device's own declaration allow it now
(2) it is written down; where a person must approve, the turn is suspended until that, and no worker waits for it
(3) at the moment of running, tool policy and settings are asked again, and the content is the one that was approved
(4) the disk says that it runs, before the device hears of it
"""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple, Protocol

from remit.core.digest import digest
from remit.core.errors import AuthorityError
from remit.gateway.inbound.nodes.commands import Commands, known, refusal, wants_approval
from remit.gateway.inbound.nodes.devices import Devices, LostError
from remit.gateway.inbound.nodes.runs import Ask, Done, Lost, Run
from remit.gateway.inbound.nodes.store import apply
from remit.gateway.inbound.pairing.store import let_in

if TYPE_CHECKING:
    from remit.gateway.inbound.stores.operations import Operation

NODES = "nodes"  # devices are paired as people are, under this name


class Wanted(NamedTuple):
    """What is wanted."""

    device: str
    command: str
    arguments: str
    tainted: bool

    @property
    def digest(self) -> str:
        """Of everything that it is run with: what a person approves."""
        return digest({"device": self.device, "command": self.command, "arguments": self.arguments})


class Around(Protocol):
    """What is needed of the gateway."""

    devices: Devices

    def commands(self) -> Commands:
        """The settings, as they are now."""

    def refusal_now(self) -> str:
        """Why the tool that asks may not run at this moment; nothing if it may. A person may take minutes to approve."""

    def now(self) -> int:
        """The time."""

    async def kept(self, operation: Operation[object]) -> object:
        """Run an operation on the store."""

    def asked_by(self) -> tuple[str, str]:
        """Who asks, and the turn that waits for the answer."""

    def waiting(self, name: str, wanted: Wanted, ask: Ask) -> Exception:
        """What suspends the turn until a person has answered."""

    async def asks(self, name: str) -> None:
        """The device is about to be asked."""


async def run_command(around: Around, wanted: Wanted) -> str:
    """See above; what the device answered. AuthorityError if it was not done; what suspends the turn if a person must approve first."""
    name = secrets.token_hex(4)
    _check(await _refused(around, wanted))  # (1)
    approval = wants_approval(known(), wanted.command, tainted=wanted.tainted)
    ask = Ask(wanted.device, wanted.command, wanted.digest, approval, wanted.arguments, *around.asked_by())
    if approval:
        raise around.waiting(name, wanted, ask)  # (2)
    _check(str(await around.kept(apply(name, ask, around.now()))))  # (2)
    return await run_asked(around, wanted, name)


async def run_asked(around: Around, wanted: Wanted, name: str) -> str:
    """What was asked under a name, now that nobody need approve it any more; from (3) on."""
    allowed = not await _refused(around, wanted)
    _check(str(await around.kept(apply(name, Run(wanted.digest, allowed), around.now()))))  # (3) (4)
    await around.asks(name)
    try:
        done = await around.devices.run(wanted.device, name, wanted.command, wanted.arguments)
    except LostError:
        await around.kept(apply(name, Lost(), around.now()))
        raise
    await around.kept(apply(name, Done(), around.now()))
    return f"status {done.status}\n{done.output}"


async def _refused(around: Around, wanted: Wanted) -> str:
    device = around.devices.get(wanted.device)
    if device is None:
        return "DEVICE_AWAY"
    if not await around.kept(let_in(NODES, device.id)):  # it may have been taken back since it came
        return "DEVICE_NOT_PAIRED"
    return around.refusal_now() or refusal(known(), around.commands(), device, wanted.command)


def _check(refused: str) -> None:
    if refused:
        raise AuthorityError(refused, "docs/gateway.md has the codes")
