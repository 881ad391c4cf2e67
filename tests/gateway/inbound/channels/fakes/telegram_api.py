"""Telegram's Bot API as its documentation has it (core.telegram.org/bots/api), as far as a bot needs it that polls.

An update is given again until an `offset` above it is asked for. Two that ask at a time, or a webhook, are a conflict (409).
"""

import asyncio
import itertools
import json
import sys
from contextlib import suppress

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

TOKEN = "5550001:AAours"
ME = {
    "id": 5550001, "is_bot": True, "first_name": "Garden", "username": "remit_garden_bot", "can_join_groups": True,
    "can_read_all_group_messages": True, "supports_inline_queries": False,
}  # fmt: skip
ANNA = {"id": 70001, "is_bot": False, "first_name": "Anna", "username": "anna_g", "language_code": "en"}
BOB = {"id": 70002, "is_bot": False, "first_name": "Bob"}
GROUP = {"id": -1001234500001, "title": "Garden", "type": "supergroup"}


class FakeTelegram:
    def __init__(self):
        self.pending, self.confirmed, self.messages, self.calls = [], [], {}, []
        self.files, self.answers = {}, {}  # content by file_id; what a method answers next
        self.webhook, self.polling = "", False
        self._numbers, self._names = itertools.count(9001), itertools.count(100)
        self._news = asyncio.Event()

    def app(self):
        return Starlette(
            routes=[
                Route("/bot{token}/{method}", self._called, methods=["GET", "POST"]),
                Route("/file/bot{token}/{path:path}", self._file),
                Route("/control/say", self._control, methods=["POST"]),
                Route("/control/state", self._state),
            ]
        )

    def update(self, **what):
        number = next(self._numbers)
        self.pending.append({"update_id": number, **what})
        self._news.set()
        return number

    def say(self, text, by=ANNA, chat=None, **more):
        chat = chat or {"id": by["id"], "first_name": by["first_name"], "type": "private"}
        message = {"message_id": next(self._names), "from": by, "chat": chat, "date": 1765000001, **more}
        return self.update(message=message | ({"text": text} if text else {}))

    def file(self, content, **more):
        name = f"file-{len(self.files)}"
        self.files[name] = content
        return {"file_id": name, "file_unique_id": f"u{len(self.files)}", **more}

    def said(self):
        """What stands in chats now, in the order in which it came."""
        return [one["text"] for one in self.messages.values()]

    async def until(self, holds):
        async with asyncio.timeout(300):
            while not holds():  # noqa: ASYNC110  what it waits for knows of no event
                await asyncio.sleep(0.01)

    async def _called(self, request):
        method, token = request.path_params["method"].lower(), request.path_params["token"]
        if token != TOKEN:
            return _no(401, "Unauthorized")
        told = await _parameters(request)
        self.calls.append((method, told))
        if self.answers.get(method):
            return self.answers[method].pop(0)
        found = getattr(self, f"_{method}", None)
        return _no(404, "Not Found: method not found") if found is None else await found(told)

    async def _getme(self, _):
        return _yes(ME)

    async def _getupdates(self, told):
        if self.webhook:
            return _no(
                409,
                "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
            )
        if self.polling:
            return _no(
                409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
            )
        self.polling = True
        try:
            offset, limit = int(told.get("offset", 0)), int(told.get("limit", 100))
            self.confirmed += [one["update_id"] for one in self.pending if one["update_id"] < offset]
            self.pending = [one for one in self.pending if one["update_id"] >= offset]
            if not self.pending and int(told.get("timeout", 0)):
                self._news.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(int(told["timeout"])):
                        await self._news.wait()
            return _yes(self.pending[:limit])
        finally:
            self.polling = False

    async def _sendmessage(self, told):
        if not told.get("text"):
            return _no(400, "Bad Request: message text is empty")
        if len(told["text"]) > 4096:
            return _no(400, "Bad Request: message is too long")
        message = {
            "message_id": next(self._names), "from": ME, "chat": _chat(told), "date": 1765000002, "text": told["text"],
        }  # fmt: skip
        self.messages[message["message_id"]] = message
        return _yes(message)

    async def _editmessagetext(self, told):
        message = self.messages.get(int(told.get("message_id", 0)))
        if message is None:
            return _no(400, "Bad Request: message to edit not found")
        if message["text"] == told["text"]:
            return _no(400, "Bad Request: message is not modified")
        message |= {"text": told["text"], "edit_date": 1765000003}
        return _yes(message)

    async def _sendchataction(self, _):
        return _yes(True)

    async def _answercallbackquery(self, _):
        return _yes(True)

    async def _deletewebhook(self, _):
        self.webhook = ""
        return _yes(True)

    async def _getfile(self, told):
        name = told.get("file_id")
        if name not in self.files:
            return _no(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
        return _yes(
            {
                "file_id": name,
                "file_unique_id": "u",
                "file_size": len(self.files[name]),
                "file_path": f"documents/{name}.bin",
            }
        )

    async def _file(self, request):
        name = request.path_params["path"].split("/")[-1].removesuffix(".bin")
        fine = request.path_params["token"] == TOKEN and name in self.files
        return Response(self.files[name]) if fine else Response(status_code=404)

    async def _control(self, request):
        told = await request.json()
        return JSONResponse(self.say(**told))

    async def _state(self, _):
        return JSONResponse({"said": self.said(), "pending": len(self.pending), "confirmed": self.confirmed})


async def _parameters(request):
    if request.headers.get("content-type", "").startswith("application/json"):
        return await request.json()
    return dict(request.query_params) | dict(await request.form())


def _chat(told):
    number = int(told["chat_id"])
    return {"id": number, "type": "private" if number > 0 else "supergroup", "title": "x"}


def _yes(result):
    return Response(
        json.dumps({"ok": True, "result": result}), media_type="application/json"
    )  # escapes, as Telegram does


def _no(status, description, **parameters):
    body = {"ok": False, "error_code": status, "description": description}
    return JSONResponse(body | ({"parameters": parameters} if parameters else {}), status)


def too_many(seconds):
    return _no(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)


if __name__ == "__main__":
    from serving import run

    sys.exit(run(FakeTelegram()))
