"""Pages with slow answers: shown at once, and reloaded when the job is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from starlette.responses import JSONResponse, Response

from remit.core.errors import RemitError
from remit.web.console.page import WrongPageError
from remit.web.console.request_context import console_of

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request


def answered(request: Request, key: str, make: Callable[[], Awaitable[Any]], lasts: int | None = None) -> Any | None:
    """Return the result of a job; None while it runs. Its error is raised here.

    The job is begun if needed, or if its result is older than `lasts` seconds.
    """
    jobs = console_of(request).jobs
    old = lasts is not None and jobs.answer(key) is not None and jobs.seconds(key) > lasts
    if old or not jobs.known(key):
        jobs.begin(key, make)
    request.state.job = key
    done = jobs.answer(key)
    if done is None:
        return None
    if isinstance(done.error, RemitError):
        raise done.error
    if done.error is not None:
        raise WrongPageError(500, f"unexpected failure ({type(done.error).__name__})", "try again")
    return done.value


def stamp(path: Path) -> str:
    """Return a value that changes when the file is written, so that no outdated result is shown."""
    try:
        state = path.stat()
    except OSError:
        return ""
    return f"{state.st_ino} {state.st_mtime_ns} {state.st_size}"


async def ready(request: Request) -> Response:
    """Return whether a page's job is done."""
    jobs = console_of(request).jobs
    key = request.query_params.get("job", "")
    return JSONResponse({"ready": not jobs.known(key) or jobs.answer(key) is not None, "seconds": jobs.seconds(key)})
