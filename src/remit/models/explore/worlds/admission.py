"""Model of skill admission (`bundle/admit.py`, `bundle/versions.py`): honest and forged updates, two processes with one
store of admitted versions; meanwhile a key is revoked, or bundles are no longer required.

Admission itself is one step, and remembering what was admitted another one, as in `bundle/verify.py`: a process may be overtaken in between.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.analysis.result import Effects
from remit.bundle import admit, binding, recheck, trust, versions
from remit.bundle.admission_state import Analysed, Inputs
from remit.bundle.canonical import written
from remit.bundle.keys import PrivateKey, ed25519
from remit.bundle.label import label_value
from remit.bundle.proof_evidence import Proofs, unproved
from remit.bundle.prove import ProvingRequest, show, subject_of
from remit.bundle.snapshot import LABEL, STATIC, Snapshot
from remit.bundle.statement import moment
from remit.bundle.trust import Authority, Revocation, TrustedKey, TrustRoot
from remit.bundle.versions import Publication, published
from remit.core.effect import Opaque
from remit.core.location import Location
from remit.manifest.model import Verification
from remit.models.explore.interleave import put
from remit.models.explore.model import Action, Invariant, Model, Mutant, Patch, remembering

if TYPE_CHECKING:
    from remit.bundle.refusal import Refusal


# Bundles as they are offered in `admission`: honest ones, and such as a liar can make who has no key of ours. Folders are in memory, signatures
# are real.
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
    wanted = ProvingRequest(Verification.DECLARED, 0, moment(_NOW.timestamp()), [_key(offer.signer)])
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


OFFERS = (
    *(Offer(version) for version in (1, 2)),
    *(Offer(2, content) for content in ("other content",)),
    *(Offer(2, drift=drift) for drift in ("file", "added", "manifest", "evidence")),
    *(Offer(2, signer=signer) for signer in ("nobody", "stranger", "low")),
    Offer(2, secret=True),
    Offer(2, hides=True),
)


class AdmissionAnswer(NamedTuple):
    """What admission said of an offer, and what stood there then."""

    offer: Offer
    root: Root
    level: Verification
    refused: bool
    before: tuple[int, str] | None = None  # what the store held when it was remembered


class OfferState(NamedTuple):
    """The trust root, the store, and two processes."""

    root: Root = Root()
    seen: tuple[int, str] | None = None  # the newest version that was admitted, and its content
    looked: tuple[AdmissionAnswer | None, ...] = (None, None)  # admitted, and not yet remembered
    last: AdmissionAnswer | None = None  # what a process was told just now


def _judged(seen: tuple[int, str] | None, new: versions.Publication) -> Any:
    """What the store says of something new, without its database."""
    rows = [versions.Admitted(NAME, signer, str(seen[0]), seen[1]) for signer in new.signers] if seen else []
    return versions.judge(rows, new)


class _Admitting:
    """Admission, for one exploration."""

    def __init__(self) -> None:
        self._admit = remembering(self._admitted)

    @staticmethod
    def _admitted(offer: Offer, root: Root, seen: tuple[int, str] | None) -> AdmissionAnswer:
        given = inputs_of(offer, root, lambda new: _judged(seen, new))
        answer = admit.admit(given)
        return AdmissionAnswer(offer, root, answer.level, answer.refused)

    def look(self, world: OfferState) -> Iterator[tuple[Any, OfferState]]:
        """A process looks at what is offered. What holds is then remembered; anything else is told at once."""
        for place, busy in enumerate(world.looked):
            for offer in OFFERS if busy is None else ():
                answer = self._admit(offer, world.root, world.seen)
                if answer.refused or answer.level is Verification.UNVERIFIED:
                    yield (place, offer), world._replace(last=answer)
                else:
                    yield (place, offer), world._replace(looked=put(world.looked, place, answer), last=None)


def _remember(world: OfferState) -> Iterator[tuple[Any, OfferState]]:
    for place, answer in enumerate(world.looked):
        if answer is not None:
            content = offered(answer.offer).content
            why = _judged(world.seen, publication_of(answer.offer, answer.root))
            free = world._replace(looked=put(world.looked, place, None))
            if why is not None:
                yield place, free._replace(last=answer._replace(level=Verification.UNVERIFIED, refused=True))
            else:
                yield (
                    place,
                    free._replace(seen=(answer.offer.version, content), last=answer._replace(before=world.seen)),
                )


def _revoke(world: OfferState) -> Iterator[tuple[Any, OfferState]]:
    if not world.root.revoked:
        yield "the key of ours", world._replace(root=world.root._replace(revoked=True), last=None)


def _demand(world: OfferState) -> Iterator[tuple[Any, OfferState]]:
    yield not world.root.required, world._replace(root=world.root._replace(required=not world.root.required), last=None)


def _actions() -> tuple[Action, ...]:
    return (
        Action("look", _Admitting().look), Action("remember", _remember), Action("revoke", _revoke), Action("bundles are required", _demand),
    )  # fmt: skip


def _held(world: OfferState) -> bool:
    """Whether something was admitted just now, at a level that a bundle shows."""
    return world.last is not None and not world.last.refused and world.last.level is not Verification.UNVERIFIED


def _never_back(world: OfferState) -> bool:
    assert world.last is not None
    offer, before = world.last.offer, world.last.before
    return before is None or offer.version > before[0] or (offer.version, offered(offer).content) == before


def _honest(world: OfferState) -> bool:
    """Whether what was offered is honest and new, in a store that holds nothing newer."""
    if world.last is None or world.last.offer != Offer(2) or world.last.root.revoked:
        return False
    before = world.last.before if _held(world) else world.seen
    return before is None or before[0] < world.last.offer.version


_INVARIANTS = (
    Invariant("signed", "a skill is admitted at a level only if a key of the trust root that is valid, not revoked and allowed this level signed it", _held,
              lambda world: world.last.offer.signer == "ours" and not world.last.root.revoked),
    Invariant("as-it-was-attested", "a skill that is admitted at a level is byte for byte the attested one", _held, lambda world: not world.last.offer.drift),
    Invariant("never-back", "no older version is admitted after a newer one, and no other content under the same version, with concurrent processes too",
              lambda world: _held(world) and world.last.before is not None, _never_back),
    Invariant("cleared", "no skill is admitted at a level if the reader is not cleared for its label",
              lambda world: world.last is not None and world.last.offer.secret, lambda world: not _held(world)),
    Invariant("found-out-again", "a skill that the verifier does not understand is not admitted, whatever its author attests",
              lambda world: world.last is not None and world.last.offer.hides, lambda world: not _held(world)),
    Invariant("required", "if bundles are required, no skill is loaded without a valid one",
              lambda world: world.last is not None and world.last.root.required and world.last.level is Verification.UNVERIFIED,
              lambda world: world.last.refused),
    Invariant("honest-is-admitted", "a newer version that a trusted signer signed is admitted", _honest, _held),
)  # fmt: skip


def _nothing(_: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *_: ()


def _believes(_: Callable[..., Any]) -> Callable[..., Any]:
    def method_a(case: Any) -> tuple[()]:
        case.effects = CLEAN
        return ()

    return method_a


def model() -> Model:
    """The model."""
    mutants = (
        Mutant("looks at no signature", "signed", Patch(binding, "signers", _nothing)),
        Mutant("takes a key that was revoked", "signed", Patch(trust, "authority",
            lambda real: lambda root, keyid, now: real(root._replace(keys=tuple(key._replace(revoked=None) for key in root.keys)), keyid, now))),
        Mutant("compares no digest", "as-it-was-attested", Patch(binding, "digests", _nothing)),
        Mutant("remembers no version", "never-back", Patch(versions, "judge", lambda _: lambda *_: None)),
        Mutant("looks at no clearance", "cleared", Patch(binding, "cleared", lambda _: lambda *_: None)),
        Mutant("believes what the author found", "found-out-again", Patch(recheck, "method_a", _believes)),
        Mutant("loads whatever it finds", "required", Patch(admit, "_admission",
            lambda real: lambda case, reasons, steps: real(case, reasons, steps)._replace(refused=False))),
        Mutant("refuses everything", "honest-is-admitted", Patch(versions, "parse_version", lambda _: lambda _: None)),
    )  # fmt: skip
    return Model(
        "admission", "a skill is admitted only as it was attested, by signers that the trust root names now, never in an older version, and only if the analysis finds it contained again",
        (OfferState(),), _actions, _INVARIANTS, lambda _: False, mutants,
    )  # fmt: skip
