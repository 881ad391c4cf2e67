"""What was sent to a server, if it is not too much: it is counted while it arrives."""

from __future__ import annotations

from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest


async def read_body(request: HttpRequest, most: int) -> bytes | None:
    """What was sent; None if it is more than `most` bytes, or if whoever sent it left before its end."""
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
