"""Page of waiting approvals and the person's answers. While it is open it is updated, and hooks wait for an answer."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import JSONResponse, Response, StreamingResponse

from remit.core.errors import GuardError, RemitError
from remit.guard.approvals.answers import DAYS, Answer
from remit.report.approval_view import ago, entry_words, whose
from remit.web.console.page import Form, WrongPageError
from remit.web.console.queue import KEYS, LASTING, Queue, QueueState, day_after
from remit.web.console.rendering import page, piece
from remit.web.console.request_context import console_of, wants_json

if TYPE_CHECKING:
    from starlette.requests import Request


_TICK = 0.1  # seconds between two checks
_QUIET = 15.0  # seconds until a keep-alive, so that a broken connection is noticed
_LONGEST = 600.0  # seconds of one stream; then browsers reconnect and pass the gate again
_LABELS = {
    Answer.DENY: "Deny", Answer.ONCE: "Allow once", Answer.SESSION: "Allow in this session", Answer.ALWAYS: "Allow always",
}  # fmt: skip


async def show(request: Request) -> Response:
    """Return the page."""
    return await _page(request)


async def take(request: Request, form: Form) -> Response:
    """Handle an answer."""
    queue = console_of(request).queue
    name, said, days = _read(form)
    try:
        words = await run_in_threadpool(queue.answer, name, said, seen=form.get("seen", ""), days=days)
    except GuardError as error:
        if wants_json(request.headers):
            raise WrongPageError(409, error.message, error.remedy) from None
        return await _page(request, f"{error.message}; {error.remedy}", status=409)
    if wants_json(request.headers):
        return JSONResponse({"said": words})
    return await _page(request, words)


async def stream(request: Request) -> Response:
    """Stream the waiting questions whenever they change (server-sent events).

    A missing guard is reported before the stream begins.
    """
    await run_in_threadpool(console_of(request).queue.marker)
    return StreamingResponse(_events(request), media_type="text/event-stream")


async def grants(request: Request) -> Response:
    """Return the page of lasting grants."""
    return await _grants(request)


async def revoke(request: Request, form: Form) -> Response:
    """Revoke a grant."""
    words = await run_in_threadpool(console_of(request).queue.revoke, form.get("id", ""))
    return await _grants(request, words)


def _read(form: Form) -> tuple[str, Answer, int]:
    try:
        return form["id"], Answer(form["answer"]), int(form.get("days") or DAYS)
    except (KeyError, ValueError):
        raise WrongPageError(400, "this is no answer", "load the page again") from None


async def _page(request: Request, said: str = "", status: int = 200) -> Response:
    queue = console_of(request).queue
    found = await run_in_threadpool(queue.look)
    return page(request, "approvals.html", status=status, said=said, **_shown(queue, found))


def _shown(queue: Queue, found: QueueState) -> dict[str, Any]:
    now = time.time()
    return {
        "found": found, "who": queue.who, "why_not": queue.why_not, "keys": KEYS, "labels": _LABELS, "Answer": Answer,
        "days": [(count, day_after(count, now)) for count in LASTING], "usual": DAYS, "now": int(now), "ago": ago,
    }  # fmt: skip


async def _grants(request: Request, said: str = "") -> Response:
    queue = console_of(request).queue
    found = await run_in_threadpool(queue.grants)
    now = int(time.time())
    rows = [
        (one, entry_words(one.entry), whose(one.principal), one.expires and ago(one.expires - now)) for one in found
    ]
    return page(request, "grants.html", said=said, rows=rows, who=queue.who)


async def _events(request: Request) -> AsyncIterator[str]:
    """Yield the rendered questions as events. During the stream the questions count as watched."""
    queue = console_of(request).queue
    end, told, last, marker = time.monotonic() + _LONGEST, 0.0, "", None
    with queue.watched():
        while (now := time.monotonic()) < end:
            try:
                if (found := queue.marker()) != marker:
                    looked = await run_in_threadpool(queue.look)
                    text = piece(request, "questions.html", **_shown(queue, looked))
                    marker = found
                    if text != last:
                        last, told = text, now
                        yield _event("questions", {"html": text, "count": len(looked.asked)})
            except RemitError as error:
                yield _event("trouble", {"message": error.message, "remedy": error.remedy})
                return
            if now - told > _QUIET:
                told = now
                yield ": still here\n\n"
            await asyncio.sleep(_TICK)


def _event(name: str, value: dict[str, object]) -> str:
    return f"event: {name}\ndata: {json.dumps(value)}\n\n"
