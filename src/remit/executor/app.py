"""What the gateway can ask of the executor over HTTP: one thing.

POST /exec   {request, nonce, proofs, confirmation?}  ->  what happened
"""

from __future__ import annotations

import base64
import json
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, Counter, generate_latest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.executor.accept import Presented

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request as HttpRequest

    from remit.executor.acting import Executor

_MOST = 1024 * 1024
_FIELDS = {"request", "nonce", "proofs"}


def read_presented(data: bytes) -> tuple[Presented, dict[str, bytes]] | None:
    """What is presented in these bytes, and the values of its handles; None if they are not of the form. Nothing is believed."""
    try:
        told: Any = json.loads(data)
        if not isinstance(told, dict) or not _FIELDS <= set(told) <= _FIELDS | {"confirmation", "secrets"}:
            return None
        request = base64.b64decode(told["request"], validate=True)
        nonce = bytes.fromhex(told["nonce"])
        secrets = {name: base64.b64decode(value, validate=True) for name, value in told.get("secrets", {}).items()}
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None
    if not isinstance(told["proofs"], list):
        return None
    return Presented(request, nonce, tuple(told["proofs"]), told.get("confirmation")), secrets


def write_presented(presented: Presented, secrets: Mapping[str, bytes]) -> bytes:
    """As the executor reads it."""
    told = {"request": base64.b64encode(presented.request).decode(), "nonce": presented.nonce.hex()}
    rest = {"confirmation": presented.confirmation} if presented.confirmation is not None else {}
    values = {name: base64.b64encode(value).decode() for name, value in secrets.items()}
    return json.dumps({**told, "proofs": list(presented.proofs), "secrets": values, **rest}).encode()


def make_app(executor: Executor) -> Starlette:
    """The application of one executor."""
    registry = CollectorRegistry()
    results = Counter("remit_executor_results", "actions by what became of them", ("status", "code"), registry=registry)

    async def act(request: HttpRequest) -> Response:
        if int(request.headers.get("content-length", _MOST + 1)) > _MOST:
            return JSONResponse({"code": "TOO_LARGE"}, 413)
        read = read_presented(await request.body())
        if read is None:
            return JSONResponse({"code": "BAD_REQUEST"}, 400)
        result = await executor.act(*read)
        results.labels(result.status, result.code).inc()
        return JSONResponse(result._asdict())

    async def health(_: HttpRequest) -> Response:
        return JSONResponse({"executor": "ready"})

    async def metrics(_: HttpRequest) -> Response:
        return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")

    return Starlette(
        routes=[Route("/exec", act, methods=["POST"]), Route("/health", health), Route("/metrics", metrics)]
    )
