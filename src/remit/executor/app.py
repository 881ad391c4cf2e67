"""What the gateway can ask of the executor over HTTP: one thing.

POST /exec     {request, nonce, proofs, confirmation?, secrets?}  ->  what happened
GET  /health   that it is there
GET  /metrics  figures for Prometheus: actions by what became of them, times, marks without an end
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.values.action import COMMIT
from remit.authority.wire.bodies import read_body
from remit.authority.wire.measures import Measures
from remit.core import telemetry
from remit.core.telemetry import Home, part
from remit.executor.forms import MOST_BYTES, REFUSED, read_presented

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from remit.authority.wire.measures import Level
    from remit.executor.acting import Executor

_PATH = "/exec"


def measures_of(executor: Executor) -> Measures:
    """What the executor tells of itself."""
    levels: dict[str, Level] = {
        "remit_epoch": lambda: executor.epoch,
        "remit_marks_unfinished": executor.unfinished,
    }
    return Measures("executor", lambda: {"executor": "ready", "epoch": executor.epoch}, levels)


def make_app(executor: Executor, measures: Measures) -> Starlette:
    """The application of one executor."""

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

    def _refused(code: str, status: int) -> Response:
        measures.count(_PATH, code)
        return JSONResponse({"code": code}, status)

    return Starlette(routes=[Route(_PATH, act, methods=["POST"]), *measures.routes()])
