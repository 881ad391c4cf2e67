"""A device's socket: it is let in, proves its key, declares what it can do, and is asked."""

from __future__ import annotations

import asyncio
import json
import secrets
from typing import TYPE_CHECKING

from starlette.websockets import WebSocket, WebSocketDisconnect

from remit.gateway.inbound.nodes.asking import NODES
from remit.gateway.inbound.nodes.protocol import read_done, read_hello
from remit.gateway.inbound.pairing.life import Ask, Outcome, Rules
from remit.gateway.inbound.pairing.store import apply
from remit.gateway.inbound.running import Inbound, new_code
from remit.web.letting_in import SHUT, Door

if TYPE_CHECKING:
    from remit.gateway.inbound.nodes.commands import Device

_PAUSE = 1.0  # seconds between two looks whether somebody approved


async def serve_node(inbound: Inbound, door: Door, socket: WebSocket) -> None:
    """One device, until it goes."""
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
    """A device that is not known is given a code, and waits until somebody approves it."""
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
