"""The dealer as a process: one socket for each policy server."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from remit.authority.dealer.app import Dealer, make_app
from remit.authority.wire.serving import serve_at, server

if TYPE_CHECKING:
    from remit.authority.settings import Settings


async def run(settings: Settings) -> None:
    """Deal until stopped."""
    dealer, files = Dealer(), settings.certificates()
    serving = [
        serve_at(settings.listen[f"p{party}"], server(make_app(dealer, party), settings.peers[f"p{party}"], files))
        for party in (0, 1)
    ]
    await asyncio.gather(*serving)
