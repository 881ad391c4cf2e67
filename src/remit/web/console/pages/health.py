"""Page of what runs on this machine."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool

from remit.web.console.health import GROUPS
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def show(request: Request) -> Response:
    """Return the page. All components are checked at once, so that a hanging one delays only by its own time limit."""
    settings = console_of(request).settings
    groups = await asyncio.gather(*(run_in_threadpool(one, settings) for one in GROUPS))
    return page(request, "health.html", groups=groups)
