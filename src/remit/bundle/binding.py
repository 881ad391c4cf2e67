"""Steps 1 to 5 of admission: what is bound to the skill, by which signers, and for which readers. Cheap, and before any
proof.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import TYPE_CHECKING

from remit.bundle.admission_state import AdmissionState, FailedStep
from remit.bundle.codes import Reason, reason
from remit.bundle.dsse import read_envelope, render_envelope, verify
from remit.bundle.provenance import provenance
from remit.bundle.snapshot import ATTEST, LABEL, SESSIONS, TESTS, TYPES, Snapshot, manifest_of
from remit.bundle.statement import Statement, at, read_statement
from remit.bundle.trust import Claim, Endorsed, cleared, endorse
from remit.bundle.versions import published
from remit.core.counting import counted
from remit.core.digest import bytes_digest
from remit.core.errors import RemitError
from remit.manifest.identity import manifest_digest
from remit.manifest.model import Verification

if TYPE_CHECKING:
    from remit.bundle.refusal import Refusal

SHOWN = 20  # places that are named for one code
_SKEW = timedelta(minutes=10)  # by which clocks may differ
# which evidence a level needs besides static.json, and which it may have; bundles that were made before there were labels have none
_NEEDS = {
    Verification.DECLARED: (frozenset[str](), frozenset({LABEL})),
    Verification.TESTED: (frozenset({TESTS}), frozenset({LABEL, TESTS})),
    Verification.FORMAL: (frozenset({TESTS, TYPES, SESSIONS}), frozenset({LABEL, TYPES, SESSIONS, TESTS})),
}


def parse(case: AdmissionState) -> Iterator[Reason]:
    """(1) Parse the folder, evidence/, the manifest and the attestation."""
    held = case.given.held
    if isinstance(held, FailedStep):
        yield reason("folder-refused", held.why)
        return
    case.held = held
    if case.given.root_refused is None:  # endorsements of a trust root that is not accepted are not shown
        case.notes.extend(str(found) for found in provenance(held, case.given.root, case.given.now))
    yield from _each("names-collide", (f"`{one}` and `{other}`" for one, other in held.collisions))
    yield from _each("evidence-stray", (f"`{path}`" for path in held.strays))
    try:
        own = manifest_of(held)
        problem = "there is none"
    except RemitError as error:
        own, problem = None, error.message
    if own is not None:
        case.manifest_file, case.manifest = own
        case.claimed = case.manifest.verification
    if ATTEST not in held.evidence:
        yield reason("no-bundle")
    elif own is None:
        yield reason("manifest-missing", problem)
    else:
        yield from _attestation(case)


def _attestation(case: AdmissionState) -> Iterator[Reason]:
    data = case.held.evidence[ATTEST]
    try:
        case.envelope = read_envelope(data, ATTEST)
        said = read_statement(case.envelope.payload)
    except RemitError as error:
        yield reason("attestation-malformed", error.message)
        return
    if render_envelope(case.envelope) != data:
        yield reason("attestation-malformed", f"`{ATTEST}` is not in the canonical spelling")
        return
    case.statement, case.claimed = said, said.level
    case.detail = f"{said.skill} {said.version}, claims `{said.level}`"
    needs, may = _NEEDS[said.level]
    others = said.evidence.keys() - {"static.json"}
    proved = bool(said.toolchain["checkers"] or said.toolchain["solvers"] or said.bound is not None)
    if (
        not needs <= others <= may
        or proved is not (said.level is Verification.FORMAL)
        or (proved and (said.bound is None or said.breadth is None))
        or (said.breadth is not None and not proved)
    ):
        yield reason("attestation-malformed", f"the attested files are not the evidence of the level `{said.level}`")


def signers(case: AdmissionState) -> Iterator[Reason]:
    """(2) Signatures hold, and enough of their signers may attest this level for this label."""
    root, said, now = case.given.root, case.said, case.given.now
    if case.given.root_refused is not None:
        yield because(case.given.root_refused)
        return
    if at(said.time) - now > _SKEW:  # a sum could lie beyond the last year
        yield reason("time-ahead", f"it says {said.time}")
    signed = verify(case.envelope, root.public_keys)
    for why in signed.refused:
        if why.code == "signer-unknown" and signed.held:
            case.notes.append(why.reason)  # surplus signers do no harm
        else:
            yield because(why)
    if not signed.held:
        return  # an envelope has at least one signature, so something was said above
    found = endorse(root, signed.held, Claim(said.skill, said.label, said.level), now)
    if not isinstance(found, Endorsed):
        yield because(found.why)
        yield from map(because, found.refused)
        return
    for why in found.refused:
        if why.code == "signer-level":
            yield because(why)
        else:
            case.notes.append(why.reason)
    case.signers = found.signers
    signing = [key for key in root.keys if key.keyid in found.signers]
    names = [f"{key.authority.name} ({', '.join(key.skills) or 'trusted for any skill'})" for key in signing]
    case.detail = f"signed by {', '.join(names)}"


def clearance(case: AdmissionState) -> Iterator[Reason]:
    """(3) The reader's clearance dominates the label."""
    metadata = case.manifest.skill_metadata
    label = metadata.classification if metadata else None
    if label != case.said.label:
        yield reason("label-differs")
    for found in (label, case.said.label):
        if why := cleared(case.given.root.clearance, found):
            yield because(why)
            break
    case.detail = f"label `{label.label}`" if label else "no label"


