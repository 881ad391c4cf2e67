"""All parties in this process, from the settings that lie in files."""

import asyncio
import contextlib
import time

from remit.authority.server import app as policy_server
from remit.authority.settings import read_settings
from remit.bundle.keys import read_private
from remit.executor import run as executor
from remit.gateway import run as gateway

ORDER = ("p1", "p0", "executor", "gateway")
RUNS = {"p0": policy_server, "p1": policy_server, "executor": executor, "gateway": gateway}


def settings_of(folder):
    """Of the folder of `remit up`."""
    return [folder / f"{role}.json" for role in ORDER]


def party(path):
    settings = read_settings(path)
    needed = (settings,)
    if settings.role in ("p0", "p1"):
        needed = (settings, read_private(settings.file("key")))
    return RUNS[settings.role].run(*needed)


@contextlib.asynccontextmanager
async def running(paths, ready):
    """Every party whose settings are named, as soon as `ready` says so."""
    tasks = [asyncio.create_task(party(path)) for path in paths]
    until = time.monotonic() + 300
    try:
        while not await asyncio.to_thread(ready):
            assert time.monotonic() < until, "a party did not come up"
            assert not any(task.done() for task in tasks), [task.exception() for task in tasks if task.done()]
            await asyncio.sleep(0.05)
        yield
    finally:
        for task in reversed(tasks):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
