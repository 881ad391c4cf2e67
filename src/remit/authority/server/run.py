"""A policy server as a process: reads its policy, connects with the other server, and answers until it is told to stop."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from remit.authority.database import build_database
from remit.authority.program.language import read_policy
from remit.authority.server.app import make_app, measures_of
from remit.authority.server.service import Identity, Service
from remit.authority.shared.dealing import SEED_BYTES, Dealt
from remit.authority.tables.answer import prepare
from remit.authority.tables.cuckoo import KEY_BYTES
from remit.authority.wire.address import Peers, asking_context, listening, peer_fault, serving_context
from remit.authority.wire.asking import Client
from remit.authority.wire.serving import serve_all, served_by, watched_by
from remit.core.digest import canonical
from remit.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from remit.authority.settings import Settings
    from remit.authority.values.proof import Signer
    from remit.authority.wire.frames import Link

_SECOND = Peers(names=frozenset({"p1"}))
_AGAIN = 0.2  # seconds until the other server is looked for again


async def run(settings: Settings, signer: Signer) -> None:
    """Serve until stopped."""
    policy = read_policy(settings.file("policy"))
    key = settings.file("table-key").read_bytes()
    if len(key) != KEY_BYTES:
        raise UsageError(f"a table key has {KEY_BYTES} bytes", "let `remit up` make one")
    database = build_database(policy, key, settings.epoch)
    dealer = Client("dealer", settings.reach["dealer"], settings.certificates())
    identity = Identity(settings.number, settings.kid, settings.profile, signer)
    tables = {name: prepare(table) for name, table in database.tables.items()}
    service = Service(identity, database.layout, tables, _dealt_by(dealer))
    linking = asyncio.create_task(_linked(settings, service.link))
    try:
        measures = measures_of(service)
        await serve_all(served_by(settings, make_app(service, measures)), *watched_by(settings, measures))
    finally:
        linking.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await linking
        await dealer.close()


def _dealt_by(dealer: Client) -> Callable[[bytes, int], Awaitable[Dealt]]:
    async def fetch(block: bytes, size: int) -> Dealt:
        told = await dealer.post("/deal", canonical({"block": block.hex(), "size": size}))
        return Dealt(told[:SEED_BYTES], told[SEED_BYTES:])

    return fetch


async def _linked(settings: Settings, link: Link) -> None:
    """Keep the connection with the other server: the second listens, the first comes back until it is there."""
    files = settings.certificates()
    if settings.number == 1:
        await _listen(settings, link)
        return
    address = settings.reach["other"]
    while True:
        with contextlib.suppress(OSError):
            if address.path:
                reader, writer = await asyncio.open_unix_connection(address.path)
            else:
                context = asking_context(files) if files is not None else None
                reader, writer = await asyncio.open_connection(address.host, address.port, ssl=context)
            found = writer.get_extra_info("socket"), writer.get_extra_info("peercert")
            if address.path or not peer_fault(_SECOND, *found):
                await link.serve(reader, writer)
            writer.close()
        await asyncio.sleep(_AGAIN)


async def _listen(settings: Settings, link: Link) -> None:
    files = settings.certificates()

    async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        sock, certificate = writer.get_extra_info("socket"), writer.get_extra_info("peercert")
        if peer_fault(settings.peers["other"], sock, certificate):
            writer.close()
        else:
            await link.serve(reader, writer)

    address = settings.listen["other"]
    context = serving_context(files) if files is not None and not address.path else None
    listener = await asyncio.start_server(accepted, sock=listening(address), ssl=context)
    async with listener:
        await listener.serve_forever()
