"""What can be asked of a policy server over HTTP. There is no way to send it a policy, a list or a triple.

POST /evaluate   action (16 bytes), commitment (32), bucket (1), question  ->  the share of the decision
POST /commit     {action_id, commitment}                                   ->  a signed proof
GET  /health     who it is, and whether it can decide
GET  /metrics    figures for Prometheus: answers, times, triples that are left
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.codes import codes
from remit.authority.question.answering import check_shape
from remit.authority.question.asking import Question
from remit.authority.question.layout import BUCKETS, question_size
from remit.authority.values.action import COMMIT, PREVIEW
from remit.authority.wire.bodies import read_body
from remit.authority.wire.measures import Measures
from remit.core import telemetry
from remit.core.errors import AuthorityError
from remit.core.shape import HEX, Record, Text
from remit.core.strictjson import strict_json
from remit.core.telemetry import part

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from remit.authority.server.service import Service
    from remit.authority.wire.measures import Level

_HEAD = 16 + 32 + 1
_COMMIT = Record({"action_id": Text(32, r"[0-9a-f]{32}"), "commitment": HEX})
_MOST_COMMIT = 1024


class _BadRequestError(Exception):
    """What was sent is not of the form."""


def measures_of(service: Service) -> Measures:
    """What a server tells of itself. What was decided is not among it: a server does not know."""

    def portions() -> dict[str, float]:
        return {str(BUCKETS[bucket]): left for bucket, left in enumerate(service.portions())}

    levels: dict[str, Level] = {
        "remit_epoch": lambda: service.layout.epoch,
        "remit_linked": lambda: service.link.up,
        "remit_portions": portions,
        "remit_actions": service.open_actions,
    }
    return Measures(f"p{service.identity.number}", service.health, levels, lambda: service.link.up)


def make_app(service: Service, measures: Measures) -> Starlette:
    """The application of one server."""
    party = f"p{service.identity.number}"
    most = question_size(service.layout.program, len(BUCKETS) - 1) + _HEAD

    async def evaluate(request: HttpRequest) -> Response:
        body = await _body(request, most)
        if len(body) <= _HEAD:
            raise _BadRequestError
        action_id, commitment = body[:16].hex(), body[16:48].hex()
        question = _shaped(service, Question(body[48], body[_HEAD:]))
        with measures.timed("/evaluate"), telemetry.span("remit.server.evaluate", part(action_id, PREVIEW)) as span:
            span.note(party=party, bucket=BUCKETS[question.bucket])
            share = await service.evaluate(action_id, commitment, question)
        measures.count("/evaluate", "OK")
        return JSONResponse({"outputs": share.hex()})

    async def commit(request: HttpRequest) -> Response:
        try:
            told = strict_json(await _body(request, _MOST_COMMIT))
        except ValueError:
            raise _BadRequestError from None
        if _COMMIT.fault(told, "commit"):
            raise _BadRequestError
        within = part(told["action_id"], COMMIT)
        with measures.timed("/commit"), telemetry.span("remit.server.commit", within) as span:
            span.note(party=party)
            signed = service.commit(told["action_id"], told["commitment"])
        measures.count("/commit", "OK")
        return JSONResponse(signed.to_json())

    async def refused(request: HttpRequest, error: Exception) -> Response:
        if isinstance(error, AuthorityError):
            code = error.code if error.code in codes() else "NOT_DECIDED"
            measures.count(request.url.path, code)
            return _refusal(code, error.message, error.remedy, 409 if code == error.code else 503)
        known = codes()["BAD_REQUEST"]
        measures.count(request.url.path, known.name)
        return _refusal(known.name, known.meaning, known.remedy, 400)

    return Starlette(
        routes=[
            Route("/evaluate", evaluate, methods=["POST"]),
            Route("/commit", commit, methods=["POST"]),
            *measures.routes(),
        ],
        exception_handlers={AuthorityError: refused, _BadRequestError: refused},
    )


def _shaped(service: Service, question: Question) -> Question:
    """The question, if it has the shape of the program's: another one is the asker's fault, and no lack of the servers."""
    try:
        check_shape(service.layout.program, question)
    except AuthorityError:
        raise _BadRequestError from None
    return question


def _refusal(code: str, message: str, remedy: str, status: int) -> Response:
    return JSONResponse({"code": code, "message": message, "remedy": remedy}, status)


async def _body(request: HttpRequest, most: int) -> bytes:
    data = await read_body(request, most)
    if data is None:
        raise _BadRequestError
    return data
