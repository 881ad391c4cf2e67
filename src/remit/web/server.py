"""The inbound gateway as a process: settings, store, channels, log and web application."""

from __future__ import annotations

import asyncio
import socket as sockets
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import uvicorn

from remit.audit.log import Log
from remit.core import telemetry
from remit.core.errors import RemitError
from remit.gateway.inbound import records
from remit.gateway.inbound.access import address_of
from remit.gateway.inbound.agent.model_client import Endpoint, Thinker
from remit.gateway.inbound.agent.model_proxy import Relay
from remit.gateway.inbound.backends.client import ClientBackend, folder_of_sessions
from remit.gateway.inbound.backends.programs import PROGRAMS
from remit.gateway.inbound.channels.connections import Connections, make_channel
from remit.gateway.inbound.channels.quarantine import Quarantine
from remit.gateway.inbound.demo import make_demo
from remit.gateway.inbound.findings import checked
from remit.gateway.inbound.monitor import Monitor
from remit.gateway.inbound.nodes.devices import Devices
from remit.gateway.inbound.service import Inbound
from remit.gateway.inbound.settings.loader import read_inbound
from remit.gateway.inbound.settings.values import ModelSettings, Settings
from remit.gateway.inbound.stores.sql import open_store
from remit.gateway.inbound.turn_context import OutboundClient, guard_of
from remit.gateway.inbound.turns import recover
from remit.gateway.private_files import alone, make_private
from remit.guard.daemon.daemon_client import Daemon, starter
from remit.guard.state_folder import state_folder
from remit.web.alarms import Alarms, Watch
from remit.web.app import make_app
from remit.web.chat import WebChat
from remit.web.connection_limits import ConnectionLimits, limited, most_of
from remit.web.login import Doors

if TYPE_CHECKING:
    from starlette.applications import Starlette


_PAUSE = 0.5  # seconds between two checks


def use(inbound: Inbound, chats: dict[str, WebChat], settings: Settings) -> None:
    """Adopt changed settings. Listening address, model and guard stay until a restart."""
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
    """Watch the settings file for changes."""
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
    """Return a value that changes with the file; a missing file counts as unreadable."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0, 0
    return state.st_mtime_ns, state.st_size, state.st_ino


LOG, QUARANTINE = "log", "quarantine"


@asynccontextmanager
async def demo(settings: Settings) -> AsyncIterator[Settings]:
    """Yield the settings with a model: if none is set, a local scripted endpoint."""
    if settings.model.url:
        yield settings
        return
    async with _on_loopback(make_demo()) as url:
        yield settings._replace(model=ModelSettings("anthropic", url, "script", "none"))


@asynccontextmanager
async def _on_loopback(app: Starlette) -> AsyncIterator[str]:
    """Serve an application on a free local port and yield its URL."""
    with sockets.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(app, log_level="warning"))
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        task = asyncio.create_task(server.serve([listening]))
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


@asynccontextmanager
async def _lent(relay: Relay) -> AsyncIterator[None]:
    """Serve the model's relay."""
    async with _on_loopback(relay.app()) as relay.url:
        yield


def _clients(settings: Settings, relay: Relay, state: Path) -> dict[str, ClientBackend]:
    """Return the clients that agents use. A client that is not installed is reported before serving."""
    wanted = sorted({one.backend for one in settings.agents.values()} & set(PROGRAMS))
    guard = Path(settings.guard.state) if settings.guard.state else state_folder()
    for name in wanted:
        PROGRAMS[name].find()
    return {
        name: ClientBackend(PROGRAMS[name], relay, Daemon(name, guard, start=starter(guard)), folder_of_sessions(state))
        for name in wanted
    }


class Telling(NamedTuple):
    """Output functions of the gateway."""

    tell: Callable[[str], None]
    warn: Callable[[str], None]


async def serve(settings: Settings, path: Path, state: Path, telling: Telling, watched: Watch | None = None) -> None:
    """Serve until stopped. `path`: the settings file, which is watched for changes."""
    make_private(state)
    with ExitStack() as held:
        held.enter_context(alone(state))
        (state / LOG).mkdir(mode=0o700, exist_ok=True)
        log = held.enter_context(Log.open(state / LOG))
        alarms = Alarms(log, telling.warn, stop=watched is not None and watched.stop)
        monitor = Monitor(alarms, watched.rate) if watched is not None else None
        store = open_store(settings, state, monitor)
        held.callback(store.close)
        chats: dict[str, WebChat] = {}
        endpoint = Endpoint(settings.model.url)
        thinker, relay = Thinker(settings.model, endpoint), Relay(settings.model, endpoint)
        authority = _authority(settings)
        inbound = Inbound(
            settings._replace(channels={}), store, {}, thinker, Devices(), log, authority, monitor=monitor,
            quarantine=Quarantine(state / QUARANTINE), guard=guard_of(settings.guard), clients=_clients(settings, relay, state),
        )  # fmt: skip
        connections = Connections(inbound, telling.tell)
        use(inbound, chats, settings)
        if not settings.database:
            store.run(recover(inbound.worker, inbound.now()))
        doors = Doors(inbound.settings.access)
        limits = ConnectionLimits(most_of(settings.limits.connections), lambda: doors.count)
        config = uvicorn.Config(
            make_app(inbound, chats, doors), address_of(settings.access), settings.port, log_level="warning", proxy_headers=False,
            server_header=False, ws_max_size=1024 * 1024, timeout_graceful_shutdown=5, http=limited(limits),
        )  # fmt: skip
        try:
            watching = watch(path, inbound, chats, doors, connections, telling.tell)
            work = (uvicorn.Server(config).serve(), inbound.run(), connections.run(), watching)
            async with _lent(relay):
                await _together(*work, alarms.until_stopped())
        finally:
            await endpoint.close()
            if authority is not None:
                await authority.close()


async def _together(*work: Coroutine[Any, Any, None]) -> None:
    """Run until the first ends or fails: a gateway that accepts messages without working, or the reverse, is worse than
    none.
    """
    tasks = [asyncio.create_task(one) for one in work]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
    finally:
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def _authority(settings: Settings) -> OutboundClient | None:
    credentials = {name: agent.credential for name, agent in settings.agents.items() if agent.credential}
    return OutboundClient(settings.authority, credentials) if settings.authority else None
