"""Request bodies with a size limit, which is enforced while they arrive."""

from __future__ import annotations

from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest


async def read_body(request: HttpRequest, most: int) -> bytes | None:
    """Return the body; None if it has more than `most` bytes, or if the client disconnected early."""
    parts: list[bytes] = []
    size = 0
    try:
        async for part in request.stream():
            size += len(part)
            if size > most:
                return None
            parts.append(part)
    except ClientDisconnect:
        return None
    return b"".join(parts)
