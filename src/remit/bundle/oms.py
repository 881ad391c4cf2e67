"""Verification of OpenSSF model signatures (`skill.oms.sig`): whether they sign this folder, and by whom.

`Verified` means that every file of the folder was signed, by a signer that the trust root names. It says
nothing of what the skill can do.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.bundle.certificates import crypto, holds, public_key_of, read_chain
from remit.bundle.keyless import verify_keyless
from remit.bundle.oms_read import Signed, read_oms
from remit.bundle.refusal import Refusal, refuse

if TYPE_CHECKING:
    from datetime import datetime

    from remit.bundle.trust import Anchor, Authority, TrustRoot

NAME = "skill.oms.sig"
# What a signer may leave out: files by which repositories are kept. They are listed in the result, not passed over.
KEEPING = (".git", ".gitattributes", ".gitignore", ".github")

Refused: TypeAlias = Refusal


class Verified(NamedTuple):
    """The folder is the signed one, and the trust root names the signer."""

    signer: str  # the subject of the certificate, the name of the key, or the identity
    authority: Authority
    fingerprint: str  # SHA-256 of the certificate or key
    name: str  # what the signer calls the folder
    files: int
    unsigned: tuple[str, ...]  # files that were left out, and may be


class Untrusted(NamedTuple):
    """The folder is the signed one, and the trust root does not name the signer."""

    signer: str  # what it calls itself
    reason: str


Outcome: TypeAlias = "Verified | Untrusted | Refused"


class Folder(NamedTuple):
    """The digest of each file in a folder, and the links."""

    files: Mapping[str, str]
    links: frozenset[str]


def verify_oms(
    data: bytes,
    folder: Folder,
    root: TrustRoot,
    now: datetime,
    *,
    own: str = NAME,
    besides: frozenset[str] = frozenset(),
) -> Outcome:
    """Verify a signature over a folder. `own` is its path there; `besides` are files that another signature covers."""
    crypto()
    # (1) It is well formed, and its subject is the list of files.
    signed = read_oms(data, own)
    if isinstance(signed, Refusal):
        return signed
    # (2) The certificates hold together, and the signature holds.
    found = _signer(signed, data, root, now)
    if isinstance(found, Refusal):
        return found
    # (3) The folder holds what was signed, and nothing else.
    unsigned = _compare(signed, folder, frozenset((own, *besides)))
    if isinstance(unsigned, Refusal):
        return unsigned
    # (4) The trust root vouches for the signer.
    if found.authority is None:
        return Untrusted(found.name, f"the trust root does not vouch for {found.name}")
    return Verified(found.name, found.authority, found.fingerprint, signed.name, len(signed.files), unsigned)


class _Signer(NamedTuple):
    """The signer, and what the trust root says of it; None if it says nothing."""

    name: str
    authority: Authority | None = None
    fingerprint: str = ""


def _signer(signed: Signed, data: bytes, root: TrustRoot, now: datetime) -> _Signer | Refusal:
    if not signed.material.certificates:
        return _pinned_key(signed, root.certificates)
    if signed.material.logged and (root.identities or not root.certificates):
        return _keyless(signed, data, root)
    chain = read_chain(signed.material.certificates, root.certificates, now)
    if isinstance(chain, Refusal):
        return chain
    if not holds(chain.key, signed.envelope.signatures[0].sig, signed.envelope.pae):
        return refuse("signature-invalid", f"the signature of `{chain.subject}` does not hold")
    return _Signer(chain.subject, chain.anchor.authority if chain.anchor else None, chain.fingerprint)


def _keyless(signed: Signed, data: bytes, root: TrustRoot) -> _Signer | Refusal:
    """Verify a short-lived certificate, with a log entry from its lifetime."""
    vouched = verify_keyless(data, root)
    if isinstance(vouched, Refusal):
        return _Signer("the signer of the bundle") if vouched.code == "keyless-identity" else vouched
    if vouched.payload != signed.envelope.payload:
        return refuse("keyless-invalid", "two readers of the bundle found two statements")
    fingerprint = hashlib.sha256(signed.material.certificates[0]).hexdigest()
    return _Signer(vouched.identity.identity, vouched.identity.authority, fingerprint)


def _pinned_key(signed: Signed, anchors: tuple[Anchor, ...]) -> _Signer | Refusal:
    """Verify with a key of the trust root. The hint is not trusted: only the signature identifies the key."""
    hint = signed.material.hint
    for anchor in anchors:
        key = public_key_of(anchor)
        fingerprint = hashlib.sha256(anchor.pem.encode()).hexdigest()
        if key is not None and holds(key, signed.envelope.signatures[0].sig, signed.envelope.pae):
            return _Signer(anchor.authority.name, anchor.authority, fingerprint)
        if key is not None and hint == fingerprint:
            return refuse("signature-invalid", f"the signature of `{anchor.authority.name}` does not hold")
    return _Signer(f"the key {hint}")


def _compare(signed: Signed, folder: Folder, exempt: frozenset[str]) -> tuple[str, ...] | Refusal:
    listed = dict(signed.files)
    if folder.links and not signed.links_allowed:
        return refuse("oms-link", f"`{min(folder.links)}` is a symbolic link")
    for path, digest in signed.files:
        here = folder.files.get(path)
        if here is None:
            return refuse("oms-file-missing", f"`{path}` was signed and is not there")
        if here != digest:
            return refuse("oms-file-changed", f"`{path}` is not the file that was signed")
    others = sorted((folder.files.keys() | folder.links) - listed.keys() - exempt)
    left_out = {name for name in signed.ignored if name in KEEPING}
    for path in others:
        if path.split("/")[0] not in left_out:
            return refuse("oms-file-unsigned", f"`{path}` was not signed")
    return tuple(others)
