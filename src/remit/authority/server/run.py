"""The entry point of a policy server: it reads its tables, and answers until it is stopped."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from remit.authority.policy_files import read_tables
from remit.authority.server.app import make_app, measures_of
from remit.authority.server.service import Identity, Service
from remit.authority.wire.server import serve_all, served_by, watched_by

if TYPE_CHECKING:
    from remit.authority.settings import PartySettings
    from remit.authority.values.proof import Signer


async def run(settings: PartySettings, signer: Signer) -> None:
    """Serve until stopped."""
    service = Service(Identity(settings.number, settings.kid, signer), partial(read_tables, settings.file("tables")))
    measures = measures_of(service)
    app = make_app(service, measures)
    await serve_all(served_by(settings, app), *watched_by(settings, measures), renew=service.renew)
