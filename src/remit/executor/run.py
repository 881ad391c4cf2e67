"""The executor as a process."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING

from remit.audit.log import Log
from remit.authority.database import build_database
from remit.authority.program.language import read_policy
from remit.authority.values.opening import BindingKey
from remit.authority.wire.serving import serve_all, served_by, watched_by
from remit.bundle.keys import read_public
from remit.core.errors import AuthorityError
from remit.executor.accept import Known
from remit.executor.acting import Executor
from remit.executor.app import make_app, measures_of
from remit.executor.effects.settings import read_effects
from remit.executor.keys import read_held
from remit.executor.replay.opening import open_memory
from remit.policy.dlp.classes import classes, veiled

if TYPE_CHECKING:
    from remit.authority.settings import Settings

LIFETIME, SKEW = 30, 5  # seconds that a proof is good for, and that clocks may differ by
FORGET = 60.0  # seconds between looks for marks that are over


def known_to(settings: Settings) -> Known:
    """What the executor is given: public keys, the binding key, and the policy that proofs must speak of."""
    key = settings.file("table-key").read_bytes()
    database = build_database(read_policy(settings.file("policy")), key, settings.epoch)
    servers = {(number, settings.kid): read_held(settings.profile, settings.file(f"p{number}")) for number in (0, 1)}
    approver = read_public(settings.file("approver")).key
    binding = BindingKey(settings.file("binding-key").read_bytes())
    approvers = {approver.keyid: approver}
    return Known(servers, approvers, binding, database.layout, LIFETIME, SKEW, classes, veiled)


async def forgetting(executor: Executor, every: float = FORGET) -> None:
    """Let old marks go, from time to time. A store that can not be used refuses actions too, and is tried again."""
    while True:
        with contextlib.suppress(AuthorityError):
            await asyncio.to_thread(executor.forget)
        await asyncio.sleep(every)


async def run(settings: Settings) -> None:
    """Serve until stopped. What was left without an end is recorded first."""
    memory = open_memory(settings)
    folder = settings.file("log")
    folder.mkdir(mode=0o700, exist_ok=True)
    with Log.open(folder) as log:
        # executors that share a memory have logs of their own: the name of its log tells one from another, over restarts
        executor = Executor(log.name, known_to(settings), memory, log, read_effects(settings.file("effects")))
        executor.reconcile()
        measures = measures_of(executor)
        old = asyncio.create_task(forgetting(executor))
        try:
            await serve_all(served_by(settings, make_app(executor, measures)), *watched_by(settings, measures))
        finally:
            old.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await old
    memory.close()
