"""All skills below the folders: what each can do, and whether it stays inside its manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.web.console.asking import console_of
from remit.web.console.rendering import page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response


async def show(request: Request) -> Response:
    """The list."""
    return page(request, "skills.html", folders=console_of(request).settings.folders)
