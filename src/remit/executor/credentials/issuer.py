"""Issuing tokens: by the operator, or by the holder of a delegation with a key."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.core.errors import AuthorityError
from remit.executor.credentials.tokens import (
    LONGEST_CHAIN,
    OPERATOR,
    Credential,
    Delegation,
    Scope,
    SignedDelegation,
    SignedWorkload,
    Workload,
    parse_credential,
)

if TYPE_CHECKING:
    from remit.authority.values.proof import Signer

FROM_PARENT = "-"


def scope(intents: Iterable[str], sinks: Iterable[str] = ()) -> Scope:
    """Return a scope."""
    return Scope(frozenset(intents), frozenset(sinks))


def workload(kid: str, signer: Signer, sub: str, *, exp: int, uid: int = -1) -> SignedWorkload:
    """Sign, as the operator, that a process is `sub`."""
    if sub == OPERATOR:
        raise AuthorityError(f"`{OPERATOR}` is the operator's own name", "give the process another one")
    token = Workload(kid, sub, uid, exp, secrets.token_hex(16))
    return SignedWorkload(token, signer.sign(token.signed()))


def grant(
    kid: str, signer: Signer, sub: str, rights: Scope, session: str, *, exp: int, key: str = ""
) -> SignedDelegation:
    """Sign a delegation as the operator. Every chain begins with one."""
    token = Delegation(kid, OPERATOR, sub, key, rights, session, exp, secrets.token_hex(16), "")
    return SignedDelegation(token, signer.sign(token.signed()))


def delegate(
    chain: tuple[SignedDelegation, ...], signer: Signer, sub: str, rights: Scope, *, exp: int, key: str = ""
) -> tuple[SignedDelegation, ...]:
    """Extend a chain, as the holder of its last delegation. Rights that exceed that one can be written, but verification
    refuses them.
    """
    if not chain or len(chain) >= LONGEST_CHAIN:
        raise AuthorityError(
            f"a chain has from 1 to {LONGEST_CHAIN} delegations", "ask the operator for one of your own"
        )
    last = chain[-1].token
    token = Delegation(FROM_PARENT, last.sub, sub, key, rights, last.session, exp, secrets.token_hex(16), last.jti)
    return (*chain, SignedDelegation(token, signer.sign(token.signed())))


def credential(who: SignedWorkload, chain: tuple[SignedDelegation, ...]) -> Credential:
    """Return a credential; AuthorityError if a part of it is malformed."""
    return parse_credential(Credential(who, chain).to_json())
