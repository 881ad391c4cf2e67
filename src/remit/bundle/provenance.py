"""The provenance of a skill: signatures of third parties beside its SKILL.md.

`skill.oms.sig` signs the whole folder; `NAME.sigstore.json` and `NAME.sigstore` sign the file NAME, or hold a statement about
files. They identify who made the skill, not what it can do, so they raise no level.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from remit.bundle.dsse import IN_TOTO, MAX_BYTES, envelope_in
from remit.bundle.keyless import verify_keyless
from remit.bundle.oms import NAME as OMS
from remit.bundle.oms import Folder, Verified, verify_oms
from remit.bundle.refusal import Refusal, refuse
from remit.bundle.snapshot import FOLDER as EVIDENCE
from remit.bundle.snapshot import Snapshot
from remit.core.errors import BundleError, RemitError
from remit.manifest import fields as f
from remit.manifest.read import read_document

if TYPE_CHECKING:
    from datetime import datetime

    from remit.bundle.trust import TrustRoot

SUFFIXES = (".sigstore.json", ".sigstore")
MOST = 20  # signatures that are judged; each costs a moment


class SignatureStatus(StrEnum):
    """The validity of a signature."""

    VERIFIED = "verified"
    UNTRUSTED = "untrusted"  # the trust root does not vouch for the signer
    REFUSED = "refused"


class Provenance(NamedTuple):
    """One signature: its file, its validity, and its signer or the reason."""

    file: str
    standing: SignatureStatus
    said: str
    code: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.standing}{f' ({self.code})' if self.code else ''}, {self.said}"


def provenance(held: Snapshot, root: TrustRoot, now: datetime) -> tuple[Provenance, ...]:
    """Return every third-party signature. Evidence may be signed with the rest or not: the attestation binds it."""
    evidence = {f"{EVIDENCE}/{name}": hashlib.sha256(data).hexdigest() for name, data in held.evidence.items()}
    folder = Folder({**held.files, **evidence}, frozenset(held.links))
    names = sorted(name for name in folder.files if name == OMS or ("/" not in name and name.endswith(SUFFIXES)))
    found = [
        _judged(name, _SignatureContext(folder, held.beside, frozenset(evidence), root, now)) for name in names[:MOST]
    ]
    if len(names) > MOST:
        why = refuse("provenance-unjudged", f"more than {MOST} signatures are next to SKILL.md")
        found.append(Provenance(names[MOST], SignatureStatus.REFUSED, why.reason, why.code))
    return tuple(found)


class _SignatureContext(NamedTuple):
    """What signatures are checked against."""

    folder: Folder
    beside: Mapping[str, bytes]  # the files beside SKILL.md that are small enough to be kept
    evidence: frozenset[str]
    root: TrustRoot
    now: datetime


def _judged(name: str, given: _SignatureContext) -> Provenance:
    data = given.beside.get(name)
    try:
        if data is None or len(data) > MAX_BYTES:
            return _refused(name, refuse("provenance-unjudged", "it is too large"))
        if name != OMS:
            return _sigstore(name, data, given)
        outcome = verify_oms(data, given.folder, given.root, given.now, besides=given.evidence)
    except RemitError as error:
        return _refused(name, refuse("provenance-unjudged", error.message))
    if isinstance(outcome, Refusal):
        return _refused(name, outcome)
    if isinstance(outcome, Verified):
        besides = f", {len(outcome.unsigned)} left out" if outcome.unsigned else ""
        return Provenance(
            name, SignatureStatus.VERIFIED, f"{outcome.files} files signed by `{outcome.signer}`{besides}"
        )
    return Provenance(name, SignatureStatus.UNTRUSTED, outcome.reason)


def _refused(name: str, why: Refusal) -> Provenance:
    standing = SignatureStatus.UNTRUSTED if why.code == "keyless-identity" else SignatureStatus.REFUSED
    return Provenance(name, standing, why.reason, why.code)


def _sigstore(name: str, data: bytes, given: _SignatureContext) -> Provenance:
    reader, top = read_document(data, name, BundleError)
    if isinstance(top.value, dict) and "dsseEnvelope" in top.value:
        payload = envelope_in(reader, top.value["dsseEnvelope"], IN_TOTO).payload
        vouched = verify_keyless(data, given.root)
        if not isinstance(vouched, Refusal) and vouched.payload != payload:
            vouched = refuse("keyless-invalid", "two readers of the bundle found two statements")
        about = None if isinstance(vouched, Refusal) else _subjects(vouched.payload, given.folder)
    else:
        signed = next(name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix))
        if signed not in given.beside:
            return _refused(name, refuse("keyless-subject", f"there is no file `{signed}` that it could sign"))
        vouched, about = verify_keyless(data, given.root, given.beside[signed]), (signed,)
    if isinstance(vouched, Refusal):
        return _refused(name, vouched)
    if isinstance(about, Refusal):
        return _refused(name, about)
    files = ", ".join(f"`{path}`" for path in (about or ())[:5]) + ("…" if len(about or ()) > 5 else "")
    return Provenance(name, SignatureStatus.VERIFIED, f"{files} signed by `{vouched.identity.identity}`")


def _subjects(payload: bytes, folder: Folder) -> tuple[str, ...] | Refusal:
    """Return the files of a statement, if all of them are here with the named content."""
    reader, top = read_document(payload, "the statement", BundleError)
    listed = top.value.get("subject") if isinstance(top.value, dict) else None
    if listed is None:
        return refuse("keyless-subject", "the statement has no subject")
    found = []
    for item in f.items(reader, listed, "subject", f.ENTRIES, empty=False):
        digest = item.value.get("digest") if isinstance(item.value, dict) else None
        sha256 = digest.value.get("sha256") if digest is not None and isinstance(digest.value, dict) else None
        if not isinstance(item.value, dict) or sha256 is None or "name" not in item.value:
            return refuse("keyless-subject", "a subject has no name or no SHA-256")
        path = f.text(reader, item.value["name"], "name", f.LONG)
        if path not in folder.files or folder.files[path] != f.text(reader, sha256, "sha256", f.NAME):
            return refuse("keyless-subject", f"`{f.shown(path)}` is not here, or not as it was signed")
        found.append(path)
    return tuple(found)
