# ruff: noqa: C901, PLR0911  one branch for each thing that is said
"""Discord's gateway and REST API as their documentation has them (discord.com/developers/docs), as far as a bot needs them."""

import asyncio
import itertools
import json
import sys

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocketDisconnect

TOKEN = "discord-token"
APPLICATION, BOT, GUILD = "830000000000000001", "830000000000000002", "810000000000000001"
ROOM, THREAD, DIRECT = "850000000000000001", "850000000000000011", "850000000000000021"
ANNA = {"id": "800000000000000001", "username": "anna", "global_name": "Anna", "discriminator": "0", "avatar": None}
BOB = {"id": "800000000000000002", "username": "bob", "global_name": "Bob", "discriminator": "0", "avatar": None}
ME = {"id": BOT, "username": "garden", "discriminator": "0", "avatar": None, "bot": True, "global_name": None}
CONTENT = 1 << 15


class FakeDiscord:
    def __init__(self, interval=40_000):
        self.url, self.interval = "", interval
        self.allowed = (1 << 26) - 1  # intents that are turned on
        self.messages, self.calls, self.answers, self.files = {}, [], {}, {}
        self.identified, self.resumed, self.beats, self.acks = [], [], [], True
        self.events = []  # of the session, each with its number
        self.session, self._socket = "", None
        self._numbers = itertools.count(870000000000000101)

    def app(self):
        return Starlette(
            routes=[
                WebSocketRoute("/", self._connect),
                Route("/attachments/{name}", self._file),
                Route("/control/state", self._state),
                Route("/control/say", self._control, methods=["POST"]),
                Route("/api/v10/{path:path}", self._rest, methods=["GET", "POST", "PATCH"]),
            ]
        )

    def message(self, text, by=ANNA, room=ROOM, **more):
        """Said while nobody need be connected."""
        name = str(next(self._numbers))
        direct = room == DIRECT
        found = {
            "id": name, "channel_id": room, "author": by, "content": text, "type": 0, "timestamp": "2025-12-06T05:46:41.000000+00:00",
            "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [], "mention_roles": [],
            "attachments": [], "embeds": [], "pinned": False, **more,
        }  # fmt: skip
        self.messages[name] = found
        return found | (
            {}
            if direct
            else {
                "guild_id": GUILD,
                "member": {"roles": ["890000000000000001"], "joined_at": None, "deaf": False, "mute": False},
            }
        )

    async def say(self, text, by=ANNA, room=ROOM, **more):
        return await self.dispatch("MESSAGE_CREATE", self.message(text, by, room, **more))

    async def dispatch(self, kind, what):
        number = len(self.events) + 1
        self.events.append({"op": 0, "s": number, "t": kind, "d": what})
        if self._socket is not None:
            await self._socket.send_text(json.dumps(self.events[-1]))
        return what

    def file(self, content, name, **more):
        number = str(next(self._numbers))
        self.files[number] = content
        url = f"{self.url}/attachments/{number}"
        return {"id": number, "filename": name, "size": len(content), "url": url, "proxy_url": url, **more}

    def said(self):
        return [one["content"] for one in self.messages.values() if one["author"]["id"] == BOT]

    async def close(self, code):
        socket, self._socket = self._socket, None
        await socket.close(code)

    def forget(self):
        self.session, self.events = "", []

    async def until(self, holds):
        async with asyncio.timeout(300):
            while not holds():  # noqa: ASYNC110  what it waits for knows of no event
                await asyncio.sleep(0.01)

    async def _connect(self, socket):
        await socket.accept()
        await socket.send_text(json.dumps({"op": 10, "s": None, "t": None, "d": {"heartbeat_interval": self.interval}}))
        try:
            while True:
                told = json.loads(await socket.receive_text())
                await self._told(socket, told["op"], told.get("d"))
        except WebSocketDisconnect as left:
            if left.code in (1000, 1001):  # whoever leaves so does not come back
                self.forget()
        except RuntimeError:
            return
        finally:
            if self._socket is socket:
                self._socket = None

    async def _told(self, socket, number, what):
        if number == 1:
            self.beats.append(what)
            if self.acks:
                await socket.send_text(json.dumps({"op": 11, "s": None, "t": None, "d": None}))
        elif number == 2:
            await self._identify(socket, what)
        elif number == 6:
            await self._resume(socket, what)

    async def _identify(self, socket, what):
        self.identified.append(what)
        if what["token"].removeprefix("Bot ") != TOKEN:
            await socket.close(4004)
        elif what["intents"] & ~self.allowed:
            await socket.close(4014)
        else:
            self.session, self.events, self._socket = f"s{len(self.identified)}", [], socket
            await self.dispatch(
                "READY",
                {
                    "v": 10, "user": ME, "guilds": [{"id": GUILD, "unavailable": True}], "session_id": self.session,
                    "resume_gateway_url": self.url.replace("http", "ws"), "session_type": "normal", "private_channels": [],
                    "relationships": [], "application": {"id": APPLICATION, "flags": 0},
                },
            )  # fmt: skip

    async def _resume(self, socket, what):
        self.resumed.append(what)
        if what["token"].removeprefix("Bot ") != TOKEN:
            await socket.close(4004)
        elif what["session_id"] != self.session or what["seq"] > len(self.events):
            await socket.send_text(json.dumps({"op": 9, "s": None, "t": None, "d": False}))
        else:
            self._socket = socket
            for event in self.events[what["seq"] :]:
                await socket.send_text(json.dumps(event))
            await self.dispatch("RESUMED", {"_trace": []})

    async def _rest(self, request):
        path, method = request.path_params["path"], request.method
        body = await request.body()
        told = json.loads(body) if body else {}
        self.calls.append((method, path, told))
        parts = path.split("/")
        if self.answers.get(parts[0]):
            return self.answers[parts[0]].pop(0)
        if parts[0] == "interactions":
            return Response(status_code=204)
        if parts[0] == "webhooks":
            return self._said(method, DIRECT, parts[4] if len(parts) > 4 else "", told)
        if request.headers.get("authorization") != f"Bot {TOKEN}":
            return JSONResponse({"message": "401: Unauthorized", "code": 0}, 401)
        match parts:
            case ["users", "@me"]:
                return JSONResponse(ME)
            case ["oauth2", "applications", "@me"]:
                return JSONResponse(_application())
            case ["gateway"]:
                return JSONResponse({"url": self.url.replace("http", "ws")})
            case ["gateway", "bot"]:
                limit = {"total": 1000, "remaining": 999, "reset_after": 14400000, "max_concurrency": 1}
                return JSONResponse({"url": self.url.replace("http", "ws"), "shards": 1, "session_start_limit": limit})
            case ["channels", room]:
                return self._channel(room)
            case ["channels", _, "typing"]:
                return Response(status_code=204)
            case ["channels", room, "messages"] if method == "GET":
                after = int(request.query_params.get("after", 0))
                found = [one for one in self.messages.values() if one["channel_id"] == room and int(one["id"]) > after]
                return JSONResponse(list(reversed(found[: int(request.query_params.get("limit", 50))])))
            case ["channels", room, "messages", *name]:
                return self._said(method, room, name[0] if name else "", told)
        return JSONResponse({"message": "404: Not Found", "code": 0}, 404)

    def _channel(self, room):
        if room == THREAD:
            return JSONResponse({"id": THREAD, "type": 11, "guild_id": GUILD, "parent_id": ROOM, "name": "roses"})
        if room == DIRECT:
            return JSONResponse({"id": DIRECT, "type": 1, "recipients": [ANNA], "last_message_id": None})
        return JSONResponse(
            {"id": room, "type": 0, "guild_id": GUILD, "name": "garden", "position": 0, "permission_overwrites": []}
        )

    def _said(self, method, room, name, told):
        if not told.get("content") or len(told["content"]) > 2000:
            return JSONResponse({"code": 50035, "message": "Invalid Form Body"}, 400)
        if method == "PATCH":
            if name not in self.messages:
                return JSONResponse({"code": 10008, "message": "Unknown Message"}, 404)
            self.messages[name] |= {"content": told["content"]}
            return JSONResponse(self.messages[name])
        return JSONResponse(self.message(told["content"], ME, room))

    async def _file(self, request):
        return Response(self.files[request.path_params["name"]])

    async def _control(self, request):
        return JSONResponse(await self.say(**await request.json()))

    async def _state(self, _):
        return JSONResponse(
            {"said": self.said(), "identified": len(self.identified), "beats": self.beats, "resumed": len(self.resumed)}
        )


def _application():
    return {
        "id": APPLICATION, "name": "garden", "icon": None, "description": "", "bot_public": True, "bot_require_code_grant": False,
        "verify_key": "0" * 64, "summary": "", "team": None, "owner": ANNA, "flags": 0, "rpc_origins": None,
    }  # fmt: skip


def too_many(seconds):
    return JSONResponse({"message": "You are being rate limited.", "retry_after": seconds, "global": False}, 429)


if __name__ == "__main__":
    from serving import run

    sys.exit(run(FakeDiscord()))
