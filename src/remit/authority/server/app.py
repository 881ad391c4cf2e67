"""The HTTP interface of a policy server. No request can send it a policy or a list.

POST /look-up    ticket (32 bytes), epoch (8), bucket (1), question  ->  the answer with the server's proof
GET  /health     who it is
GET  /metrics    metrics for Prometheus: answers and times
"""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.codes import codes
from remit.authority.policy_files import read_tables
from remit.authority.question.answers import check_shape
from remit.authority.question.layout import BUCKETS
from remit.authority.question.questions import ServerQuestion
from remit.authority.server.service import Identity, Service
from remit.authority.values.proof import MOST_BYTES, Signed, read_proof
from remit.authority.wire.bodies import read_body
from remit.authority.wire.metrics import Measures
from remit.authority.wire.server import serve_all, served_by, watched_by
from remit.core import telemetry
from remit.core.errors import AuthorityError
from remit.core.telemetry import Home

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

    from remit.authority.server.service import SignedAnswer
    from remit.authority.settings import PartySettings
    from remit.authority.values.proof import Signer


_PATH = "/look-up"
_TICKET = 32
_EPOCH = _TICKET + 8
_HEAD = _EPOCH + 1
_LENGTH = 4  # bytes: of the proof, before it


def write_question(ticket: bytes, epoch: int, question: ServerQuestion) -> bytes:
    """Serialize a question."""
    return ticket + epoch.to_bytes(_EPOCH - _TICKET, "big") + bytes((question.bucket,)) + question.body


def read_question(body: bytes) -> tuple[bytes, int, ServerQuestion] | None:
    """Return ticket, epoch and question, not yet validated; None if the body is too short."""
    if len(body) < _HEAD:
        return None
    return body[:_TICKET], int.from_bytes(body[_TICKET:_EPOCH], "big"), ServerQuestion(body[_EPOCH], body[_HEAD:])


def write_answer(found: SignedAnswer) -> bytes:
    """Serialize an answer."""
    proof = json.dumps(found.signed.to_json()).encode()
    return len(proof).to_bytes(_LENGTH, "big") + proof + found.answer


def read_answer(data: bytes) -> tuple[Signed, bytes]:
    """Return proof and answer, not yet verified; AuthorityError if the data are malformed."""
    end = _LENGTH + int.from_bytes(data[:_LENGTH], "big")
    try:
        return read_proof(json.loads(data[_LENGTH : min(end, _LENGTH + MOST_BYTES)])), data[end:]
    except (ValueError, RecursionError):
        raise AuthorityError(
            "a policy server answered in another form", "run the same version of Remit on all parties"
        ) from None


def measures_of(service: Service) -> Measures:
    """Return the metrics of a server. Decisions are not among them: a server does not know them."""
    return Measures(
        f"p{service.identity.number}", service.health, {"remit_epoch": lambda: service.held.epoch}
    )  # fmt: skip


def make_app(service: Service, measures: Measures) -> Starlette:
    """Return the application of one server."""
    party = f"p{service.identity.number}"

    async def look_up(request: HttpRequest) -> Response:
        body = await read_body(request, service.most + _HEAD)
        read = read_question(body or b"")
        if read is None:
            return refused("BAD_REQUEST")
        ticket, question = read[0].hex(), read[2]
        held = service.holdings(read[1])
        if held is None:
            return refused("EPOCH_UNKNOWN", 409)
        try:
            check_shape(held.program, question)
        except AuthorityError:
            return refused("BAD_REQUEST")
        with measures.timed(_PATH), telemetry.span("remit.server.look_up", Home(ticket[:32])) as span:
            span.note(party=party, bucket=BUCKETS[question.bucket])
            found = await service.look_up(held, ticket, question)
        measures.count(_PATH, "OK")
        return Response(write_answer(found), media_type="application/octet-stream")

    def refused(code: str, status: int = 400) -> Response:
        known = codes("policy-server")[code]
        measures.count(_PATH, code)
        return JSONResponse({"code": code, "message": known.meaning, "remedy": known.remedy}, status)

    return Starlette(routes=[Route(_PATH, look_up, methods=["POST"]), *measures.routes()])


async def run(settings: PartySettings, signer: Signer) -> None:
    """Serve until stopped."""
    service = Service(Identity(settings.number, settings.kid, signer), partial(read_tables, settings.file("tables")))
    measures = measures_of(service)
    app = make_app(service, measures)
    await serve_all(served_by(settings, app), *watched_by(settings, measures), renew=service.renew)
