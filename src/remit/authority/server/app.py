"""What can be asked of a policy server over HTTP. There is no way to send it a policy, a list or a triple.

POST /evaluate   action (16 bytes), commitment (32), bucket (1), question  ->  the share of the decision
POST /commit     {action_id, commitment}                                   ->  a signed proof
GET  /health     who it is, and whether it can decide
GET  /metrics    counters for Prometheus
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.codes import codes
from remit.authority.question.asking import Question
from remit.authority.question.layout import BUCKETS, question_size
from remit.authority.wire.bodies import read_body
from remit.core.errors import AuthorityError
from remit.core.shape import HEX, Record, Text

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from remit.authority.server.service import Service

_HEAD = 16 + 32 + 1
_COMMIT = Record({"action_id": Text(32, r"[0-9a-f]{32}"), "commitment": HEX})
_MOST_COMMIT = 1024


class _BadRequestError(Exception):
    """What was sent is not of the form."""


def make_app(service: Service) -> Starlette:
    """The application of one server."""
    registry = CollectorRegistry()
    answered = Counter("remit_answers", "requests by path and outcome", ("path", "outcome"), registry=registry)
    seconds = Histogram("remit_evaluate_seconds", "time to answer a question", registry=registry)
    portions = Gauge("remit_portions", "portions of triples that are left", ("bucket",), registry=registry)
    most = question_size(service.layout.program, len(BUCKETS) - 1) + _HEAD

    async def evaluate(request: HttpRequest) -> Response:
        body = await _body(request, most)
        if len(body) <= _HEAD:
            raise _BadRequestError
        action_id, commitment, bucket = body[:16].hex(), body[16:48].hex(), body[48]
        with seconds.time():
            share = await service.evaluate(action_id, commitment, Question(bucket, body[_HEAD:]))
        return JSONResponse({"outputs": share.hex()})

    async def commit(request: HttpRequest) -> Response:
        try:
            told = json.loads(await _body(request, _MOST_COMMIT))
        except (ValueError, RecursionError):
            raise _BadRequestError from None
        if _COMMIT.fault(told, "commit"):
            raise _BadRequestError
        return JSONResponse(service.commit(told["action_id"], told["commitment"]).to_json())

    async def health(_: HttpRequest) -> Response:
        return JSONResponse(service.health(), status_code=200 if service.link.up else 503)

    async def metrics(_: HttpRequest) -> Response:
        for bucket, left in enumerate(service.portions()):
            portions.labels(BUCKETS[bucket]).set(left)
        return Response(generate_latest(registry), media_type="text/plain; version=0.0.4")

    async def refused(request: HttpRequest, error: Exception) -> Response:
        answered.labels(request.url.path, "refused").inc()
        if isinstance(error, AuthorityError):
            named = error.message.partition(": ")[0]
            code = named if named in codes() else "NOT_DECIDED"
            return _refusal(code, error.message, error.remedy, 409 if code == named else 503)
        known = codes()["BAD_REQUEST"]
        return _refusal(known.name, known.meaning, known.remedy, 400)

    return Starlette(
        routes=[
            Route("/evaluate", evaluate, methods=["POST"]),
            Route("/commit", commit, methods=["POST"]),
            Route("/health", health),
            Route("/metrics", metrics),
        ],
        exception_handlers={AuthorityError: refused, _BadRequestError: refused},
    )


def _refusal(code: str, message: str, remedy: str, status: int) -> Response:
    return JSONResponse({"code": code, "message": message, "remedy": remedy}, status)


async def _body(request: HttpRequest, most: int) -> bytes:
    data = await read_body(request, most)
    if data is None:
        raise _BadRequestError
    return data
