"""What passes on the sockets of one policy server, written down from outside.

A relay stands between the gateway and the first server, another between the two servers. They pass on every byte as it comes, and
keep it with its time. No party knows of them but by the address in its settings.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUESTIONS, ANSWERS, SAID, HEARD = "questions", "answers", "said", "heard"  # to and from p0: by the gateway, and by p1
_CHUNK = 256 * 1024
_WAIT = 30


class Passed(NamedTuple):
    """Some bytes that passed."""

    at: float
    way: str
    data: bytes


class Relays:
    """Both relays, in a thread of their own."""

    def __init__(self, run: Path) -> None:
        self.gateway, self.other = run / "tap-p0.sock", run / "tap-p1-p0.sock"
        self._run = run
        self._passed: list[Passed] = []
        self._lock = threading.Lock()

    def taken(self) -> list[Passed]:
        """What passed since it was asked for."""
        with self._lock:
            found, self._passed = self._passed, []
        return found

    async def serve(self, ready: threading.Event, end: asyncio.Event) -> None:
        """Pass on, until the end."""

        def between(to: str, there: str, back: str):  # type: ignore[no-untyped-def]  # noqa: ANN202  what asyncio takes
            async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                try:
                    other = await asyncio.open_unix_connection(str(self._run / to))
                except OSError:
                    writer.close()
                    return
                await asyncio.gather(self._pass(reader, other[1], there), self._pass(other[0], writer, back))

            return accepted

        servers = [
            await asyncio.start_unix_server(between("p0.sock", QUESTIONS, ANSWERS), str(self.gateway)),
            await asyncio.start_unix_server(between("p1-p0.sock", SAID, HEARD), str(self.other)),
        ]
        ready.set()
        await end.wait()
        for server in servers:
            server.close()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        try:
            while data := await reader.read(_CHUNK):
                at = time.monotonic()
                writer.write(data)
                with self._lock:
                    self._passed.append(Passed(at, way, data))
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


@contextmanager
def relays(run: Path) -> Iterator[Relays]:
    """Relays in the folder of an installation's sockets."""
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
    """Let the gateway reach the first server, and the first server the second, through the relays."""
    for role, name, path in (("gateway", "p0", made.gateway), ("p0", "other", made.other)):
        settings = json.loads((folder / f"{role}.json").read_bytes())
        settings["reach"][name] = f"unix:{path}"
        (folder / f"{role}.json").write_text(json.dumps(settings))
