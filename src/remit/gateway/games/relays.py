"""Recording of the traffic on both policy servers' sockets.

A relay between the gateway and each server passes on all bytes and records them with their time. The parties notice
nothing but the address in their settings.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

SERVERS = ("p0", "p1")
QUESTIONS, ANSWERS = "questions", "answers"
_CHUNK = 256 * 1024
_WAIT = 30


class Passed(NamedTuple):
    """A piece of data that passed, to or from a server."""

    at: float
    server: str
    way: str
    data: bytes


class Relays:
    """Both relays, in a thread of their own."""

    def __init__(self, run: Path) -> None:
        self.sockets = {name: run / f"tap-{name}.sock" for name in SERVERS}
        self._run = run
        self._passed: list[Passed] = []
        self._lock = threading.Lock()

    def taken(self) -> list[Passed]:
        """Return what passed since the last call."""
        with self._lock:
            found, self._passed = self._passed, []
        return found

    async def serve(self, ready: threading.Event, end: asyncio.Event) -> None:
        """Relay until the end."""

        def before(name: str):  # type: ignore[no-untyped-def]  # noqa: ANN202  what asyncio takes
            async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                try:
                    other = await asyncio.open_unix_connection(str(self._run / f"{name}.sock"))
                except OSError:
                    writer.close()
                    return
                there = self._pass(reader, other[1], (name, QUESTIONS))
                await asyncio.gather(there, self._pass(other[0], writer, (name, ANSWERS)))

            return accepted

        servers = [await asyncio.start_unix_server(before(name), str(path)) for name, path in self.sockets.items()]
        ready.set()
        await end.wait()
        for server in servers:
            server.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, where: tuple[str, str]) -> None:
        try:
            while data := await reader.read(_CHUNK):
                at = time.monotonic()
                writer.write(data)
                with self._lock:
                    self._passed.append(Passed(at, *where, data))
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


@contextmanager
def relays(run: Path) -> Iterator[Relays]:
    """Run relays in the folder of an installation's sockets."""
    made, ready, loop, end = Relays(run), threading.Event(), asyncio.new_event_loop(), asyncio.Event()

    def work() -> None:
        loop.run_until_complete(made.serve(ready, end))
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()

    runner = threading.Thread(target=work, daemon=True)
    runner.start()
    ready.wait(_WAIT)
    try:
        yield made
    finally:
        loop.call_soon_threadsafe(end.set)
        runner.join(_WAIT)


def lead_through(folder: Path, made: Relays) -> None:
    """Route the gateway's connections to both servers through the relays."""
    settings = json.loads((folder / "gateway.json").read_bytes())
    for name, path in made.sockets.items():
        settings["reach"][name] = f"unix:{path}"
    (folder / "gateway.json").write_text(json.dumps(settings))
