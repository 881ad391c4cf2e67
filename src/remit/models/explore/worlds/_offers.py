"""Bundles as they are offered in `admission`: honest ones, and such as a liar can make who has no key of ours. Folders are in memory, signatures
are real."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from remit.analysis.result import Effects
from remit.bundle.admission_state import Analysed, Inputs
from remit.bundle.canonical import written
from remit.bundle.keys import PrivateKey, ed25519
from remit.bundle.label import label_value
from remit.bundle.proof_evidence import Proofs, unproved
from remit.bundle.prove import Wanted, show, subject_of
from remit.bundle.snapshot import LABEL, STATIC, Snapshot
from remit.bundle.statement import moment
from remit.bundle.trust import Authority, Revocation, TrustedKey, TrustRoot
from remit.bundle.versions import Publication, published
from remit.core.effect import Opaque
from remit.core.location import Location
from remit.manifest.model import Verification

if TYPE_CHECKING:
    from remit.bundle.refusal import Refusal

NAME = "demo"
_NOW = datetime(2027, 6, 1, tzinfo=UTC)
CLEAN = Effects(NAME, ".", (), (), (), 1, 0, 0)
_HIDES = Effects(NAME, ".", (), (Opaque("nobody understands it", Location("run.py", 1)),), (), 1, 0, 1)


class Offer(NamedTuple):
    """A skill with its bundle. `signer`: nobody, one of ours, a stranger, or one of ours whose word is good for nothing secret."""

    version: int
    content: str = "as it was"  # other content under the same version is another skill
    signer: str = "ours"
    secret: bool = False  # its label
    drift: str = ""  # what was changed after it was signed, the label too if it would tell: `file`, `added`, `manifest`, `evidence`
    hides: bool = False  # what it does is not understood, and it attests that it does nothing


class Root(NamedTuple):
    """The trust root of a moment."""

    revoked: bool = False  # the key of ours
    required: bool = True  # nothing is loaded without a bundle


@cache
def _key(name: str) -> PrivateKey:
    return PrivateKey(ed25519().Ed25519PrivateKey.from_private_bytes(sha256(name.encode()).digest()))


@cache
def root_of(known: Root) -> TrustRoot:
    """As admission takes it. The reader is cleared for what is open."""
    revoked = Revocation(_NOW, "it was stolen") if known.revoked else None
    ours = TrustedKey(_key("ours").public, Authority("ours", Verification.FORMAL, 9), revoked=revoked)
    low = TrustedKey(_key("low").public, Authority("low", Verification.UNVERIFIED))
    return TrustRoot(1, (ours, low), require_bundle=known.required)


def _folder(files: dict[str, bytes], evidence: dict[str, bytes]) -> Snapshot:
    digests = {path: sha256(data).hexdigest() for path, data in files.items()}
    content = "sha256:" + sha256(repr(sorted(digests.items())).encode()).hexdigest()
    return Snapshot(
        digests, (), {}, evidence, (), (), (), {path: data for path, data in files.items() if "/" not in path}, content
    )


def _no_proofs(*_: object) -> Proofs:
    return Proofs(unproved("not here"), unproved("not here"))


@cache
def offered(offer: Offer) -> Snapshot:
    """The folder."""
    label = {"label": "secret", "rank": 3} if offer.secret else {"label": "open", "rank": 0}
    manifest = {
        "skill_metadata": {"name": NAME, "version": str(offer.version), "classification": label},
        "permissions": [],
    }
    files = {
        "SKILL.md": b"---\nname: demo\ndescription: d\n---\n", "run.py": offer.content.encode(), "remit.json": json.dumps(manifest).encode(),
    }  # fmt: skip
    if offer.signer == "nobody":
        return _folder(files, {})
    wanted = Wanted(Verification.DECLARED, 0, moment(_NOW.timestamp()), [_key(offer.signer)])
    made = show(subject_of(_folder(files, {})), Analysed(CLEAN), wanted, _no_proofs).files
    evidence = dict(made or {})
    match offer.drift:
        case "file":
            files["run.py"] = b"something else"
            evidence[LABEL] = written(label_value(CLEAN, (), _folder(files, {}).content))  # anyone can make it anew
        case "added":
            files["more.py"] = b"more"
            del evidence[LABEL]  # as if it was made before there were labels
        case "manifest":
            files["remit.json"] += b" "
            files["remit.json"] = files["remit.json"].replace(
                b'"permissions": []', b'"permissions": [{"capability": "file.read", "scope": "*"}]'
            )
        case "evidence":
            evidence[STATIC] += b" "
    return _folder(files, evidence)


def publication_of(offer: Offer, root: Root) -> Publication:
    """An offer of ours, as the store is asked about it."""
    signers = (_key(offer.signer).public.keyid,)
    return published(root_of(root), NAME, str(offer.version), offered(offer).content, signers, _NOW)


def inputs_of(offer: Offer, root: Root, seen: Callable[[Publication], Refusal | None]) -> Inputs:
    """What admission is given."""
    found = Analysed(_HIDES if offer.hides else CLEAN)
    return Inputs(offered(offer), root_of(root), _NOW, seen, lambda: found, _no_proofs)
