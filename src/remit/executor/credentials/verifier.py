"""Verification of a credential: who the caller is, and what it may do. A pure function of credential, keys, revocations,
peer and time.

(1) the workload token is the operator's, in time, not revoked, and of the user whose process shows it
(2) the first delegation is the operator's
(3) each further one is issued by the subject of its predecessor, signed with the key named there, and names its predecessor;
    it is of the same session, ends no later, and has no right that its predecessor lacks
(4) none has expired, none was revoked, none occurs twice, and the session was not ended
(5) the last one is for the workload
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from remit.authority.intents import intents
from remit.authority.sinks import ANYWHERE, NOWHERE, sink_of
from remit.bundle.keys import PublicKey, public_key
from remit.core.errors import TrustError
from remit.executor.credentials.issuer import FROM_PARENT
from remit.executor.credentials.tokens import (
    LONGEST_CHAIN,
    OPERATOR,
    Credential,
    Delegation,
    Scope,
    SignedDelegation,
    Workload,
)


class Revoked(NamedTuple):
    """Revocations: tokens by issuer and id, and whole sessions."""

    tokens: frozenset[tuple[str, str]] = frozenset()
    sessions: frozenset[str] = frozenset()


class NotBelieved(NamedTuple):
    """Why a credential is refused, or does not cover a request."""

    code: str
    detail: str = ""


class NotBelievedError(Exception):
    """Raised at the first step that does not hold."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.why = NotBelieved(code, detail)


class Caller(NamedTuple):
    """A verified caller. Only `verify` makes one."""

    name: str
    session: str
    scope: Scope
    channel: str  # to which values may be shown: of the first delegate in this session, whoever asks in its name (no name has a blank)
    own: tuple[str, str]  # issuer and id of its delegation
    until: int

    @property
    def first(self) -> str:
        """The subject of the operator's delegation. Delegating further creates no new rights."""
        return self.channel.partition(" ")[0]


def scope_fault(scope: Scope, intent: str, inputs: Mapping[str, Any]) -> NotBelieved | None:
    """Return why a scope does not cover a request, or None."""
    if not {intent, ANYWHERE} & scope.intents:
        return NotBelieved("SCOPE_INTENT")
    sink = sink_of(intents()[intent], inputs)
    if sink == NOWHERE or (sink and not {sink, ANYWHERE} & scope.sinks):
        return NotBelieved("SCOPE_SINK", f"`{sink}`")
    return None


@lru_cache(maxsize=2048)
def _held(key: PublicKey, signature: bytes, data: bytes) -> bool:
    """Return whether a signature holds, cached, since tokens are repeated. Times and revocations are checked each time."""
    return key.holds(signature, data)


@lru_cache(maxsize=2048)
def _signed(token: Workload | Delegation) -> bytes:
    return token.signed()


def verify(
    shown: Credential, operators: Mapping[str, PublicKey], revoked: Revoked, peer: int | None, now: int
) -> Caller | NotBelieved:
    """Return the caller, or why the credential is refused. `peer` is the user id that the kernel reported, if any."""
    try:
        _workload(shown, operators, revoked, peer, now)  # (1)
        chain = shown.delegations
        _first(chain, operators)  # (2)
        for before, after in pairwise(chain):
            _next(before.token, after)  # (3)
        _standing(tuple(one.token for one in chain), revoked, now)  # (4)
    except NotBelievedError as no:
        return no.why
    first, last = chain[0].token, chain[-1].token
    if last.sub != shown.workload.token.sub:  # (5)
        return NotBelieved("TOKEN_CHAIN", "the delegation is for another caller")
    until = min(last.exp, shown.workload.token.exp)
    return Caller(last.sub, last.session, last.scope, f"{first.sub} {first.session}", (last.iss, last.jti), until)


def _workload(
    shown: Credential, operators: Mapping[str, PublicKey], revoked: Revoked, peer: int | None, now: int
) -> None:
    token, signature = shown.workload
    key = operators.get(token.kid)
    if key is None or not _held(key, signature, _signed(token)):
        raise NotBelievedError("TOKEN_SIGNATURE")
    if now >= token.exp:
        raise NotBelievedError("TOKEN_EXPIRED")
    if (OPERATOR, token.jti) in revoked.tokens:
        raise NotBelievedError("TOKEN_REVOKED")
    if token.sub == OPERATOR or (token.uid >= 0 and token.uid != peer):
        raise NotBelievedError("PEER_DIFFERS")


def _first(chain: tuple[SignedDelegation, ...], operators: Mapping[str, PublicKey]) -> None:
    if not 1 <= len(chain) <= LONGEST_CHAIN:
        raise NotBelievedError("TOKEN_CHAIN", "there is no delegation, or there are too many")
    token, signature = chain[0]
    if token.iss != OPERATOR or token.parent:
        raise NotBelievedError("TOKEN_CHAIN", "the first delegation is not the operator's")
    key = operators.get(token.kid)
    if key is None or not _held(key, signature, _signed(token)):
        raise NotBelievedError("TOKEN_SIGNATURE")


def _next(before: Delegation, one: SignedDelegation) -> None:
    token, signature = one
    if (token.kid, token.iss, token.parent, token.session) != (FROM_PARENT, before.sub, before.jti, before.session):
        raise NotBelievedError("TOKEN_CHAIN", "a delegation does not follow the one before it")
    if token.exp > before.exp or not token.scope.within(before.scope):
        raise NotBelievedError("TOKEN_CHAIN", "a delegation gives more than its issuer has")
    if not before.key:
        raise NotBelievedError("TOKEN_CHAIN", f"`{before.sub}` may not delegate")
    try:
        key = public_key(bytes.fromhex(before.key))
    except TrustError:
        raise NotBelievedError("TOKEN_FORM") from None
    if not _held(key, signature, _signed(token)):
        raise NotBelievedError("TOKEN_SIGNATURE")


def _standing(chain: tuple[Delegation, ...], revoked: Revoked, now: int) -> None:
    if len({token.jti for token in chain}) != len(chain) or any(token.sub == OPERATOR for token in chain):
        raise NotBelievedError("TOKEN_CHAIN", "a delegation occurs twice, or is for the operator")
    for token in chain:
        if now >= token.exp:
            raise NotBelievedError("TOKEN_EXPIRED")
        if (token.iss, token.jti) in revoked.tokens:
            raise NotBelievedError("TOKEN_REVOKED")
    if chain[0].session in revoked.sessions:
        raise NotBelievedError("SESSION_REVOKED")
