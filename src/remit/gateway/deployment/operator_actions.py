"""Actions of the operator and the approver on an installation: issue credentials, store secrets, confirm requests."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from remit.audit.entry import ANSWER, Entry, Outcome, RecordKind
from remit.audit.log import Log
from remit.authority.codes import codes
from remit.authority.intents import intents
from remit.authority.policy_files import read_tables
from remit.authority.settings import PartySettings, read_settings
from remit.authority.sinks import RUNTIME
from remit.authority.values.proof import SERVERS
from remit.bundle.keys import read_private, read_public
from remit.core.errors import AuthorityError, UsageError
from remit.executor.credentials.issuer import credential, grant, scope, workload
from remit.gateway.acts import RefusedError
from remit.gateway.deployment.files import BUILT, TABLES
from remit.gateway.handles import HANDLES, Handles, Secret, Use
from remit.gateway.parties.servers import EVIDENCE, kept_evidence, liars
from remit.gateway.revocations import REVOKED, Revocations
from remit.gateway.state import Vault, database_of, read_vault
from remit.gateway.transactions import (
    TRANSACTIONS,
    Phase,
    Refuse,
    StoredTransaction,
    Transactions,
    Waiting,
    approve,
    deliver,
    settled,
)
from remit.policy.dlp.classes import veiled

if TYPE_CHECKING:
    from pathlib import Path

    from remit.executor.tables import Database


_KEYS = "keys"
_NAME = re.compile(r"[0-9a-f]{8,32}")


class _Gateway(NamedTuple):
    """The stores of a folder's gateway."""

    state: Path
    log: Path
    vault: Vault
    shared: Database | None
    settings: PartySettings

    def handles(self) -> closing[Handles]:
        """Return the store of handles, which is closed after use."""
        return closing(Handles(self.shared or self.state / HANDLES, self.vault))

    def transactions(self) -> closing[Transactions]:
        """Return the store of transactions, which is closed after use."""
        return closing(Transactions(self.shared or self.state / TRANSACTIONS, self.vault))


class CredentialContents(NamedTuple):
    """The contents of a credential to issue."""

    name: str
    session: str
    intents: Sequence[str]
    sinks: Sequence[str]
    seconds: int
    uid: int = -1
    key: str = ""  # a public key if the holder may delegate further


def give(folder: Path, given: CredentialContents) -> str:
    """Return a credential signed with the operator's key."""
    operator = read_private(folder / _KEYS / "operator.key")
    kid, exp = operator.public.keyid, int(time.time()) + given.seconds
    who = workload(kid, operator, given.name, exp=exp, uid=given.uid)
    rights = scope(given.intents, given.sinks)
    first = grant(kid, operator, given.name, rights, given.session, exp=exp, key=given.key)
    return credential(who, (first,)).text()


def keep(folder: Path, name: str, secret: Secret) -> None:
    """Store a secret for which agents may be given handles."""
    with _gateway(folder).handles() as store:
        store.keep_secret(name, secret)


class Audited(NamedTuple):
    """A failed look-up, and the policy servers whose signed answers do not follow from the tables."""

    name: str
    liars: tuple[str, ...]


def audit_look_ups(folder: Path, tables: Path | None = None) -> tuple[Audited, ...]:
    """Recompute the failed look-ups from the tables and return which servers lied.

    `tables`: their path if not in the folder.
    """
    there = _gateway(folder)
    held = read_tables(tables or folder / BUILT / TABLES)
    settings = there.settings
    keys = {(number, settings.kid): read_public(settings.file(f"p{number}")).key for number in SERVERS}
    return tuple(
        Audited(name, tuple(f"p{number}" for number in liars(held, keys, evidence)))
        for name, evidence in kept_evidence(there.state / EVIDENCE, there.vault)
    )


def end_session(folder: Path, session: str) -> int:
    """End a session: revoke its credentials and delete its values; return how many values there were."""
    now, there = int(time.time()), _gateway(folder)
    with closing(Revocations(there.shared or there.state / REVOKED)) as revoked:
        revoked.end_session(session, now)
    with there.handles() as store:
        return store.end_session(session, now)


def waiting(folder: Path) -> tuple[Waiting, ...]:
    """Return the requests that wait for an approver.

    If a value would be shown to the agent, the approver sees it too.
    """
    now, there = int(time.time()), _gateway(folder)
    with there.transactions() as store:
        found = store.waiting(now)
    if not any(_shows(one) for one in found):
        return found
    with there.handles() as handles:
        return tuple(one._replace(shows=_shown(handles, one, now)) if _shows(one) else one for one in found)


