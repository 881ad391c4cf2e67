"""What the gateway can ask of the executor over HTTP: one thing.

POST /exec   {request, nonce, proofs, confirmation?, secrets?}  ->  what happened
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, generate_latest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.executor.forms import MOST_BYTES, read_presented

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from remit.executor.acting import Executor


def make_app(executor: Executor) -> Starlette:
    """The application of one executor."""
    registry = CollectorRegistry()
    results = Counter("remit_executor_results", "actions by what became of them", ("status", "code"), registry=registry)

    async def act(request: HttpRequest) -> Response:
        if int(request.headers.get("content-length", MOST_BYTES + 1)) > MOST_BYTES:
            return JSONResponse({"code": "TOO_LARGE"}, 413)
        read = read_presented(await request.body())
        if read is None:
            return JSONResponse({"code": "BAD_REQUEST"}, 400)
        result = await executor.act(*read)
        results.labels(result.status, result.code).inc()
        return JSONResponse(result.to_json())

    async def health(_: HttpRequest) -> Response:
        return JSONResponse({"executor": "ready"})

    async def metrics(_: HttpRequest) -> Response:
        return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")

    return Starlette(
        routes=[Route("/exec", act, methods=["POST"]), Route("/health", health), Route("/metrics", metrics)]
    )
