"""Gate of the console: checks every request and sets the headers of every response.

(1) only HTTP, and no duplicate headers;
(2) the Host header is a name of this machine;
(3) no foreign page makes the request, except by following a link;
(4) a request that changes something comes from our page: by Origin, or else by Sec-Fetch-Site;
(5) paths below the base need a session, which is put into `request.state.session`.

(6), the session's token in the body, is checked where the body is read (`request_context.py`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from starlette.datastructures import MutableHeaders
from starlette.requests import Request

from remit.gateway.inbound.access import host_name
from remit.web.console.sessions import COOKIE, Sessions
from remit.web.login import headers_of

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from remit.web.console.settings import ConsoleSettings

SAFE = ("GET", "HEAD")
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "referrer-policy": "same-origin",  # with `no-referrer`, our own forms would be sent with the origin `null`
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}


class RequestRefused(NamedTuple):
    """Why a request is refused."""

    status: int
    message: str
    remedy: str


TWICE = RequestRefused(400, "a header of the request occurs twice", "ask with a browser")
HOST = RequestRefused(
    421, "this is not the name of the console", "open the address that `remit console` printed; `--name` adds one"
)
FOREIGN = RequestRefused(403, "another site asked for this", "open the console itself, in its own tab")
STRANGER = RequestRefused(401, "this browser was not let in", "open the address that `remit console` printed last")


class Gate:
    """The outermost layer of the application. `refuse` renders a refusal."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ConsoleSettings,
        sessions: Sessions,
        refuse: Callable[[Request, RequestRefused], Awaitable[Response]],
    ) -> None:
        self._app = app
        self._settings = settings
        self._sessions = sessions
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # (1)
            await send({"type": "websocket.close", "code": 4404})
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        request = Request(scope, receive)
        refused = self._judge(request)
        if refused:
            await (await self._refuse(request, refused))(scope, receive, with_headers)
        else:
            await self._app(scope, receive, with_headers)

    def _judge(self, request: Request) -> RequestRefused | None:
        headers = headers_of(request)
        if headers is None:  # (1)
            return TWICE
        if host_name(headers) not in self._settings.hosts:  # (2)
            return HOST
        safe = request.method in SAFE
        if not _ours(headers, safe=safe):  # (3)
            return FOREIGN
        if not safe and not self._same_origin(headers):  # (4)
            return FOREIGN
        if below(request.url.path, self._sessions.base):  # (5)
            session = self._sessions.of(request.cookies.get(COOKIE, ""))
            if session is None:
                return STRANGER
            request.state.session = session
        return None

    def _same_origin(self, headers: Mapping[str, str]) -> bool:
        if "origin" in headers:
            return headers["origin"].lower() == f"{self._settings.scheme}://{headers.get('host', '').lower()}"
        return headers.get("sec-fetch-site") == "same-origin"


def below(path: str, base: str) -> bool:
    """Return whether a path is the base or below it."""
    return path == base or path.startswith(base + "/")


def _ours(headers: Mapping[str, str], *, safe: bool) -> bool:
    """Return whether our page or the user makes the request.

    Browsers without Sec-Fetch headers are judged by (4) and the cookie alone.
    """
    site = headers.get("sec-fetch-site", "none")
    if site in {"none", "same-origin"}:
        return True
    # `same-site` is another port of this machine: as foreign as any other
    return safe and headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
