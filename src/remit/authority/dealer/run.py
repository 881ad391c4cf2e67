"""The dealer as a process: one socket for each policy server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.authority.dealer.app import Dealer, make_app
from remit.authority.wire.serving import Served, serve_all

if TYPE_CHECKING:
    from remit.authority.settings import Settings


async def run(settings: Settings) -> None:
    """Deal until stopped."""
    dealer, files = Dealer(), settings.certificates()
    parties = [(number, f"p{number}") for number in (0, 1)]
    await serve_all(
        *(
            Served(make_app(dealer, number), settings.listen[name], settings.peers[name], files)
            for number, name in parties
        )
    )
