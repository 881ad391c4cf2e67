"""The inbound gateway as a process: settings, store, channels, log, and the application in front."""

from __future__ import annotations

import asyncio
import socket as sockets
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn

from remit.audit.log import Log
from remit.gateway.inbound.access.settings import address_of
from remit.gateway.inbound.agent.authority import Authority
from remit.gateway.inbound.agent.guarding import guard_of
from remit.gateway.inbound.agent.thinking import Thinker
from remit.gateway.inbound.demo import make_demo
from remit.gateway.inbound.monitor import Monitor
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.running import Inbound
from remit.gateway.inbound.settings.values import ModelSettings
from remit.gateway.inbound.stores.opening import open_store
from remit.gateway.private import make_private
from remit.web.alarming import Alarms
from remit.web.app import make_app
from remit.web.letting_in import Doors
from remit.web.reloading import use, watch

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine
    from pathlib import Path

    from remit.gateway.inbound.settings.values import Settings
    from remit.web.alarming import Watch
    from remit.web.chat import WebChat

LOG = "log"


@asynccontextmanager
async def demo(settings: Settings) -> AsyncIterator[Settings]:
    """The settings with a model: where none is set, a script answers at a port of this machine."""
    if settings.model.url:
        yield settings
        return
    with sockets.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(make_demo(), log_level="warning"))
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        task = asyncio.create_task(server.serve([listening]))
        try:
            url = f"http://127.0.0.1:{listening.getsockname()[1]}"
            yield settings._replace(model=ModelSettings("anthropic", url, "script", "none"))
        finally:
            server.should_exit = True
            await task


class Telling(NamedTuple):
    """Whom the gateway tells what."""

    tell: Callable[[str], None]
    warn: Callable[[str], None]


async def serve(settings: Settings, path: Path, state: Path, telling: Telling, watched: Watch | None = None) -> None:
    """Serve until stopped. `path`: the file of the settings, which may change meanwhile."""
    make_private(state)
    with ExitStack() as held:
        (state / LOG).mkdir(mode=0o700, exist_ok=True)
        log = held.enter_context(Log.open(state / LOG))
        alarms = Alarms(log, telling.warn, stop=watched is not None and watched.stop)
        monitor = Monitor(alarms, watched.rate) if watched is not None else None
        store = open_store(settings, state, monitor)
        held.callback(store.close)
        chats: dict[str, WebChat] = {}
        thinker = Thinker(settings.model)
        authority = _authority(settings)
        inbound = Inbound(
            settings._replace(channels={}), store, {}, thinker, Devices(), log, authority, monitor=monitor,
            guard=guard_of(settings.guard),
        )  # fmt: skip
        use(inbound, chats, settings)
        doors = Doors(inbound.settings.access)
        config = uvicorn.Config(
            make_app(inbound, chats, doors), address_of(settings.access), settings.port, log_level="warning", proxy_headers=False,
            server_header=False, ws_max_size=1024 * 1024, timeout_graceful_shutdown=5,
        )  # fmt: skip
        try:
            work = (uvicorn.Server(config).serve(), inbound.run(), watch(path, inbound, chats, doors, telling.tell))
            await _together(*work, alarms.until_stopped())
        finally:
            await thinker.close()
            if authority is not None:
                await authority.close()


async def _together(*work: Coroutine[Any, Any, None]) -> None:
    """Until the first of them ends, or fails: a gateway that hears and does not work, or the reverse, is worse than none."""
    tasks = [asyncio.create_task(one) for one in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
    finally:
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _authority(settings: Settings) -> Authority | None:
    credentials = {name: agent.credential for name, agent in settings.agents.items() if agent.credential}
    return Authority(settings.authority, credentials) if settings.authority else None
