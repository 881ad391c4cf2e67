"""What a policy server can ask of the dealer. Each server has a socket of its own: none can ask for the other's part.

POST /deal   {block, size}  ->  seed, and for the second server the correction; each block once
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from remit.authority.shared.dealing import deal
from remit.core.shape import Record, Text, Whole

if TYPE_CHECKING:
    from starlette.requests import Request as HttpRequest

_LARGEST = 64 * 1024 * 1024
_ASKED = Record({"block": Text(32, r"[0-9a-f]{32}"), "size": Whole(8, _LARGEST)})
_REMEMBERED = (
    100_000  # blocks; what is older than these many is refused because its key is gone with a restart, or never asked
)


class Dealer:
    """Deals blocks under a key that lives as long as the process."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._dealt: tuple[OrderedDict[str, int], OrderedDict[str, int]] = (OrderedDict(), OrderedDict())

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


def make_app(dealer: Dealer, party: int) -> Starlette:
    """The application behind the socket of one policy server."""

    async def answer(request: HttpRequest) -> Response:
        try:
            told = json.loads((await request.body())[:1024])
        except (ValueError, RecursionError):
            told = None
        if _ASKED.fault(told, "deal"):
            return JSONResponse({"code": "BAD_REQUEST"}, 400)
        found = dealer.deal(party, told["block"], told["size"])
        return Response(found, media_type="application/octet-stream") if found else JSONResponse({"code": "DEALT"}, 409)

    async def health(_: HttpRequest) -> Response:
        return JSONResponse({"dealer": party})

    return Starlette(routes=[Route("/deal", answer, methods=["POST"]), Route("/health", health)])
