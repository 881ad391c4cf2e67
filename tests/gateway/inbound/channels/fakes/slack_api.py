"""Slack's Web API and Socket Mode as their documentation has them (api.slack.com/apis/socket-mode), as far as an application needs them.

An envelope that nobody acknowledges comes again on the next connection.
"""

import asyncio
import itertools
import json
import sys

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

BOT_TOKEN, APP_TOKEN = "xoxb-ours", "xapp-1-ours"
TEAM, BOT = "T0HOUSE", "U0GARDEN"


class FakeSlack:
    def __init__(self):
        self.url = ""
        self.pending, self.acks, self.calls, self.messages, self.answers, self.files = {}, [], [], {}, {}, {}
        self._names, self._sockets, self.connections = itertools.count(1), [], 0

    def app(self):
        return Starlette(
            routes=[
                Route("/api/{method}", self._called, methods=["GET", "POST"]),
                Route("/files/{name}", self._file),
                WebSocketRoute("/link", self._connect),
                Route("/control/state", self._state),
                Route("/control/say", self._control, methods=["POST"]),
            ]
        )

    async def say(self, text, user="U0ANNA", channel="D0ANNA", **more):
        stamp = f"1765000{next(self._names):03}.000100"
        kind = "im" if channel.startswith("D") else "channel"
        event = {
            "type": "message",
            "user": user,
            "text": text,
            "ts": stamp,
            "channel": channel,
            "channel_type": kind,
            **more,
        }
        return await self.happens(event)

    async def happens(self, event):
        number = next(self._names)
        payload = {
            "token": "x", "team_id": TEAM, "api_app_id": "A0", "type": "event_callback", "event_id": f"Ev{number:08}",
            "event_time": 1765000001, "event": event,
            "authorizations": [{"enterprise_id": None, "team_id": TEAM, "user_id": BOT, "is_bot": True}],
        }  # fmt: skip
        return await self.envelope("events_api", payload)

    async def envelope(self, kind, payload):
        name = f"e-{next(self._names)}"
        self.pending[name] = {"envelope_id": name, "type": kind, "payload": payload, "accepts_response_payload": False}
        for socket in self._sockets[-1:]:
            await socket.send_text(json.dumps(self.pending[name]))
        return name

    def file(self, content, name, **more):
        key = f"F{len(self.files)}"
        self.files[key] = content
        return {
            "id": key,
            "name": name,
            "size": len(content),
            "url_private_download": f"{self.url}/files/{key}",
            **more,
        }

    async def disconnect(self, reason="refresh_requested"):
        for socket in tuple(self._sockets):
            await socket.send_text(json.dumps({"type": "disconnect", "reason": reason, "debug_info": {"host": "x"}}))

    def said(self):
        return [one["text"] for one in self.messages.values()]

    async def until(self, holds):
        async with asyncio.timeout(300):
            while not holds():  # noqa: ASYNC110  what it waits for knows of no event
                await asyncio.sleep(0.01)

    async def _called(self, request):
        method = request.path_params["method"]
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        told = await _parameters(request)
        self.calls.append((method, told))
        if self.answers.get(method):
            return self.answers[method].pop(0)
        wanted = APP_TOKEN if method == "apps.connections.open" else BOT_TOKEN
        if token != wanted:
            return no("not_allowed_token_type" if token in (APP_TOKEN, BOT_TOKEN) else "invalid_auth")
        match method:
            case "auth.test":
                return yes(
                    url="https://house.slack.com/", team="house", user="garden", team_id=TEAM, user_id=BOT, bot_id="B0"
                )
            case "apps.connections.open":
                return yes(url=self.url.replace("http", "ws") + "/link?ticket=1")
            case "chat.postMessage":
                return self._posted(told)
            case "chat.update" if told.get("ts") in self.messages:
                self.messages[told["ts"]] |= {"text": told["text"]}
                return yes(channel=told["channel"], ts=told["ts"], text=told["text"])
            case "chat.update":
                return no("message_not_found")
        return no("unknown_method")

    def _posted(self, told):
        if not told.get("text"):
            return no("no_text")
        stamp = f"1765900{next(self._names):03}.000100"
        self.messages[stamp] = {
            "text": told["text"],
            "channel": told["channel"],
            "thread_ts": told.get("thread_ts"),
            "ts": stamp,
        }
        return yes(channel=told["channel"], ts=stamp, message=self.messages[stamp])

    async def _connect(self, socket):
        await socket.accept()
        self.connections += 1
        self._sockets.append(socket)
        hello = {
            "type": "hello",
            "num_connections": 1,
            "connection_info": {"app_id": "A0"},
            "debug_info": {"host": "x"},
        }
        await socket.send_text(json.dumps(hello))
        for envelope in tuple(self.pending.values()):
            await socket.send_text(json.dumps(envelope))
        try:
            while True:
                name = json.loads(await socket.receive_text()).get("envelope_id")
                self.acks.append(name)
                self.pending.pop(name, None)
        except (WebSocketDisconnect, RuntimeError):
            self._sockets.remove(socket)

    async def _file(self, request):
        fine = request.headers.get("authorization") == f"Bearer {BOT_TOKEN}"
        return (
            Response(self.files[request.path_params["name"]])
            if fine
            else Response(status_code=302, headers={"location": "/"})
        )

    async def _state(self, _):
        return JSONResponse({"said": self.said(), "acks": self.acks, "pending": list(self.pending)})

    async def _control(self, request):
        return JSONResponse(await self.say(**await request.json()))


async def _parameters(request):
    if request.headers.get("content-type", "").startswith("application/json"):
        return json.loads(await request.body() or b"{}")
    return dict(request.query_params) | dict(await request.form())


def yes(**told):
    return JSONResponse({"ok": True, **told})


def no(error, **told):
    return JSONResponse({"ok": False, "error": error, **told})


if __name__ == "__main__":
    from serving import run

    sys.exit(run(FakeSlack()))
