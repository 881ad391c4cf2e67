"""The gateway's end of the bridge: one Unix socket a turn for a client's hooks and for the gateway's tools."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

from remit.guard.daemon.protocol import DENIED, LARGEST, Answer

if TYPE_CHECKING:
    from remit.gateway.inbound.agent.tools import Tool

_LINE = 200  # bytes of the first line, which states the purpose
_MOST = 64  # concurrent connections: each may hold a whole request


class Asked(Protocol):
    """The handler of hooks and tool calls."""

    async def hook(self, event: str, body: bytes) -> Answer:
        """Answer a hook."""

    def tools(self) -> Sequence[Tool]:
        """Return the tools that are offered now."""

    async def call(self, tool: str, arguments: str) -> tuple[str, bool]:
        """Call a tool; return its result and whether it failed."""


@asynccontextmanager
async def listening(asked: Asked, user: int) -> AsyncIterator[str]:
    """Serve on a socket and yield its path. `user`: the user id in the capsule, if it differs from ours."""
    at_work: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        if len(at_work) >= _MOST:
            writer.close()
            return
        at_work.add(task)
        try:
            with suppress(OSError, ValueError, asyncio.IncompleteReadError):
                await _serve(asked, reader, writer)
        finally:
            at_work.discard(task)
            writer.close()

    with TemporaryDirectory(prefix="remit-") as folder:
        path = Path(folder) / "socket"
        server = await asyncio.start_unix_server(serve, path, limit=LARGEST)
        if user != os.geteuid():
            os.chown(folder, user, -1)
            os.chown(path, user, -1)
        try:
            yield str(path)
        finally:
            server.close()
            for task in tuple(at_work):
                task.cancel()
            await asyncio.gather(*at_work, return_exceptions=True)


async def _serve(asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    line = await reader.readuntil(b"\n")
    words = line[:_LINE].decode("ascii", "replace").split()
    if words == ["tools"]:
        await _serve_tools(asked, reader, writer)
    elif len(words) == 2 and words[0] == "hook":
        body = await _rest(reader)
        answer = await asked.hook(words[1], body) if body is not None else Answer(DENIED, stderr=b"remit: too large\n")
        out, err = (text.decode("utf-8", "replace") for text in (answer.stdout, answer.stderr))
        writer.write(json.dumps({"exit": answer.exit, "out": out, "err": err}).encode())
        await writer.drain()


async def _rest(reader: asyncio.StreamReader) -> bytes | None:
    """Return all data; None if it is too much."""
    body = b""
    while piece := await reader.read(1 << 16):
        body += piece
        if len(body) > LARGEST:
            return None
    return body


async def _serve_tools(asked: Asked, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve MCP until the client disconnects."""
    import mcp_types as types  # noqa: PLC0415  needed only for clients in capsules
    from mcp.server.lowlevel.server import Server  # noqa: PLC0415
    from mcp.server.stdio import stdio_server  # noqa: PLC0415

    async def listed(_: Any, __: Any) -> Any:
        return types.ListToolsResult(
            tools=[types.Tool(name=one.name, description=one.about, input_schema=one.schema()) for one in asked.tools()]
        )

    async def called(_: Any, params: Any) -> Any:
        told, failed = await asked.call(params.name, json.dumps(params.arguments or {}))
        return types.CallToolResult(content=[types.TextContent(type="text", text=told)], is_error=failed)

    lines: Any = _Lines(reader, writer)
    async with stdio_server(lines, lines) as (read, write):
        server = Server("remit", on_list_tools=listed, on_call_tool=called)
        await server.run(read, write, server.create_initialization_options())


class _Lines:
    """A connection as the pair of text files that the MCP library reads and writes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        line = await self._reader.readline()
        if not line:
            raise StopAsyncIteration
        return line.decode("utf-8", "replace")

    async def write(self, text: str) -> None:
        """Queue text."""
        self._writer.write(text.encode())

    async def flush(self) -> None:
        """Send."""
        await self._writer.drain()
