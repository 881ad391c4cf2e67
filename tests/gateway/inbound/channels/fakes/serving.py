"""A fake platform at a port of this machine, in the loop of a test or as a program of its own."""

import asyncio
import socket
from contextlib import asynccontextmanager

import uvicorn


@asynccontextmanager
async def served(app):
    """Where it is reached."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        server = uvicorn.Server(
            uvicorn.Config(app, log_level="error", ws="websockets-sansio", timeout_graceful_shutdown=1)
        )
        server.install_signal_handlers = lambda: None
        server.capture_signals = _Nothing
        task = asyncio.create_task(server.serve([listening]))
        while not server.started:  # noqa: ASYNC110  uvicorn has no event for it
            await asyncio.sleep(0.005)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = server.force_exit = True
            await task


class _Nothing:
    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


def run(fake):
    """As a program: the port is printed, and it serves until it is ended."""

    async def go():
        async with served(fake.app()) as fake.url:
            print(fake.url, flush=True)
            await asyncio.Event().wait()

    asyncio.run(go())
