"""What a policy server can ask of the dealer. Each server has a socket of its own: none can ask for the other's part.

POST /deal     {block, size}  ->  seed, and for the second server the correction; each block once
GET  /health   that it is there
GET  /metrics  figures for Prometheus: how many blocks were dealt, how fast
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.shared.dealing import deal
from remit.authority.wire.bodies import read_body
from remit.authority.wire.measures import Measures
from remit.core import telemetry
from remit.core.shape import Record, Text, Whole
from remit.core.strictjson import strict_json
from remit.core.telemetry import Home

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

_LARGEST = 64 * 1024 * 1024
_ASKED = Record({"block": Text(32, r"[0-9a-f]{32}"), "size": Whole(8, _LARGEST)})
_MOST = 1024
_REMEMBERED = (
    100_000  # blocks; what is older than these many is refused because its key is gone with a restart, or never asked
)


class Dealer:
    """Deals blocks under a key that lives as long as the process."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._dealt: tuple[OrderedDict[str, int], OrderedDict[str, int]] = (OrderedDict(), OrderedDict())

    def remembered(self) -> dict[str, float]:
        """How many blocks are known as dealt, by server."""
        return {f"p{party}": len(blocks) for party, blocks in enumerate(self._dealt)}

    def deal(self, party: int, block: str, size: int) -> bytes | None:
        """A party's part of a block: seed and correction; None if it was dealt to that party, or with another size to the other."""
        mine, other = self._dealt[party], self._dealt[1 - party]
        if block in mine or other.get(block, size) != size:
            return None
        mine[block] = size
        if len(mine) > _REMEMBERED:
            mine.popitem(last=False)
        dealt = deal(self._key, int(block, 16), party, size)
        return dealt.seed + dealt.correction


def measures_of(dealer: Dealer) -> Measures:
    """What the dealer tells of itself."""
    return Measures("dealer", lambda: {"dealer": "ready"}, {"remit_blocks": dealer.remembered})


def make_app(dealer: Dealer, party: int, measures: Measures) -> Starlette:
    """The application behind the socket of one policy server."""

    async def answer(request: HttpRequest) -> Response:
        data = await read_body(request, _MOST)
        try:
            told: Any = strict_json(data or b"")
        except ValueError:
            told = None
        if _ASKED.fault(told, "deal"):
            return _refused("BAD_REQUEST", 400)
        with measures.timed("/deal"), telemetry.span("remit.dealer.deal", Home(told["block"])) as span:
            span.note(party="dealer", server=f"p{party}")
            found = dealer.deal(party, told["block"], told["size"])
        if found is None:
            return _refused("DEALT", 409)
        measures.count("/deal", "OK")
        return Response(found, media_type="application/octet-stream")

    def _refused(code: str, status: int) -> Response:
        measures.count("/deal", code)
        return JSONResponse({"code": code}, status)

    return Starlette(routes=[Route("/deal", answer, methods=["POST"]), *measures.routes()])
