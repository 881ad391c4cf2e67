"""The key by which a policy server is known, in the form that its profile has.

`ed25519`      the server signs, and the executor knows its public key: a proof is evidence to others too
`hmac-sha256`  server and executor share a key of 32 bytes: who can verify can sign, so that only the executor is convinced by it
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.authority.values.proof import HMAC, SharedKey
from remit.bundle.files import read_small
from remit.bundle.keys import read_private, read_public
from remit.core.errors import AuthorityError
from remit.executor.accept import HeldKey

if TYPE_CHECKING:
    from pathlib import Path

    from remit.authority.values.proof import Signer

SHARED_BYTES = 32


def read_held(profile: str, path: Path) -> HeldKey:
    """As the executor holds it."""
    return HeldKey(profile, _shared(path) if profile == HMAC else read_public(path).key)


def read_signer(profile: str, path: Path) -> Signer:
    """As the server holds it."""
    return _shared(path) if profile == HMAC else read_private(path)


def _shared(path: Path) -> SharedKey:
    """A key that others can open is refused: with it they would sign."""
    return SharedKey(read_small(path, "the shared key", SHARED_BYTES, AuthorityError, private=True))
