"""The entry point of the executor process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from remit.audit.log import Log
from remit.authority.policy_files import DeliveredPolicy, newer, read_layout
from remit.authority.question.layout import EXECUTOR
from remit.authority.values.proof import LIFETIME, SKEW
from remit.authority.wire.server import serve_all, served_by, watched_by
from remit.bundle.keys import read_public
from remit.core.errors import AuthorityError, UsageError
from remit.executor.accept import ExecutorConfiguration
from remit.executor.app import make_app, measures_of
from remit.executor.effects.settings import read_effects
from remit.executor.executor import Executor
from remit.executor.replay.backends import open_memory
from remit.policy.dlp.classes import classes, veiled

if TYPE_CHECKING:
    from remit.authority.settings import PartySettings
    from remit.executor.effects.adapter import Effect
    from remit.executor.replay.memory import Memory

FORGET = 60.0  # seconds between looks for marks that are over


def known_to(settings: PartySettings, store: str, given: DeliveredPolicy) -> ExecutorConfiguration:
    """Return the executor's configuration: public keys, the replay store's name, and the layout of the policy."""
    servers = {(number, settings.kid): read_public(settings.file(f"p{number}")).key for number in (0, 1)}
    approver, operator = (read_public(settings.file(name)).key for name in ("approver", "operator"))
    return ExecutorConfiguration(
        servers, {approver.keyid: approver}, {operator.keyid: operator}, store, given.binding, given.layout, LIFETIME, SKEW,
        classes, veiled,
    )  # fmt: skip


def refuse_older(memory: Memory, epoch: int) -> None:
    """Raise UsageError if the store has seen a newer policy: an epoch never goes back, whatever file is restored or
    deleted.
    """
    newest = memory.advance(epoch)
    if newest > epoch:
        message = f"this executor has the policy of epoch {epoch}, and its replay store has seen epoch {newest}"
        raise UsageError(message, "give it the newest layout: `remit up` or `remit deploy` makes it")


def effects_of(settings: PartySettings) -> Mapping[str, Effect]:
    """Return the configured effects. State, log and marks of the executor are hidden from all of them."""
    state = settings.file("state")
    state.mkdir(mode=0o700, parents=True, exist_ok=True)
    apart = tuple(settings.files[name] for name in ("log", "memory") if name in settings.files)
    return read_effects(settings.file("effects"), state, apart)


async def forgetting(executor: Executor, every: float = FORGET) -> None:
    """Remove old marks from time to time. A store that fails refuses actions too, and is tried again."""
    while True:
        with contextlib.suppress(AuthorityError):
            await asyncio.to_thread(executor.forget)
        await asyncio.sleep(every)


async def run(settings: PartySettings) -> None:
    """Serve until stopped, after recording actions that were left without an end."""
    memory = open_memory(settings)
    folder = settings.file("log")
    folder.mkdir(mode=0o700, exist_ok=True)
    with Log.open(folder) as log:
        read = partial(read_layout, settings.file("layout"), EXECUTOR)
        given = read()
        refuse_older(memory, given.epoch)

        def later(known: ExecutorConfiguration) -> ExecutorConfiguration | None:
            found = newer(read, known.layout)
            if found is None:
                return None
            refuse_older(memory, found.epoch)
            return known_to(settings, memory.identity(), found)

        # executors that share a memory have logs of their own: the name of its log tells one from another, over restarts
        known = known_to(settings, memory.identity(), given)
        executor = Executor(log.name, known, memory, log, effects_of(settings), later=later)
        executor.reconcile()
        measures = measures_of(executor)
        old = asyncio.create_task(forgetting(executor))
        try:
            app = make_app(executor, measures)
            await serve_all(served_by(settings, app), *watched_by(settings, measures), renew=executor.renew)
        finally:
            old.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await old
    memory.close()