def _shows(one: Waiting) -> bool:
    return intents()[one.transaction.intent].effect == "show"


def _shown(handles: Handles, one: Waiting, now: int) -> str:
    told = one.transaction
    try:
        value = handles.use(one.inputs["handle"], Use(told.session, told.caller, RUNTIME), now)
    except RefusedError as no:
        return f"nothing: {no.refused.told()}"
    return veiled(value.decode("utf-8", "replace"))


def confirm_one(folder: Path, name: str, who: str, key_file: Path | None = None) -> Waiting:
    """Confirm a waiting request with the approver's key, after logging who did.

    `key_file`: the key's path if not in the folder.
    """
    key = read_private(key_file or folder / _KEYS / "approver.key")
    now, there = int(time.time()), _gateway(folder)
    with there.transactions() as store:
        found = _named(store, name, now)
        word = approve(found, key.public.keyid, key).to_json()
        _record(there.log, _answer(found, who, Outcome.PERSON_APPROVED))
        _check(deliver(store, found.id, word, {key.public.keyid: key.public}, now))
    return found


def refuse_one(folder: Path, name: str, who: str) -> Waiting:
    """Refuse a waiting request."""
    now, there = int(time.time()), _gateway(folder)
    with there.transactions() as store:
        found = _named(store, name, now)
        _record(there.log, _answer(found, who, Outcome.PERSON_DENIED))
        _check(store.apply(found.id, Refuse(), now))
    return found


def outcome_of(folder: Path, name: str) -> StoredTransaction:
    """Return the transaction whose own or action's name has this prefix.

    If it has no recorded end, the executor is asked.
    """
    there = _gateway(folder)
    with there.transactions() as store:
        found = store.named(name) if _NAME.fullmatch(name) else ()
    if len(found) != 1:
        message = f"no request, or more than one, is known as `{name}`"
        raise UsageError(message, "give the whole tx_id of an answer, or an action's name from the log")
    (kept,) = found
    if kept.transaction.phase is not Phase.TAKEN:
        return kept
    try:
        became = asyncio.run(_asked(there.settings, kept.transaction.action_id))
    except AuthorityError:
        return kept
    end = settled(became, kept.at, int(time.time()))
    return kept if end is None else kept._replace(transaction=kept.transaction._replace(phase=Phase.DONE), ended=end)


async def _asked(settings: PartySettings, action_id: str) -> str:
    """Return what the executor remembers of an action."""
    from remit.gateway.parties.executor import executors_of  # noqa: PLC0415  avoid loading these packages for other actions

    executor = executors_of(settings)
    try:
        return await executor.outcome(action_id)
    finally:
        await executor.close()


def _named(store: Transactions, name: str, now: int) -> Waiting:
    found = [one for one in store.waiting(now) if one.id.startswith(name)]
    if len(found) != 1:
        raise UsageError(f"nothing, or more than one thing, waits as `{name}`", "`remit gateway waiting` lists it")
    return found[0]


def _record(place: Path, entry: Entry) -> None:
    with Log.open(place) as log:
        log.append(entry, sync=True)


def _check(code: str) -> None:
    if code:
        raise AuthorityError(codes("gateway")[code].meaning, codes("gateway")[code].remedy)


def _answer(found: Waiting, who: str, outcome: Outcome) -> Entry:
    one = found.transaction
    return Entry(
        kind=RecordKind.DECISION, host="gateway", event="confirm", op=ANSWER, session=one.session, call=found.id,
        tool=one.intent, principal=one.caller, outcome=outcome, reason=who, judged=one.preview,
        arguments={"action_id": one.action_id},
    )  # fmt: skip


def _gateway(folder: Path) -> _Gateway:
    """Return the gateway of `remit up`, or of a folder of its own; UsageError if it was never started."""
    named = folder / "settings.json"
    path = named if named.exists() else folder / "gateway.json"
    settings = read_settings(path) if path.exists() else None
    if settings is None or settings.role != "gateway" or not settings.file("state").is_dir():
        raise UsageError(f"there is no gateway in `{folder}`", "start it once with `remit up`, or name its folder")
    vault = read_vault(settings.file("handle-key"))
    return _Gateway(settings.file("state"), settings.file("log"), vault, database_of(settings), settings)
