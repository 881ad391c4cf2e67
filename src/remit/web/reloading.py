"""Settings that are changed while the gateway runs count at once. Those that are wrong do not count, and that is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from remit.core import telemetry
from remit.core.errors import RemitError
from remit.gateway.inbound import records
from remit.gateway.inbound.channels.registry import make_channel
from remit.gateway.inbound.findings import checked
from remit.gateway.inbound.settings.reading import read_inbound
from remit.web.chat import WebChat

if TYPE_CHECKING:
    from pathlib import Path

    from remit.gateway.inbound.channels.connections import Connections
    from remit.gateway.inbound.running import Inbound
    from remit.gateway.inbound.settings.values import Settings
    from remit.web.letting_in import Doors

_PAUSE = 0.5  # seconds between two looks


def use(inbound: Inbound, chats: dict[str, WebChat], settings: Settings) -> None:
    """Whatever is judged from now on is judged by these. Where it listens, the model, and the guard stay until it is started again."""
    known = inbound.settings
    access = settings.access._replace(bind=known.access.bind, address=known.access.address)
    wanted = {name for name, one in settings.channels.items() if one.kind.socket}
    for name in wanted - set(chats):
        chats[name] = WebChat(name, inbound)
    for name in set(chats) - wanted:
        del chats[name]
    others = {}
    for name, one in settings.channels.items():
        if name not in chats:
            same = known.channels.get(name) == one and name in inbound.channels
            others[name] = inbound.channels[name] if same else make_channel(name, one)
    inbound.channels = {**chats, **others}
    counting = checked(settings._replace(access=access, port=known.port, model=known.model, guard=known.guard))
    if inbound.monitor is not None:
        inbound.monitor.use(counting)  # before anything is judged by them
    inbound.settings = counting


async def watch(
    path: Path, inbound: Inbound, chats: dict[str, WebChat], doors: Doors, connections: Connections,
    tell: Callable[[str], None],
) -> None:  # fmt: skip
    """Look at the file from time to time."""
    seen = _stamp(path)
    while True:
        await asyncio.sleep(_PAUSE)
        found = _stamp(path)
        if found == seen:
            continue
        seen = found
        try:
            use(inbound, chats, checked(read_inbound(path)))
            connections.use()
            await doors.use(inbound.settings.access)
        except RemitError as error:
            inbound.log.append(records.reloaded(error.message))
            telemetry.event("SETTINGS_REFUSED", detail=error.message)
            tell(f"the changed settings do not count: {error.message}")
        else:
            inbound.log.append(records.reloaded(""))
            telemetry.event("SETTINGS_RELOADED")
            tell("the changed settings count from now on")


def _stamp(path: Path) -> tuple[int, int, int]:
    """What changes with the file; a file that is gone is one that can not be read."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0, 0
    return state.st_mtime_ns, state.st_size, state.st_ino
