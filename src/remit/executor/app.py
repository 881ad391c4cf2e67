"""The HTTP interface of the executor for the gateway.

POST /exec     what is presented (`remit schema executor-request`)  ->  what happened
POST /outcome  {action_id}  ->  {outcome}: done, failed, unknown, started, or never
POST /store    nothing  ->  {store}: the name of its replay store, which tickets are for
GET  /health   whether it works
GET  /metrics  metrics for Prometheus: actions by outcome, times, unfinished marks
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.values.action import COMMIT
from remit.authority.values.action import FORM as ACTION
from remit.authority.wire.bodies import read_body
from remit.authority.wire.metrics import Level, Measures
from remit.core import telemetry
from remit.core.errors import AuthorityError
from remit.core.shape import Record
from remit.core.strictjson import strict_json
from remit.core.telemetry import Home, part
from remit.executor.forms import MOST_BYTES, REFUSED, read_presented

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from remit.executor.executor import Executor

_PATH = "/exec"
_OUTCOME = Record({"action_id": ACTION})
_MOST_OUTCOME = 256


def measures_of(executor: Executor) -> Measures:
    """Return the metrics of the executor."""
    levels: dict[str, Level] = {"remit_epoch": lambda: executor.epoch, "remit_marks_unfinished": executor.unfinished}
    return Measures("executor", lambda: {"executor": "ready", "epoch": executor.epoch}, levels)


def make_app(executor: Executor, measures: Measures) -> Starlette:
    """Return the application of one executor."""

    async def act(request: HttpRequest) -> Response:
        data = await read_body(request, MOST_BYTES)
        if data is None:
            return _refused("TOO_LARGE", 413)
        read = read_presented(data)
        if read is None:
            return _refused("BAD_REQUEST", 400)
        with measures.timed(_PATH), telemetry.span("remit.executor.act") as span:
            result = await executor.act(*read)
            span.note(outcome=result.status, code=result.code)
            if result.action_id:
                span.belongs(Home(result.action_id), part(result.action_id, COMMIT))
        measures.count(_PATH, result.code or result.status.upper())
        return JSONResponse(result.to_json(), REFUSED.get(result.code, 403) if result.status == "refused" else 200)

    async def outcome(request: HttpRequest) -> Response:
        try:
            told = strict_json(await read_body(request, _MOST_OUTCOME) or b"")
        except ValueError:
            told = None
        if _OUTCOME.fault(told, "outcome"):
            return JSONResponse({"code": "BAD_REQUEST"}, 400)
        try:
            return JSONResponse({"outcome": await asyncio.to_thread(executor.outcome, told["action_id"])})
        except AuthorityError:
            return JSONResponse({"code": "STORE_FAILED"}, 503)

    async def store(_: HttpRequest) -> Response:
        return JSONResponse({"store": executor.store})

    def _refused(code: str, status: int) -> Response:
        measures.count(_PATH, code)
        return JSONResponse({"code": code}, status)

    asked = {_PATH: act, "/outcome": outcome, "/store": store}
    return Starlette(routes=[*(Route(path, one, methods=["POST"]) for path, one in asked.items()), *measures.routes()])
