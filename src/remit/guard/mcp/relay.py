"""One session: the traffic between a client and a server. Requests are judged, notifications are passed on."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import mcp_types as types
from mcp.shared.message import MessageMetadata, ServerMessageMetadata

from remit.guard.mcp.guard_decisions import GuardDecisions
from remit.guard.mcp.peer import CANCELLED, AnswerError, Peer
from remit.guard.mcp.requests import Handling
from remit.guard.mcp.server_entries import ServerEntries

if TYPE_CHECKING:
    from anyio.abc import TaskGroup
    from mcp.client._transport import TransportStreams

    from remit.guard.daemon.daemon_client import Guard
    from remit.guard.mcp.consent import Consent
    from remit.guard.mcp.pins import PinFiles
    from remit.guard.mcp.settings import Settings

_LISTS_CHANGED = ("notifications/tools/list_changed", "notifications/prompts/list_changed")
_DRAIN = 2.0  # seconds for answers under way when a side ends
_OPENING = "initialize"


@dataclass
class _Running:
    """A request that is being handled."""

    token: Any  # under which its progress is reported
    unanswered: Callable[[], Awaitable[None]] | None  # callback of the transport for a request without an answer
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    number: int | None = None  # the number under which it was passed on


class Relay:
    """A session, from the first message to the end of a side."""

    def __init__(
        self,
        settings: Settings,
        guard: Guard,
        files: PinFiles,
        consent: Consent,
        client: TransportStreams,
        server: TransportStreams,
    ) -> None:
        self._settings = settings
        self._client, self._server = Peer("client", client), Peer("server", server)
        self._running: dict[str, dict[types.RequestId, _Running]] = {"client": {}, "server": {}}
        changed = partial(self._client.notify, _LISTS_CHANGED[0], None)
        book = ServerEntries(settings, files, consent, guard, partial(self._put, self._server, None), changed)
        self._book = book
        self._judge = GuardDecisions(settings, f"mcp-{settings.server}-{secrets.token_hex(8)}", guard, book)
        self._handling = Handling(settings, self._judge, book)

    async def run(self) -> str:
        """Relay until a side ends; return which one."""
        ended: list[str] = []
        await self._judge.told("session", method="session")
        async with anyio.create_task_group() as tasks:

            async def read(peer: Peer) -> None:
                await self._read(peer, tasks)
                if not ended:
                    ended.append(peer.name)
                    await self._drain()
                    tasks.cancel_scope.cancel()

            tasks.start_soon(read, self._client)
            tasks.start_soon(read, self._server)
        with anyio.CancelScope(shield=True):
            await self._judge.told("end", method="end")
        return ended[0] if ended else ""

    async def _drain(self) -> None:
        """End all pending requests, and give them a moment to report it."""
        self._server.end()
        self._client.end()
        with anyio.move_on_after(_DRAIN):
            while any(self._running.values()):  # noqa: ASYNC110  it is short
                await anyio.sleep(0.01)

    async def _read(self, peer: Peer, tasks: TaskGroup) -> None:
        other = self._server if peer is self._client else self._client
        async for item in peer.read:
            if isinstance(item, Exception):
                self._settings.tell(f"the {peer.name} sent what is no message: {_short(item)}")
                continue
            match item.message:
                case types.JSONRPCRequest() as request:
                    await self._begin(peer, other, request, item.metadata, tasks)
                case types.JSONRPCNotification() as notification:
                    await self._notified(peer, other, notification)
                case answer:
                    if not peer.take(answer):
                        self._settings.tell(f"the {peer.name} answered a request that was not sent")

    async def _begin(
        self, peer: Peer, other: Peer, request: types.JSONRPCRequest, metadata: MessageMetadata, tasks: TaskGroup
    ) -> None:
        running = self._running[peer.name]
        if request.id in running or len(running) >= self._settings.most_at_once:
            why = "has a number that is in use" if request.id in running else "is one too many at once"
            await self._reply(peer, request.id, AnswerError(f"remit: the request {why}"))
            return
        meta = (request.params or {}).get("_meta")
        token = meta.get("progressToken") if isinstance(meta, dict) else None
        unanswered = metadata.on_request_unanswered if isinstance(metadata, ServerMessageMetadata) else None
        entry = running[request.id] = _Running(token, unanswered)
        tasks.start_soon(self._handle, peer, other, request, entry)

    async def _handle(self, peer: Peer, other: Peer, request: types.JSONRPCRequest, entry: _Running) -> None:
        related = request.id if peer is self._client else self._only_running()
        ask = partial(self._ask_user, related)
        try:
            with entry.scope:
                try:
                    put = partial(self._put, other, entry)
                    params = dict(request.params or {})
                    answer: Any = await self._handling.handle(peer.name, request.method, params, put, ask)
                    if request.method == _OPENING:
                        self._server.version = self._handling.version
                except AnswerError as failure:
                    answer = failure
                except Exception as error:  # noqa: BLE001  whatever it is, nothing was let through
                    answer = AnswerError(f"remit: {type(error).__name__}: {error}", types.INTERNAL_ERROR)
                await self._reply(peer, request.id, answer)
            if entry.scope.cancelled_caught and entry.unanswered is not None:
                await entry.unanswered()
        finally:
            self._running[peer.name].pop(request.id, None)

    async def _put(self, other: Peer, entry: _Running | None, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """Pass a request on, under a number of ours."""

        def numbered(number: int) -> None:
            if entry is not None:
                entry.number = number

        related = self._only_running() if other is self._client else None
        return await other.ask(method, params, self._settings.answer_within, related=related, numbered=numbered)

    async def _ask_user(self, related: types.RequestId | None, method: str, params: dict[str, Any]) -> dict[str, Any]:
        return await self._client.ask(method, params, self._settings.decide_within, related=related)

    async def _reply(self, peer: Peer, number: types.RequestId, answer: dict[str, Any] | AnswerError) -> None:
        message: types.JSONRPCMessage
        if isinstance(answer, AnswerError):
            more = {} if answer.data is None else {"data": answer.data}
            error = types.ErrorData(code=answer.code, message=answer.message, **more)
            message = types.JSONRPCError(jsonrpc="2.0", id=number, error=error)
        else:
            message = types.JSONRPCResponse(jsonrpc="2.0", id=number, result=answer)
        try:
            await peer.send(message)
        except AnswerError as failure:
            self._settings.tell(failure.message)

    async def _notified(self, peer: Peer, other: Peer, notification: types.JSONRPCNotification) -> None:
        params = notification.params
        if notification.method == CANCELLED:
            await self._cancelled(peer, other, params or {})
            return
        if peer is self._server and notification.method in _LISTS_CHANGED:
            self._book.forget()
        related = self._related(params or {}) if peer is self._server else None
        await other.notify(notification.method, params, related)

    async def _cancelled(self, peer: Peer, other: Peer, params: dict[str, Any]) -> None:
        """Cancel a request under the number with which we passed it on, if we did."""
        wanted = params.get("requestId")
        entry = self._running[peer.name].get(wanted) if isinstance(wanted, int | str) else None
        if entry is None:
            return
        if entry.number is not None:
            await other.notify(CANCELLED, params | {"requestId": entry.number})
        entry.scope.cancel()

    def _related(self, params: dict[str, Any]) -> types.RequestId | None:
        """Return the client's request that a notification of the server belongs to."""
        token = params.get("progressToken")
        for number, entry in self._running["client"].items():
            if token is not None and entry.token == token:
                return number
        return self._only_running()

    def _only_running(self) -> types.RequestId | None:
        """Return the only request of the client that is under way; None if there are none or several."""
        running = self._running["client"]
        return next(iter(running)) if len(running) == 1 else None


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
