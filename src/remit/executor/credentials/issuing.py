"""How tokens are made: by the operator, and by whoever has a delegation with a key."""

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
    """Rights."""
    return Scope(frozenset(intents), frozenset(sinks))


def workload(kid: str, signer: Signer, sub: str, *, exp: int, uid: int = -1) -> SignedWorkload:
    """The operator's word that a process is `sub`."""
    if sub == OPERATOR:
        raise AuthorityError(f"`{OPERATOR}` is the operator's own name", "give the process another one")
    token = Workload(kid, sub, uid, exp, secrets.token_hex(16))
    return SignedWorkload(token, signer.sign(token.signed()))


def grant(
    kid: str, signer: Signer, sub: str, rights: Scope, session: str, *, exp: int, key: str = ""
) -> SignedDelegation:
    """The operator's delegation, with which every chain begins."""
    token = Delegation(kid, OPERATOR, sub, key, rights, session, exp, secrets.token_hex(16), "")
    return SignedDelegation(token, signer.sign(token.signed()))


def delegate(
    chain: tuple[SignedDelegation, ...], signer: Signer, sub: str, rights: Scope, *, exp: int, key: str = ""
) -> tuple[SignedDelegation, ...]:
    """A longer chain, by whoever holds the last delegation of one. More than it has can be written, and is refused when it is shown."""
    if not chain or len(chain) >= LONGEST_CHAIN:
        raise AuthorityError(
            f"a chain has from 1 to {LONGEST_CHAIN} delegations", "ask the operator for one of your own"
        )
    last = chain[-1].token
    token = Delegation(FROM_PARENT, last.sub, sub, key, rights, last.session, exp, secrets.token_hex(16), last.jti)
    return (*chain, SignedDelegation(token, signer.sign(token.signed())))


def credential(who: SignedWorkload, chain: tuple[SignedDelegation, ...]) -> Credential:
    """What a caller shows; AuthorityError if a part of it can not be read again."""
    return parse_credential(Credential(who, chain).to_json())
