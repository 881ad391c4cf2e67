"""A server that is a program (a clean environment, lines within limits, ended with us) or is at a URL.

Over HTTP, TLS is verified, no proxy or credential of the environment is used, and redirects stay on the host.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import ipaddress
import os
import shutil
import signal
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import mcp_types as types
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.message import SessionMessage

from remit.core.errors import GuardError, UsageError

if TYPE_CHECKING:
    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
    from mcp.client._transport import TransportStreams


LARGEST_LINE = 16 * 1024 * 1024
_GRACE = 2.0  # seconds between closing its input, SIGTERM and SIGKILL
_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG


@asynccontextmanager
async def child(
    command: Sequence[str], environ: Mapping[str, str], tell: Callable[[str], None]
) -> AsyncIterator[TransportStreams]:
    """Run a server. It inherits our standard error, and of the environment only what is passed."""
    process = await _started(command, environ)
    into, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, out_of = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_read, process, into, tell)
            tasks.start_soon(_write, process, out_of)
            try:
                yield read, write
            finally:
                tasks.cancel_scope.cancel()
    finally:
        for stream in (into, read, write, out_of):
            stream.close()
        with anyio.CancelScope(shield=True):
            await _end(process)


async def _started(command: Sequence[str], environ: Mapping[str, str]) -> asyncio.subprocess.Process:
    program = shutil.which(command[0])
    if program is None:
        raise GuardError(f"there is no program `{command[0]}`", "write the command of the server after `--`")
    prctl = getattr(ctypes.CDLL(None), "prctl", None)

    def prepare() -> None:
        if prctl is not None:
            prctl(_END_WITH_PARENT, signal.SIGKILL)

    try:
        return await asyncio.create_subprocess_exec(
            program,
            *command[1:],
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=dict(environ),
            limit=LARGEST_LINE,
            start_new_session=True,  # so that its child processes end with it
            preexec_fn=prepare,  # one system call, for when we are killed ourselves
        )
    except (OSError, ValueError) as error:
        raise GuardError(f"the server `{command[0]}` cannot be started: {error}", "look at its command") from None


async def _read(
    process: asyncio.subprocess.Process,
    into: MemoryObjectSendStream[SessionMessage | Exception],
    tell: Callable[[str], None],
) -> None:
    assert process.stdout is not None
    with into, contextlib.suppress(anyio.BrokenResourceError, anyio.ClosedResourceError):
        while True:
            try:
                line = await process.stdout.readuntil()
            except asyncio.IncompleteReadError:
                return
            except asyncio.LimitOverrunError:
                tell(f"the server sent a line of more than {LARGEST_LINE} bytes, and is ended")
                return
            if line.strip():
                await into.send(parse(line))


def parse(line: bytes) -> SessionMessage | Exception:
    """Parse a message, or say why it is invalid."""
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error


async def _write(process: asyncio.subprocess.Process, out_of: MemoryObjectReceiveStream[Any]) -> None:
    assert process.stdin is not None
    with out_of, contextlib.suppress(OSError):
        async for item in out_of:
            text: str = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            process.stdin.write(text.encode() + b"\n")
            await process.stdin.drain()


async def _end(process: asyncio.subprocess.Process) -> None:
    """Close the server's input, ask it to end, then kill it with its child processes."""
    assert process.stdin is not None
    process.stdin.close()
    if not await _gone(process):
        _signal(process, signal.SIGTERM)
        await _gone(process)
    _signal(process, signal.SIGKILL)
    await _gone(process)
    transport = getattr(process, "_transport", None)  # a survivor may hold the pipes open
    if transport is not None:
        transport.close()


async def _gone(process: asyncio.subprocess.Process) -> bool:
    end = anyio.current_time() + _GRACE
    while process.returncode is None and anyio.current_time() < end:  # noqa: ASYNC110  waiting for it waits for its pipes too
        await anyio.sleep(0.01)
    return process.returncode is not None


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


_SECONDS = 30.0  # to connect, and to send
_READ = 600.0  # between two events


def checked_url(url: str) -> str:
    """Check that a URL reliably leads to the server: https, or http on this machine."""
    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError):
        raise UsageError(f"`{url}` is no address", "write https://HOST/PATH") from None
    if parsed.userinfo:
        raise UsageError("an address with a password in it would be logged", "give it with --header")
    if parsed.scheme != "https" and not (parsed.scheme == "http" and is_loopback(parsed.host)):
        raise UsageError(f"`{url}` is neither https nor on this machine", "write https://HOST/PATH")
    return url


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, regardless of name resolution."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Bounded(httpx2.AsyncBaseTransport):
    """Reads answers that are not event streams as a whole, so they must be small."""

    def __init__(self) -> None:
        self._inner = httpx2.AsyncHTTPTransport(verify=True, trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._inner.handle_async_request(request)
        if not response.headers.get("content-type", "").lower().startswith("text/event-stream"):
            assert isinstance(response.stream, httpx2.AsyncByteStream)
            response.stream = _BoundedStream(response.stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for part in self._inner:
            size += len(part)
            if size > LARGEST_LINE:
                raise httpx2.ReadError(f"an answer of more than {LARGEST_LINE} bytes")
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()


@asynccontextmanager
async def upstream(url: str, headers: Mapping[str, str]) -> AsyncIterator[TransportStreams]:
    """Connect to a server. It gets the given headers and those of the protocol."""
    timeout = httpx2.Timeout(_SECONDS, read=_READ)
    async with (
        httpx2.AsyncClient(
            headers={**headers, "user-agent": "remit"},
            timeout=timeout,
            trust_env=False,
            follow_redirects=False,
            transport=_Bounded(),
        ) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=LARGEST_LINE) as streams,
    ):
        yield streams
