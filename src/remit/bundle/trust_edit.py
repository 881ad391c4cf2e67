"""Changes to a trust root: each gives a new one that holds together, or says why it would not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from remit.bundle.trust import Revocation, authority
from remit.bundle.trust_read import inconsistency
from remit.bundle.why import Why
from remit.core.errors import TrustError

if TYPE_CHECKING:
    from datetime import datetime

    from remit.bundle.trust import TrustedKey, TrustRoot

_SHORTEST = 8  # characters of a keyid that name it


def checked(root: TrustRoot) -> TrustRoot:
    """The trust root, if it holds together."""
    if problem := inconsistency(root):
        raise TrustError(f"the trust root would not hold together: {problem}", "change something else first")
    return root


def add_key(root: TrustRoot, key: TrustedKey, *, may_rotate: bool) -> TrustRoot:
    """One more key. A key that is there already is not changed: what it may do would change unseen."""
    if root.key(key.keyid):
        message = f"the key {key.keyid} is in the trust root already"
        raise TrustError(message, "edit the file by hand, or revoke the key and add another")
    roots = tuple(sorted((*root.roots, key.keyid))) if may_rotate else root.roots
    return checked(root._replace(keys=(*root.keys, key), roots=roots))


def revoke(root: TrustRoot, named: str, reason: str, at: datetime) -> TrustRoot:
    """A key that counts for nothing from now on. It stays in the file, so that whoever meets its name knows."""
    found = [key for key in root.keys if len(named) >= _SHORTEST and key.keyid.startswith(named)]
    if len(found) != 1:
        many = "more than one key begins" if found else "no key of the trust root begins"
        raise TrustError(f"{many} with `{named}`", f"give the keyid, or its first {_SHORTEST} characters or more")
    if found[0].revoked:
        raise TrustError(f"the key {found[0].keyid} was revoked before", "nothing is to be done")
    changed = found[0]._replace(revoked=Revocation(at, reason))
    return checked(root._replace(keys=tuple(changed if key is found[0] else key for key in root.keys)))


def can_be_rotated(root: TrustRoot, now: datetime) -> bool:
    """Whether enough keys are left, valid now, to sign the next trust root."""
    return sum(not isinstance(authority(root, keyid, now), Why) for keyid in root.roots) >= root.root_threshold
