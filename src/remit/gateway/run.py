"""The gateway process."""

from __future__ import annotations

import asyncio
import json
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from remit.audit.log import Log
from remit.authority.policy_files import read_layout
from remit.authority.question.layout import GATEWAY
from remit.authority.wire.client import Client
from remit.authority.wire.server import serve_all, served_by, watched_by
from remit.bundle.files import read_small
from remit.bundle.keys import read_public
from remit.core.errors import AuthorityError, UsageError
from remit.executor.credentials.tokens import Credential, read_credential
from remit.gateway.effects import Rules
from remit.gateway.fronts.http import make_app, measures_of
from remit.gateway.gateway import Gateway
from remit.gateway.handles import HANDLES, Handles
from remit.gateway.local import Local, Notes, SkillFolder
from remit.gateway.parties.executor import executors_of
from remit.gateway.parties.servers import EVIDENCE, USED, Accusing, Policy, Servers, UsedProbes
from remit.gateway.rate import Rate
from remit.gateway.revocations import REVOKED, Revocations
from remit.gateway.state import Vault, database_of, read_vault
from remit.gateway.transactions import TRANSACTIONS, Transactions
from remit.gateway.workspace import Workspace
from remit.policy.dlp.classes import classes, veiled

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.settings import PartySettings


_MOST_USERS = 1024 * 1024
NOTES = "notes.db"


def rules_of(settings: PartySettings) -> Rules:
    """Return the rules for the settings. The redaction is the same as the executor's."""
    operator, approver = (read_public(settings.file(name)).key for name in ("operator", "approver"))
    rate = Rate(*settings.rate) if settings.rate else Rate()
    held = {operator.keyid: operator}, {approver.keyid: approver}, veiled
    return Rules(*held, rate=rate, patience=settings.confirm_hours * 3600)


def local_of(settings: PartySettings, state: Path, vault: Vault, held: ExitStack) -> Local:
    """Open the gateway's own stores, workspace and skills; `held` closes them."""
    shared = database_of(settings)
    handles, revoked = Handles(shared or state / HANDLES, vault), Revocations(shared or state / REVOKED)
    notes = Notes(shared or state / NOTES, vault)
    for store in (handles, revoked, notes):
        held.callback(store.close)
    root = settings.files.get("workspace")
    workspace = Workspace(root) if root is not None else None
    skills = settings.files.get("skills")
    known = SkillFolder(skills, root, workspace) if skills is not None and root is not None and workspace else None
    return Local(handles, revoked, notes, workspace, known)


def kept_for(settings: PartySettings) -> dict[int, Credential]:
    """Return the credentials that the operator keeps for local users, by user id; UsageError if malformed."""
    if "users" not in settings.files:
        return {}
    data = read_small(settings.file("users"), "the credentials of users", _MOST_USERS, UsageError, private=True)
    try:
        told = json.loads(data)
        return {int(uid): read_credential(text) for uid, text in told.items()}
    except (ValueError, TypeError, AttributeError, RecursionError, AuthorityError):
        raise UsageError("the credentials of users are in another form", 'write {"1000": "CREDENTIAL"}') from None


async def run(settings: PartySettings) -> None:
    """Serve until stopped."""
    state, log = settings.file("state"), settings.file("log")
    for folder in (state, log, *filter(None, (settings.files.get("workspace"),))):
        folder.mkdir(mode=0o700, exist_ok=True)
    vault, files = read_vault(settings.file("handle-key")), settings.certificates()
    rules = rules_of(settings)
    keys = {(number, settings.kid): read_public(settings.file(f"p{number}")).key for number in (0, 1)}
    first, second = (Client(name, settings.reach[name], files) for name in ("p0", "p1"))
    policy = Policy(partial(read_layout, settings.file("layout"), GATEWAY), keys, classes)
    executor = executors_of(settings)
    with ExitStack() as held:
        own = held.enter_context(Log.open(log))
        used = UsedProbes(database_of(settings) or state / USED)
        held.callback(used.close)
        accusing = Accusing(state / EVIDENCE, vault, used.claim)
        servers = Servers(policy, (first, second), accusing)
        transactions = Transactions(database_of(settings) or state / TRANSACTIONS, vault, own.name)
        held.callback(transactions.close)
        local = local_of(settings, state, vault, held)
        gateway = Gateway(rules, servers, executor, transactions, local, own)
        accusing.record = gateway.accused
        settling = asyncio.create_task(gateway.settling())
        servers.cover()
        try:
            measures = measures_of(gateway)
            app = make_app(gateway, measures, kept_for(settings))
            await serve_all(served_by(settings, app), *watched_by(settings, measures), renew=servers.renew)
        finally:
            settling.cancel()
            await asyncio.gather(settling, return_exceptions=True)
            await servers.close()
            await executor.close()
