"""Edits of a trust root. Each returns a new consistent one, or raises an error."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from remit.bundle.refusal import Refusal
from remit.bundle.trust import Revocation, TrustedKey, TrustRoot, authority
from remit.bundle.trust_read import inconsistency
from remit.core.errors import TrustError

if TYPE_CHECKING:
    from datetime import datetime


_SHORTEST = 8  # characters of a keyid that name it


def checked(root: TrustRoot) -> TrustRoot:
    """Return the trust root if it is consistent."""
    if problem := inconsistency(root):
        raise TrustError(f"the trust root would not hold together: {problem}", "change something else first")
    return root


def add_key(root: TrustRoot, key: TrustedKey, *, may_rotate: bool) -> TrustRoot:
    """Add a key. An existing key is not changed, because its rights would change unnoticed."""
    if root.key(key.keyid):
        message = f"the key {key.keyid} is in the trust root already"
        raise TrustError(message, "edit the file by hand, or revoke the key and add another")
    roots = tuple(sorted((*root.roots, key.keyid))) if may_rotate else root.roots
    return checked(root._replace(keys=(*root.keys, key), roots=roots))


def set_skills(root: TrustRoot, named: str, skills: Iterable[str]) -> TrustRoot:
    """Restrict a key to skills of these names."""
    key = _named(root, named)
    return _with(root, key, key._replace(skills=tuple(sorted(set(skills)))))


def revoke(root: TrustRoot, named: str, reason: str, at: datetime) -> TrustRoot:
    """Revoke a key. It stays in the file, so that readers recognise it."""
    key = _named(root, named)
    if key.revoked:
        raise TrustError(f"the key {key.keyid} was revoked before", "nothing to do")
    return _with(root, key, key._replace(revoked=Revocation(at, reason)))


def _with(root: TrustRoot, old: TrustedKey, new: TrustedKey) -> TrustRoot:
    return checked(root._replace(keys=tuple(new if key is old else key for key in root.keys)))


def _named(root: TrustRoot, named: str) -> TrustedKey:
    found = [key for key in root.keys if len(named) >= _SHORTEST and key.keyid.startswith(named)]
    if len(found) != 1:
        many = "more than one key begins" if found else "no key of the trust root begins"
        raise TrustError(f"{many} with `{named}`", f"give the keyid, or its first {_SHORTEST} characters or more")
    return found[0]


def can_be_rotated(root: TrustRoot, now: datetime) -> bool:
    """Return whether enough valid keys remain to sign the next trust root."""
    return sum(not isinstance(authority(root, keyid, now), Refusal) for keyid in root.roots) >= root.root_threshold
