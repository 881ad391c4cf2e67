"""The trust root: which signers count, for what and until when; and the clearance of its reader.

Values and pure functions; the time is an argument. The file is read and written by `trust_read.py` and
`trust_write.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from remit.bundle.names import covers
from remit.bundle.refusal import Refusal, refuse
from remit.core.capability import matches
from remit.manifest.model import Classification, Verification

if TYPE_CHECKING:
    from datetime import datetime

    from remit.bundle.keys import PublicKey

_LEVELS = tuple(Verification)  # the least first
UNLABELLED = Classification("unlabelled", 0)  # a skill without a label is public


class Clearance(NamedTuple):
    """The clearance of a reader: a maximum rank, compartments, and its releasability names."""

    rank: int = 0
    compartments: tuple[str, ...] = ()
    releasability: tuple[str, ...] = ()


class Authority(NamedTuple):
    """What a signer may attest.

    `releasability`, if it is not empty, lists all readers to whom the signer may release: a label must then name some of them
    and no others.
    """

    name: str
    level: Verification  # the highest that it may attest
    rank: int = 0  # the highest that it may speak for
    compartments: tuple[str, ...] = ()
    releasability: tuple[str, ...] = ()


class Revocation(NamedTuple):
    """When a key was found to be untrustworthy, and why."""

    at: datetime
    reason: str


class TrustedKey(NamedTuple):
    """A key of a trust root.

    `skills`, if it is not empty, names all skills that it may sign (`names.py`). A key without names signs any skill that no other key
    names.
    """

    public: PublicKey
    authority: Authority
    not_before: datetime | None = None
    not_after: datetime | None = None
    revoked: Revocation | None = None
    skills: tuple[str, ...] = ()

    @property
    def keyid(self) -> str:
        """The key id."""
        return self.public.keyid


class Anchor(NamedTuple):
    """A certificate authority, or the public key of a model signer, as PEM; and what signatures under it may attest.

    `subjects`, if it is not empty, names the only subjects whose certificates count.
    """

    pem: str
    authority: Authority
    subjects: tuple[str, ...] = ()


class Identity(NamedTuple):
    """An identity that may sign without its own key, and its issuer."""

    identity: str
    issuer: str
    authority: Authority


class TrustRoot(NamedTuple):
    """A trust root. Every instance is consistent: keyids match their keys, and thresholds can be reached."""

    version: int
    keys: tuple[TrustedKey, ...] = ()
    threshold: int = 1  # keys that must have signed a bundle
    require_bundle: bool = False
    clearance: Clearance = Clearance()
    minimum_level: tuple[tuple[str, Verification], ...] = ()  # by capability or pattern, sorted
    roots: tuple[str, ...] = ()  # keyids that may sign the next trust root
    root_threshold: int = 1
    certificates: tuple[Anchor, ...] = ()
    identities: tuple[Identity, ...] = ()
    sigstore_root: str = ""  # the text of a trusted root of Sigstore, without which identities count for nothing
    unlimited_grants: int | None = None  # that a skill with `formal` may have at most; None: any number

    @property
    def public_keys(self) -> Mapping[str, PublicKey]:
        """All keys by keyid, whatever their authority."""
        return {key.keyid: key.public for key in self.keys}

    def key(self, keyid: str) -> TrustedKey | None:
        """Return the key with a keyid."""
        return next((key for key in self.keys if key.keyid == keyid), None)


class Endorsed(NamedTuple):
    """Enough signers endorse a bundle: which ones, up to which level, and why others do not count."""

    signers: tuple[str, ...]  # keyids
    level: Verification
    refused: tuple[Refusal, ...] = ()


class NotEndorsed(NamedTuple):
    """Too few signers endorse a bundle: the reason, and why each one does not count."""

    why: Refusal
    refused: tuple[Refusal, ...] = ()


Endorsement: TypeAlias = "Endorsed | NotEndorsed"


def authority(root: TrustRoot, keyid: str, now: datetime) -> Authority | Refusal:
    """Return what a key may attest at a time.

    A revoked key never counts, whatever the time of its signature, because a thief can backdate signatures.
    """
    key = root.key(keyid)
    if key is None:
        return refuse("signer-unknown", f"there is no key {keyid} in the trust root")
    named = f"the key {keyid} (`{key.authority.name}`)"
    if key.revoked is not None:
        return refuse("key-revoked", f"{named} was revoked on {key.revoked.at:%Y-%m-%d}: {key.revoked.reason}")
    if key.not_before is not None and now < key.not_before:
        return refuse("key-not-yet-valid", f"{named} is valid from {key.not_before:%Y-%m-%d}")
    if key.not_after is not None and now >= key.not_after:
        return refuse("key-expired", f"{named} has expired on {key.not_after:%Y-%m-%d}")
    return key.authority


def may_sign(root: TrustRoot, keyid: str, skill: str, now: datetime) -> Refusal | None:
    """Return why a valid key may not sign a skill of this name, or None."""
    key = root.key(keyid)
    assert key is not None
    if key.skills:
        names = ", ".join(f"`{name}`" for name in key.skills)
        return (
            None
            if covers(key.skills, skill)
            else refuse("signer-scope", f"`{key.authority.name}` signs {names}, not `{skill}`")
        )
    for other in root.keys:
        if covers(other.skills, skill) and not isinstance(authority(root, other.keyid, now), Refusal):
            reason = (
                f"`{skill}` is a name of `{other.authority.name}`; `{key.authority.name}` signs what no other key names"
            )
            return refuse("signer-scope", reason)
    return None


def speaks_for(signer: Authority, label: Classification | None) -> Refusal | None:
    """Return why a signer may not attest a label, or None."""
    label = label or UNLABELLED
    if label.rank > signer.rank:
        return refuse(
            "signer-rank", f"`{signer.name}` speaks for ranks up to {signer.rank}, the label has {label.rank}"
        )
    if beyond := sorted(set(label.compartments) - set(signer.compartments)):
        return refuse("signer-compartments", f"`{signer.name}` does not speak for the compartment `{beyond[0]}`")
    if signer.releasability:
        if not label.releasability:
            reason = f"`{signer.name}` may not release to everyone, and the label names no readers"
            return refuse("signer-releasability", reason)
        if beyond := sorted(set(label.releasability) - set(signer.releasability)):
            return refuse("signer-releasability", f"`{signer.name}` may not release to `{beyond[0]}`")
    return None


def cleared(clearance: Clearance, label: Classification | None) -> Refusal | None:
    """Return why a clearance does not dominate a label, or None."""
    label = label or UNLABELLED
    if label.rank > clearance.rank:
        return refuse("clearance-rank", f"the label `{label.label}` has rank {label.rank}, the reader {clearance.rank}")
    if beyond := sorted(set(label.compartments) - set(clearance.compartments)):
        return refuse("clearance-compartments", f"the reader is not cleared for `{beyond[0]}`")
    if label.releasability and not set(label.releasability) & set(clearance.releasability):
        names = ", ".join(f"`{name}`" for name in label.releasability)
        return refuse("clearance-releasability", f"the label is releasable to {names} only")
    return None


class Claim(NamedTuple):
    """What a bundle claims: a level, for a skill of some name with some label."""

    skill: str
    label: Classification | None
    level: Verification


def endorse(root: TrustRoot, held: Iterable[str], claim: Claim, now: datetime) -> Endorsement:
    """Return which keys with valid signatures endorse a bundle, and up to which level.

    The level is the highest, up to the claimed one, that as many keys as the threshold asks for may attest.
    """
    able: dict[str, Authority] = {}
    refused: list[Refusal] = []
    for keyid in dict.fromkeys(held):
        found = authority(root, keyid, now)
        why = (
            found
            if isinstance(found, Refusal)
            else speaks_for(found, claim.label) or may_sign(root, keyid, claim.skill, now)
        )
        if why is None and isinstance(found, Authority):
            able[keyid] = found
        elif why is not None:
            refused.append(why)
    if len(able) < root.threshold:
        if len(refused) == 1 and root.threshold == 1:
            return NotEndorsed(refused[0])
        reason = f"{len(able)} of {root.threshold} signatures count"
        return NotEndorsed(refuse("too-few-signatures", reason), tuple(refused))
    reached = sorted((height(signer.level) for signer in able.values()), reverse=True)[root.threshold - 1]
    level = lower(claim.level, _LEVELS[reached])
    if level is not claim.level:
        refused.append(refuse("signer-level", f"the signers may attest up to `{level}`, `{claim.level}` is claimed"))
    return Endorsed(tuple(able), level, tuple(refused))


def height(level: Verification) -> int:
    """Return the rank of a level."""
    return _LEVELS.index(level)


def lower(one: Verification, other: Verification) -> Verification:
    """Return the lower of two levels."""
    return min(one, other, key=height)


def minimum_for(root: TrustRoot, capability: str) -> Verification:
    """Return the level below which a capability is denied: the highest that an entry of the trust root requires."""
    asked = [level for pattern, level in root.minimum_level if matches(pattern, capability)]
    return max(asked, key=height, default=Verification.UNVERIFIED)
