"""The inbound gateway as a web application.

GET  /                 the web chat
WS   /chat             its socket
WS   /cli              the socket of the command line's chat
WS   /node             the socket of devices
POST /channels/NAME    requests of a platform
GET  /health           status
"""

from __future__ import annotations

import asyncio
import json
import secrets
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from re import DOTALL, findall
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from remit.authority.wire.bodies import read_body
from remit.gateway.inbound.channels.interface import Incoming
from remit.gateway.inbound.nodes.command_requests import NODES
from remit.gateway.inbound.nodes.devices import read_done, read_hello
from remit.gateway.inbound.pairing import Ask, Outcome, Rules, apply
from remit.gateway.inbound.service import Inbound, new_code
from remit.gateway.inbound.settings.values import Platform
from remit.web.chat import ChatPlace, WebChat, serve_chat
from remit.web.connection_limits import BODY_SECONDS
from remit.web.login import SHUT, Door, Doors, all_headers

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.gateway.inbound.nodes.commands import Device


_FOLDER = Path(__file__).with_name("pages")
CHAT = "chat.html"


def page(name: str) -> HTMLResponse:
    """Return a page. Its policy allows only the inline scripts and styles of the file, by digest; injected ones do not
    run.
    """
    text = (_FOLDER / name).read_text("utf-8")
    scripts, styles = (_allowed(text, tag) for tag in ("script", "style"))
    policy = (
        f"default-src 'none'; script-src {scripts}; style-src {styles}; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return HTMLResponse(
        text,
        headers={
            "content-security-policy": policy,
            "referrer-policy": "no-referrer",
            "x-content-type-options": "nosniff",
            "cache-control": "no-store",
        },
    )


def _allowed(text: str, tag: str) -> str:
    found = findall(rf"<{tag}>(.*?)</{tag}>", text, DOTALL)
    return " ".join(f"'sha256-{b64encode(sha256(one.encode()).digest()).decode()}'" for one in found) or "'none'"


_PAUSE = 1.0  # seconds between two checks for an approval


async def serve_node(inbound: Inbound, door: Door, socket: WebSocket) -> None:
    """Serve one device until it disconnects."""
    connected = None
    try:
        while not await door.first(await door.heard()):
            if not door.open:
                await socket.close(SHUT)
                return
            await socket.send_text(json.dumps({"refused": "AUTH"}))
        challenge = secrets.token_hex(32)
        await socket.send_text(json.dumps({"challenge": challenge}))
        device = read_hello(await door.heard(), challenge)
        if device is None or not await _let_in(inbound, device, socket) or not door.open:
            await socket.close(4403)
            return
        door.proved = True
        connected = inbound.devices.connect(device, socket.send_text)
        await socket.send_text(json.dumps({"paired": True}))
        while True:
            done = read_done(await door.heard())
            if done is None or not connected.answered(done):
                await socket.close(4400)
                return
    except (WebSocketDisconnect, RuntimeError):
        return
    finally:
        if connected is not None:
            inbound.devices.disconnect(connected)


async def _let_in(inbound: Inbound, device: Device, socket: WebSocket) -> bool:
    """Wait for the device's pairing. An unknown device gets a code and waits until the operator approves it."""
    rules = Rules()
    shown = False
    for _ in range(rules.lifetime):
        code = new_code()
        outcome = await inbound.kept(apply(rules, NODES, Ask(device.id, code), inbound.now()))
        if outcome is Outcome.KNOWN:
            return True
        if outcome is Outcome.ASKED:
            await socket.send_text(json.dumps({"code": code}))
            shown = True
        elif outcome is not Outcome.AGAIN or not shown:
            await socket.send_text(json.dumps({"refused": str(outcome)}))
            return False
        await asyncio.sleep(_PAUSE)
    return False


_MOST = 1024 * 1024  # bytes of a platform's request


def make_app(inbound: Inbound, chats: dict[str, WebChat], doors: Doors) -> Starlette:
    """Return the application. `chats`: web chats by the name of their channel; `doors`: login of sockets."""

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
            await serve_chat(inbound, ChatPlace(name, str(kind), chats[name]), door, socket)

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
