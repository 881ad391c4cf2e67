"""A daemon from its start to its end.

(1) The state folder is ours alone. (2) No other daemon lives there. (3) The engine is made; if it cannot be, everything is denied with
the reason. (4) It listens, and says so to the client that started it. (5) It ends when idle, told, or another version is wanted.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import RemitError
from remit.guard.daemon.carry import denial
from remit.guard.daemon.deciding import DenyAll
from remit.guard.daemon.dispatch import Dispatch
from remit.guard.daemon.listening import listen, locked
from remit.guard.daemon.server import USUAL, Server
from remit.guard.hosts.registry import find_host
from remit.guard.places import prepared, state_folder
from remit.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from remit.guard.daemon.carry import Hosts
    from remit.guard.daemon.deciding import Engine
    from remit.guard.daemon.server import Limits
    from remit.guard.places import Places

_COLLECT = (5000, 20, 50)
_SWITCH = 0.0005  # seconds: a worker that analyses must not keep the loop waiting for the interpreter


def main(argv: list[str]) -> int:
    """`python -m remit.guard.daemon [STATE]`."""
    try:
        run(Path(argv[1]) if len(argv) > 1 else state_folder(), usual_engine, find_host)
    except RemitError as error:
        sys.stderr.write(f"{error.message}\n{error.remedy}\n")
        return 2
    return 0


def run(
    folder: Path, make: Callable[[Path], Engine], hosts: Hosts, limits: Limits = USUAL, version: str = VERSION
) -> None:
    """Live in a state folder until the end."""
    os.umask(0o077)
    places = prepared(folder)  # (1)
    with locked(places.daemon_lock, limits.finish + 1):  # (2)
        engine = _made(make, folder)  # (3)
        try:
            sys.setswitchinterval(_SWITCH)
            _spare_the_collector()
            asyncio.run(_serve(places, Server(Dispatch(engine, hosts), limits, version)))
        finally:
            engine.close()


def _spare_the_collector() -> None:
    """What was made until now stays: looking through all of it again and again would keep every answer waiting for tens of milliseconds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)


async def _serve(places: Places, server: Server) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, server.stop)
    listener = listen(places.socket, server.limits.connections)
    await server.serve(listener, lambda: places.socket.unlink(missing_ok=True), _say_ready)  # (4) (5)


def _say_ready() -> None:
    """The client that started us waits at the other end of our standard output. Nobody else does, and that is fine."""
    with contextlib.suppress(OSError):
        os.write(1, b"+")
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.close(nothing)


def _made(make: Callable[[Path], Engine], folder: Path) -> Engine:
    try:
        return make(folder)
    except Exception as error:  # noqa: BLE001  whatever it is, nothing can be decided
        reason = denial(error).stderr.decode().strip()
        sys.stderr.write(f"{reason}\n")
        return DenyAll(f"the guard cannot decide: {reason}")


def usual_engine(folder: Path) -> Engine:
    """The engine of this version."""
    engine: Engine = importlib.import_module("remit.guard.engine").make_engine(folder)
    return engine
