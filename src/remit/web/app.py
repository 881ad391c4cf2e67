"""The inbound gateway as an application.

GET  /                 the web chat
WS   /chat             its socket
WS   /cli              the socket of the command line's chat
WS   /node             the socket of devices
POST /channels/NAME    what a platform sends
GET  /health           whether it is there
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute

from remit.authority.wire.bodies import read_body
from remit.gateway.inbound.channels.form import Incoming
from remit.gateway.inbound.settings.values import Platform
from remit.web.chat import Place, WebChat, serve_chat
from remit.web.connection_limits import BODY_SECONDS
from remit.web.letting_in import Doors, all_headers
from remit.web.node import serve_node
from remit.web.pages import CHAT, page

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.websockets import WebSocket

    from remit.gateway.inbound.running import Inbound

_MOST = 1024 * 1024  # bytes of what a platform sends


def make_app(inbound: Inbound, chats: dict[str, WebChat], doors: Doors) -> Starlette:
    """The application. `chats`: web chats by the name of their channel; `doors`: who may come in by a socket."""

    async def platform(request: Request) -> Response:
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await read_body(request, _MOST)
        except TimeoutError:
            return Response(status_code=408)
        if body is None:
            return Response(status_code=413)
        reply = await inbound.receive(request.path_params["name"], Incoming(all_headers(request), body, inbound.now()))
        return Response(reply.body, reply.status, media_type=reply.kind)

    async def serve(kind: Platform, socket: WebSocket) -> None:
        known = inbound.settings.channels
        name = next((one for one in chats if known[one].kind is kind), "")
        if not name:
            await socket.close(4404)
            return
        async with doors.of(socket) as door:
            await serve_chat(inbound, Place(name, str(kind), chats[name]), door, socket)

    async def chat(socket: WebSocket) -> None:
        await serve(Platform.WEB, socket)

    async def cli(socket: WebSocket) -> None:
        await serve(Platform.CLI, socket)

    async def node(socket: WebSocket) -> None:
        async with doors.of(socket) as door:
            await serve_node(inbound, door, socket)

    async def health(_: Request) -> Response:
        alarms = {} if inbound.monitor is None else {"alarms": inbound.monitor.alarms.total()}
        return JSONResponse({"gateway": "ready", "refused": inbound.refusals.counts.total(), **alarms})

    async def start(_: Request) -> Response:
        return page(CHAT)

    return Starlette(
        routes=[
            Route("/", start),
            Route("/health", health),
            Route("/channels/{name}", platform, methods=["POST"]),
            WebSocketRoute("/chat", chat),
            WebSocketRoute("/cli", cli),
            WebSocketRoute("/node", node),
        ]
    )