def digests(case: AdmissionState) -> Iterator[Reason]:
    """(4) Every file, the manifest and the evidence are the attested ones, and there are no others."""
    held, said = case.held, case.said
    yield from _each("file-missing", (f"`{path}`" for path in said.files if path not in held.files))
    yield from _each("file-added", (f"`{path}`" for path in held.files if path not in said.files))
    changed = (path for path, digest in held.files.items() if said.files.get(path, digest) != digest)
    yield from _each("file-changed", (f"`{path}`" for path in changed))
    modes = sorted(set(held.executables) ^ set(said.executables))
    yield from _each("file-mode", (f"`{path}`" for path in modes))
    yield from _each("folder-empty", (f"`{path}`" for path in held.empty))
    if case.given.checkout:
        case.notes += [f"`{path}` is left out: it is not shipped, and nothing binds it" for path in held.repositories]
    else:
        yield from _each("repository-unbound", (f"`{path}`" for path in held.repositories))
    links = sorted({path for path, _ in set(held.links.items()) ^ set(said.links.items())} | set(held.dangling))
    yield from _each("link-changed", (f"`{path}`" for path in links))
    yield from _manifest(case, said)
    yield from _evidence(held, said)
    case.detail = f"{counted(len(said.files), 'file')}, {len(said.evidence)} of evidence"


def _manifest(case: AdmissionState, said: Statement) -> Iterator[Reason]:
    metadata = case.manifest.skill_metadata
    found = (metadata.name, metadata.version) if metadata else ("", "")
    if case.manifest_file != said.manifest_file:
        yield reason("manifest-changed", f"`{case.manifest_file}` precedes `{said.manifest_file}`")
    elif manifest_digest(case.manifest) != said.manifest:
        yield reason("manifest-changed", f"`{case.manifest_file}`")
    elif found != (said.skill, said.version):
        yield reason("manifest-changed", f"it is about another skill or version than `{said.skill}` {said.version}")


def _evidence(held: Snapshot, said: Statement) -> Iterator[Reason]:
    for name, digest in said.evidence.items():
        if name not in held.evidence:
            yield reason("evidence-missing", f"`{name}`")
        elif bytes_digest(held.evidence[name]) != digest:
            yield reason("evidence-changed", f"`{name}`")
    for name in sorted(held.evidence.keys() - said.evidence.keys() - {ATTEST}):
        yield reason("evidence-added", f"`{name}`")


def name_and_version(case: AdmissionState) -> Iterator[Reason]:
    """(5) The name is not that of another signer, nor like one; the version is not older than one that was admitted before, nor the same with other content."""
    said, given = case.said, case.given
    if why := given.seen(published(given.root, said.skill, said.version, case.held.content, case.signers, given.now)):
        yield because(why)
    case.detail = f"{said.version} is not replayed"


def because(why: Refusal) -> Reason:
    """Return a refusal of the trust root as a reason of admission."""
    return reason(why.code, why.reason)


def _each(code: str, details: Iterable[str]) -> Iterator[Reason]:
    return (reason(code, detail) for detail in islice(details, SHOWN))
