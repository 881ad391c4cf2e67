"""The gateway's single entry point, `act`. Every request gets an answer with a status, never an exception.

(1) form     the request is an act of a known intent, with exactly its inputs
(2) caller   credential and peer identify the caller, session and rights; the rate limit holds
(3) record   write the request into the log
(4) scope    the caller's delegation includes the intent and its destination
(5) serve    perform local intents; preview or commit the others
(6) record   write the end into the log, then answer the caller
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from remit.authority.intents import intents
from remit.core import telemetry
from remit.core.errors import AuditError, AuthorityError, RemitError
from remit.executor.credentials.tokens import Credential, read_credential
from remit.executor.credentials.verifier import Caller, NotBelieved, scope_fault, verify
from remit.gateway import records
from remit.gateway.acts import Act, ActAnswer, ActRefusal, RefusedError, Status, denied, parse_act, read_act
from remit.gateway.effects import AuthenticatedAct, Effects
from remit.gateway.local import Local, serve
from remit.gateway.rate import Buckets
from remit.gateway.transactions import FLIGHT

if TYPE_CHECKING:
    from remit.audit.entry import Entry
    from remit.audit.log import Log
    from remit.gateway.effects import Rules
    from remit.gateway.parties.executor import RemoteExecutor
    from remit.gateway.parties.servers import Servers
    from remit.gateway.transactions import Transactions


class Gateway:
    """A running gateway."""

    def __init__(
        self, rules: Rules, policy: Servers, executor: RemoteExecutor, transactions: Transactions, local: Local, log: Log,
        clock: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self.rules = rules
        self._policy = policy
        self._local = local
        self._log = log
        self._clock = clock
        self._transactions = transactions
        self._buckets = Buckets(rules.rate)
        self._effects = Effects(rules, policy, executor, transactions, local, self._record)

    @property
    def epoch(self) -> int:
        """The epoch of the current policy."""
        return self._policy.given.epoch

    def waiting(self) -> int:
        """Return how many requests wait for an approver."""
        return len(self._transactions.waiting(int(self._clock())))

    def accused(self, named: str, why: str) -> None:
        """Record a failed look-up and the policy server accused of it."""
        self._record(records.accused(named, why))

    async def settle(self, *, first: bool = False) -> int:
        """Ask the executor how unfinished commits ended; return how many are settled.

        `first`: right after a start, for this gateway's own commits of any age.
        """
        now, done = int(self._clock()), 0
        for kept in self._transactions.taken(now - FLIGHT, own=first):
            with contextlib.suppress(AuthorityError):  # the executor is away, and is asked again
                done += await self._effects.settle(kept, now)
        return done

    async def settling(self, every: float = 5.0) -> None:
        """Settle unfinished commits of this and other gateways every few seconds, forever."""
        with contextlib.suppress(RemitError):
            await self.settle(first=True)
        while True:
            await asyncio.sleep(every)
            with contextlib.suppress(RemitError):
                await self.settle()

    async def act(self, shown: Credential | str, said: bytes | dict[str, Any], peer: int | None = None) -> ActAnswer:
        """Answer one request. `peer` is the user id that the kernel reported, if any."""
        call, now = secrets.token_hex(8), int(self._clock())
        asked: AuthenticatedAct | None = None
        try:
            act = read_act(parse_act(said) if isinstance(said, bytes) else said)  # (1)
            credential = _read(shown)
            asked = AuthenticatedAct(self._caller(credential, peer, now), credential.to_json(), act, call, now)  # (2)
            if limited := self._limited(asked):
                return limited
            telemetry.current().note(intent=act.intent, call=call)
            self._record(records.requested(call, asked.caller, act))  # (3)
            _check_scope(asked.caller, act)  # (4)
            answer = await self._serve(asked)  # (5)
        except RefusedError as no:
            answer = denied(no.refused)
        except AuditError:
            answer = denied(ActRefusal("AUDIT_FAILED"))
        except RemitError as error:
            answer = denied(ActRefusal("STORE_FAILED", error.message))
        if answer.status is Status.DENY:
            intent = asked.act.intent if asked is not None else ""
            telemetry.event("ACT_REFUSED", intent=intent, code=answer.reason_code, call=call)
        return self._told(asked, call, answer)  # (6)

    async def _serve(self, asked: AuthenticatedAct) -> ActAnswer:
        act = asked.act
        if intents()[act.intent].effect != "none":
            return await (self._effects.commit(asked) if act.tx_id else self._effects.preview(asked))
        if act.tx_id:
            raise RefusedError("TX_UNKNOWN", "nothing of this intent is committed")
        return serve(self._local, asked.caller, act.intent, act.inputs, asked.now)

    def _caller(self, credential: Credential, peer: int | None, now: int) -> Caller:
        found = verify(credential, self.rules.operators, self._local.revocations.concerning(credential), peer, now)
        if isinstance(found, NotBelieved):
            raise RefusedError(*found)
        return found

    def _limited(self, asked: AuthenticatedAct) -> ActAnswer | None:
        """Return the refusal of a caller above its rate limit.

        Only the first refusal in a row is recorded, so that a flood of requests does not flood the log.
        """
        found = self._buckets.ask(asked.caller.first, int(self._clock() * 1000))
        if not found.early:
            return None
        seconds = -(-found.early // 1000)
        answer = denied(ActRefusal("RATE_LIMIT"))._replace(data={"seconds": seconds})
        return self._told(asked, asked.call, answer) if found.first else answer

    def _told(self, asked: AuthenticatedAct | None, call: str, answer: ActAnswer) -> ActAnswer:
        """Return the answer if it could be recorded, else a refusal.

        An effect that has happened is in the executor's log too.
        """
        try:
            if asked is None:
                self._record(records.refused(call, answer.reason_code))
            else:
                self._record(records.decided(call, asked.caller, asked.act, answer))
        except AuditError:
            if answer.status is not Status.DENY:
                return denied(
                    ActRefusal("OUTCOME_UNKNOWN" if asked is not None and asked.act.tx_id else "AUDIT_FAILED")
                )
        return answer

    def _record(self, entry: Entry) -> None:
        self._log.append(entry)


def _read(shown: Credential | str) -> Credential:
    if not shown:
        raise RefusedError("TOKEN_MISSING")
    try:
        return read_credential(shown) if isinstance(shown, str) else shown
    except AuthorityError as error:
        raise RefusedError("TOKEN_FORM", error.message) from None


def _check_scope(caller: Caller, act: Act) -> None:
    if fault := scope_fault(caller.scope, act.intent, act.inputs):
        raise RefusedError(*fault)
