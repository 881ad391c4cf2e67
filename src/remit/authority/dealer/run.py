"""The dealer as a process: one socket for each policy server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.authority.dealer.app import Dealer, make_app, measures_of
from remit.authority.wire.serving import serve_all, served_by, watched_by

if TYPE_CHECKING:
    from remit.authority.settings import Settings


async def run(settings: Settings) -> None:
    """Deal until stopped."""
    dealer = Dealer()
    measures = measures_of(dealer)
    served = (served_by(settings, make_app(dealer, number, measures), f"p{number}") for number in (0, 1))
    await serve_all(*served, *watched_by(settings, measures))
