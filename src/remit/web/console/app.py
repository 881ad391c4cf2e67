"""The console as a web application.

GET  /                 the login page: its script sends the code after `#`
POST /enter            exchanges the code for a cookie
GET  /static/NAME      our style, scripts and icon
     /BASE/…           the pages of the registry, for a logged-in browser
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route

from remit.core.errors import RemitError
from remit.report.html_skill import skill_css
from remit.report.map_svg import map_css
from remit.web.console.gate import Gate, RequestRefused
from remit.web.console.library import Library
from remit.web.console.logs import Logs
from remit.web.console.page import Page, WrongPageError
from remit.web.console.queue import Queue
from remit.web.console.registry import PAGES
from remit.web.console.rendering import page
from remit.web.console.request_context import console_of, read_fields, read_form, wants_json
from remit.web.console.sessions import COOKIE, Sessions

if TYPE_CHECKING:
    from starlette.requests import Request

    from remit.web.console.settings import ConsoleSettings
    from remit.web.console.work import Work


_MOST = 50  # results that are kept
_AT_A_TIME = 2


class JobResult(NamedTuple):
    """The result of a job, or its error."""

    value: Any = None
    error: Exception | None = None


class Jobs:
    """Background jobs by key; a result is kept until the job is begun again."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._begun: dict[str, float] = {}
        self._room = asyncio.Semaphore(_AT_A_TIME)
        self._clock = clock

    def begin(self, key: str, make: Callable[[], Awaitable[Any]]) -> None:
        """Begin a job unless it is running."""
        task = self._tasks.pop(key, None)
        if task is None or task.done():
            task = asyncio.create_task(self._run(make))
            self._begun[key] = self._clock()
        self._tasks[key] = task
        for old in [one for one, kept in self._tasks.items() if kept.done()][: len(self._tasks) - _MOST]:
            del self._tasks[old], self._begun[old]

    def answer(self, key: str) -> JobResult | None:
        """Return the result; None if the job was not begun or is running."""
        task = self._tasks.get(key)
        return task.result() if task is not None and task.done() else None

    def known(self, key: str) -> bool:
        """Return whether the job was begun."""
        return key in self._tasks

    def seconds(self, key: str) -> int:
        """Return the seconds since the job was begun."""
        return int(self._clock() - self._begun.get(key, self._clock()))

    async def stop(self) -> None:
        """Cancel all jobs."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
        self._tasks.clear()

    async def _run(self, make: Callable[[], Awaitable[Any]]) -> JobResult:
        async with self._room:
            try:
                return JobResult(await make())
            except Exception as error:  # noqa: BLE001  shown by the page that asks for the result
                return JobResult(error=error)


_FOLDER = Path(__file__).with_name("static")
_KINDS = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


class Assets:
    """Static files by name. They contain nothing private, so they need no login."""

    def __init__(self) -> None:
        self._known = {
            path.name: (path.read_bytes(), _KINDS[path.suffix])
            for path in sorted(_FOLDER.iterdir())
            if path.suffix in _KINDS
        }
        self._known["map.css"] = (skill_css() + map_css()).encode(), _KINDS[".css"]
        self._digests = {name: sha256(data).hexdigest()[:16] for name, (data, _) in self._known.items()}

    def link(self, name: str) -> str:
        """Return the URL of a file, which changes with its content."""
        return f"/static/{name}?{self._digests[name]}"

    async def show(self, request: Request) -> Response:
        """Return a file."""
        found = self._known.get(request.path_params["name"])
        if found is None:
            raise WrongPageError(404, "there is no such file", "go to the start of the console")
        data, kind = found
        return Response(data, media_type=kind, headers={"cache-control": "private, max-age=31536000, immutable"})


_SAID = {404: ("there is no such page", "look at the menu"), 405: ("this page is not asked like that", "load it again")}


class Console:
    """The state behind the pages."""

    def __init__(self, settings: ConsoleSettings, sessions: Sessions, work: Work) -> None:
        self.settings = settings
        self.sessions = sessions
        self.work = work
        self.assets = Assets()
        self.library = Library(settings.folders, work)
        self.jobs = Jobs()
        self.logs = Logs(settings)
        self.queue = Queue(settings)

    async def start(self) -> None:
        """Start background work."""
        self.library.look()

    async def stop(self) -> None:
        """Stop background work."""
        await self.library.stop()
        await self.jobs.stop()
        self.queue.close()
        self.logs.close()


def make_console(console: Console) -> Gate:
    """Return the application behind its gate, which error responses of Starlette pass too."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await console.start()
        try:
            yield
        finally:
            await console.stop()

    async def refuse(request: Request, refused: RequestRefused) -> Response:
        request.scope["app"] = app
        return said(request, refused.status, refused.message, refused.remedy)

    app = Starlette(
        routes=[
            Route("/", _start),
            Route("/enter", _enter, methods=["POST"]),
            Route("/static/{name}", console.assets.show),
            Mount(console.sessions.base, routes=[_route(one) for one in PAGES]),
        ],
        exception_handlers=dict.fromkeys((WrongPageError, RemitError, HTTPException, Exception), _failed),
        lifespan=lifespan,
    )  # fmt: skip
    app.state.console = console
    return Gate(app, console.settings, console.sessions, refuse)


def _route(one: Page) -> Route:
    async def handle(request: Request) -> Response:
        request.state.page = one
        if request.method == "POST":
            assert one.take is not None
            return await one.take(request, await read_form(request))
        assert one.show is not None
        return await one.show(request)

    methods = [*(["GET"] if one.show else []), *(["POST"] if one.take else [])]
    return Route(one.path, handle, methods=methods, name=one.path)


async def _start(request: Request) -> Response:
    return page(request, "enter.html", title="Open the console")


async def _enter(request: Request) -> Response:
    sessions = console_of(request).sessions
    cookie = sessions.enter((await read_fields(request)).get("code", ""))
    if cookie is None:
        message = "this code does not let anybody in: it was used, or belongs to a console that was stopped"
        return said(request, 403, message, "open the address that `remit console` printed last")
    to = f"{sessions.base}/"
    by_hand = "text/html" in request.headers.get("accept", "")  # without our script
    answer = RedirectResponse(to, 303) if by_hand else JSONResponse({"to": to})
    secure = console_of(request).settings.tls is not None
    answer.set_cookie(COOKIE, cookie, path=sessions.base, httponly=True, samesite="strict", secure=secure)
    return answer


def said(request: Request, status: int, message: str, remedy: str) -> Response:
    """Return an error as a page or as JSON."""
    if wants_json(request.headers):
        return JSONResponse({"message": message, "remedy": remedy}, status)
    return page(request, "wrong.html", status=status, title=str(status), message=message, remedy=remedy)


async def _failed(request: Request, error: Exception) -> Response:
    return said(request, *_told(error))


def _told(error: Exception) -> tuple[int, str, str]:
    """Return status, message and remedy. Of a bug only the exception's type is shown: the terminal has the rest."""
    match error:
        case WrongPageError():
            return error.status, error.message, error.remedy
        case RemitError():
            return 422, error.message, error.remedy
        case HTTPException():
            return error.status_code, *_SAID.get(error.status_code, (str(error.detail).lower(), "go back"))
    return 500, f"unexpected failure ({type(error).__name__})", "the terminal of `remit console` shows the cause"
