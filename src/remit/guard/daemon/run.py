"""The life cycle of a daemon.

(1) The state folder is ours alone. (2) No other daemon uses it. (3) It listens, and its workers start (`supervisor.py`). (4) Each makes
an engine; if that fails, questions are denied with the reason, and the daemon ends. (5) When all listen, the client
that started the daemon is notified. (6) It ends when it is idle or stopped, another version is wanted, or a file that
it depends on is replaced.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import importlib
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from remit.core.errors import RemitError
from remit.guard.daemon.daemon_lock import listen, locked
from remit.guard.daemon.dispatch import DenyAll, Dispatch, Engine, Mine
from remit.guard.daemon.protocol import Hosts, denial
from remit.guard.daemon.server import USUAL, Limits, Server, WorkerContext, make_inbox
from remit.guard.daemon.supervisor import LISTENS, SharedCounters, Supervisor
from remit.guard.hosts.registry import find_host
from remit.guard.state_folder import prepared, state_folder
from remit.telemetry.startup import telling
from remit.version import VERSION
from remit.version import __file__ as version_file

if TYPE_CHECKING:
    import socket


_ENGINE = "remit.guard.engine"
_COLLECT = (5000, 20, 50)
_SWITCH = 0.0005  # seconds: an analysis in a worker must not keep the loop waiting for the interpreter


def main(argv: list[str]) -> int:
    """Run `python -m remit.guard.daemon [STATE]`."""
    with contextlib.suppress(
        Exception
    ):  # workers are forked from us: what we have imported, they have. What fails here fails in them too
        importlib.import_module(_ENGINE)
    try:
        run(Path(argv[1]) if len(argv) > 1 else state_folder(), usual_engine, find_host)
    except RemitError as error:
        sys.stderr.write(f"{error.message}\n{error.remedy}\n")
        return 2
    return 0


def run(
    folder: Path, make: Callable[[Path, Mine], Engine], hosts: Hosts, limits: Limits = USUAL, version: str = VERSION
) -> None:
    """Serve a state folder until the end."""
    os.umask(0o077)
    places = prepared(folder)  # (1)
    with locked(places.daemon_lock, limits.finish + 1):  # (2)
        listener = listen(places.socket, limits.connections)  # (3)
        listener.setblocking(False)
        board = SharedCounters(limits.workers)
        inboxes = tuple(make_inbox() for _ in range(limits.workers))
        front = os.getpid()

        def take_socket_away() -> None:
            """Remove the socket. It is our own: another daemon would need the lock, which we hold."""
            places.socket.unlink(missing_ok=True)

        def end() -> None:
            take_socket_away()
            if os.getppid() == front:
                os.kill(front, signal.SIGTERM)

        def work(index: int) -> None:
            _close_output()
            seat = WorkerContext(index, board, inboxes, front, end)
            with _telling(folder, index):
                engine = _made(make, folder, seat.mine, end)
                try:
                    sys.setswitchinterval(_SWITCH)
                    _spare_the_collector()
                    asyncio.run(_serve(seat, listener, engine, hosts, limits, version))
                finally:
                    engine.close()

        def make_way() -> None:
            take_socket_away()
            listener.close()

        _spare_the_collector()
        rests_on = (places.socket, Path(sys.executable), Path(version_file))
        Supervisor(board, limits, work, make_way, rests_on).live(_say_ready)  # (5) (6)


@contextmanager
def _telling(folder: Path, index: int) -> Iterator[None]:
    """Set up a worker's telemetry, if configured. A failure is reported, and the worker decides all the same."""
    with ExitStack() as held:
        try:
            held.enter_context(telling(f"guard-{index}", folder))
        except (RemitError, ImportError) as error:
            said = f"{error.message}; {error.remedy}" if isinstance(error, RemitError) else str(error)
            sys.stderr.write(f"no telemetry: {said}\n")
        yield


def _spare_the_collector() -> None:
    """Exclude existing objects from garbage collection, whose scans would delay answers by tens of milliseconds."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECT)


async def _serve(
    seat: WorkerContext, listener: socket.socket, engine: Engine, hosts: Hosts, limits: Limits, version: str
) -> None:
    server = Server(Dispatch(engine, hosts, seat.mine, partial(seat.board.decides, seat.number)), seat, limits, version)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, server.stop)

    def ready() -> None:
        seat.board.ready[seat.number] = 1
        os.kill(seat.front, LISTENS)

    await server.serve(listener, ready)


def _say_ready() -> None:
    """Notify the client that started us and waits for our standard output. It is fine if no client does."""
    with contextlib.suppress(OSError):
        os.write(1, b"+")
    _close_output()


def _close_output() -> None:
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.close(nothing)


def _made(make: Callable[[Path, Mine], Engine], folder: Path, mine: Mine, end: Callable[[], None]) -> Engine:  # (4)
    try:
        return make(folder, mine)
    except Exception as error:  # noqa: BLE001  whatever it is, nothing can be decided
        reason = denial(error).stderr.decode().strip()
        sys.stderr.write(f"{reason}\n")
        return DenyAll(f"the guard cannot decide: {reason}", end)


def usual_engine(folder: Path, mine: Mine) -> Engine:
    """Return the engine of this version."""
    engine: Engine = importlib.import_module(_ENGINE).make_engine(folder, mine)
    return engine
