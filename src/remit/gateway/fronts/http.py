"""HTTP application of the gateway.

The caller is identified by the credential in the header and by the kernel, never by the body.

POST /act      {intent_id, inputs, constraints}  ->  {status, summary, data, artifacts, reason_code, tx_id?}
GET  /health   whether it runs
GET  /metrics  Prometheus metrics, only for the user that the gateway runs as: agents may belong to other users
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.codes import codes
from remit.authority.values.request import MOST_BYTES
from remit.authority.wire.bodies import read_body
from remit.authority.wire.metrics import Level, Measures
from remit.authority.wire.server import USER
from remit.core import telemetry
from remit.core.telemetry import Home, read_parent
from remit.gateway.acts import ActAnswer, ActRefusal, denied

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from remit.executor.credentials.tokens import Credential
    from remit.gateway.gateway import Gateway

_PATH = "/act"
_SCHEME = "Bearer "
_BY_STEP = {1: 400, 2: 401, 3: 400, 10: 503}  # HTTP status by step of the gateway's code; other refusals are 403
_DOWN = dict.fromkeys(("AUTHORITY_DOWN", "ROWS_FORGED", "EXECUTOR_AWAY"), 503)
_BY_CODE = {"TOO_LARGE": 413, "RATE_LIMIT": 429} | _DOWN


def measures_of(gateway: Gateway) -> Measures:
    """Return the gateway's health and metrics."""
    levels: dict[str, Level] = {"remit_epoch": lambda: gateway.epoch, "remit_waiting": gateway.waiting}
    return Measures("gateway", lambda: {"gateway": "ready", "epoch": gateway.epoch}, levels)


def make_app(gateway: Gateway, measures: Measures, kept: Mapping[int, Credential] | None = None) -> Starlette:
    """Return the application. `kept`: credentials that the operator keeps for local users, for requests without one."""

    async def act(request: HttpRequest) -> Response:
        peer = _peer(request)
        data = await read_body(request, MOST_BYTES)
        if data is None:
            answer = denied(ActRefusal("TOO_LARGE"))
        else:
            with measures.timed(_PATH), telemetry.span("remit.gateway.act", _parent(request)) as span:
                answer = await gateway.act(_shown(request, peer, kept or {}), data, peer)
                span.note(outcome=str(answer.status), code=answer.reason_code)
        measures.count(_PATH, answer.reason_code or str(answer.status))
        wait = {"retry-after": str(answer.data["seconds"])} if answer.reason_code == "RATE_LIMIT" else None
        return JSONResponse(answer.to_json(), status_of(answer), wait)

    async def metrics(request: HttpRequest) -> Response:
        """Return the metrics, which agents must not read; on a network they have a port of their own."""
        if _peer(request) != os.getuid():
            return Response(status_code=403)
        return await measures.figures()

    routes = [Route(_PATH, act, methods=["POST"]), Route("/health", measures.health), Route("/metrics", metrics)]
    return Starlette(routes=routes)


def status_of(answer: ActAnswer) -> int:
    """Return the HTTP status for an answer."""
    code = answer.reason_code
    if answer.status != "DENY":
        return 200
    known = codes("gateway").get(code)
    return _BY_CODE.get(code) or (_BY_STEP.get(known.step, 403) if known else 403)


def _peer(request: HttpRequest) -> int | None:
    """Return the user id that the kernel reported; nothing in the request can set it."""
    client: Any = request.scope.get("client")
    return client[1] if client is not None and client[0] == USER else None


def _parent(request: HttpRequest) -> Home | None:
    """Return the caller's trace parent. The caller chose it, so it decides only where a span is shown."""
    told = request.headers.getlist("traceparent")
    return read_parent(told[0]) if len(told) == 1 else None


def _shown(request: HttpRequest, peer: int | None, kept: Mapping[int, Credential]) -> Credential | str:
    told = request.headers.getlist("authorization")
    if not told and peer is not None and peer in kept:
        return kept[peer]
    return told[0].removeprefix(_SCHEME) if len(told) == 1 and told[0].startswith(_SCHEME) else ""
