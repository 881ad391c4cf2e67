"""The creation of a bundle: run the three methods, keep their results, and put everything in one statement.

Only what holds is written: a bundle has the requested level, or is not made.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from remit.bundle.breadth import unlimited_grants
from remit.bundle.canonical import MAX_BYTES, written
from remit.bundle.dsse import IN_TOTO, render_envelope, sign
from remit.bundle.label import label_value
from remit.bundle.proof_evidence import SESSIONS_KIND, TYPES_KIND, Proofs
from remit.bundle.snapshot import ATTEST, FOLDER, LABEL, SESSIONS, STATIC, TESTS, TYPES, Snapshot, manifest_of
from remit.bundle.statement import Statement
from remit.bundle.static import StaticVerdict, document, judged
from remit.bundle.tests_record import why_not_tested
from remit.bundle.toolchain import analyser
from remit.bundle.trust import height
from remit.core.digest import bytes_digest
from remit.core.errors import BundleError
from remit.manifest.identity import manifest_digest
from remit.manifest.model import Manifest, Verification
from remit.policy.session import HORIZON
from remit.proof.verdict import Proved

if TYPE_CHECKING:
    from remit.analysis.result import Effects
    from remit.bundle.admission_state import Analysed
    from remit.bundle.keys import PrivateKey

_NO_RECORD = "there is no record: `remit test SKILL --output FILE` makes one, and `--tests FILE` counts it"


class ProvingRequest(NamedTuple):
    """The level to prove, and the signer and time."""

    level: Verification
    bound: int
    time: str
    keys: Sequence[PrivateKey]
    tests: bytes | None = None  # a record of `remit test`


class Subject(NamedTuple):
    """A skill that can be bundled: a folder with ordinary files, and a manifest with name and version."""

    held: Snapshot
    file: str
    manifest: Manifest
    name: str
    version: str


class ProvingResult(NamedTuple):
    """What was shown of a skill, and the bundle if it was enough."""

    subject: Subject
    wanted: Verification
    level: Verification  # that holds
    judged: StaticVerdict
    proofs: Proofs | None = None
    untested: str = ""  # why a record of tests does not count
    files: Mapping[str, bytes] | None = None  # of evidence/, by name

    @property
    def breadth(self) -> tuple[str, ...]:
        """The grants of the manifest without a limit."""
        return unlimited_grants(self.subject.manifest)


def subject_of(held: Snapshot) -> Subject:
    """Return the skill in a folder; BundleError if a bundle could not bind all of it, or there is nothing to prove."""
    if held.strays:
        raise BundleError(f"`{held.strays[0]}` is no evidence", f"move it out of {FOLDER}/: no digest would bind it")
    if held.collisions:
        one, other = held.collisions[0]
        raise BundleError(f"`{one}` and `{other}` are one file on some systems", "rename one of them")
    if held.dangling:
        raise BundleError(f"`{held.dangling[0]}` is a link that leads to nothing", "remove it, or restore its target")
    if held.empty:
        message = f"the folder `{held.empty[0]}` is empty: Git does not carry it, and no digest binds it"
        raise BundleError(message, "put a file into it, or remove it")
    own = manifest_of(held)
    if own is None:
        raise BundleError("the skill has no manifest, so there is nothing to prove", "draft one with `remit init PATH`")
    file, manifest = own
    metadata = manifest.skill_metadata
    if metadata is None or not metadata.version:
        message = f"{file}: a bundle is for one version of a skill, and the manifest names none"
        raise BundleError(message, 'add "skill_metadata": {"name": …, "version": "1.0"}, or run `remit init --update`')
    return Subject(held, file, manifest, metadata.name, metadata.version)


def show(
    subject: Subject, found: Analysed, wanted: ProvingRequest, prove: Callable[[Manifest, Effects, int], Proofs]
) -> ProvingResult:
    """Find out which level holds, and make the bundle if it is the requested one."""
    now = judged(found.effects, subject.manifest)
    _refuse_hidden(found.effects)
    shown = ProvingResult(subject, wanted.level, Verification.UNVERIFIED, now)
    if not now.contained:
        return shown
    shown = shown._replace(level=Verification.DECLARED)
    if wanted.tests is None:
        shown = shown._replace(untested="" if wanted.level is Verification.DECLARED else _NO_RECORD)
    else:
        wrong = why_not_tested(wanted.tests, subject.manifest, subject.held.content)
        shown = shown._replace(untested=f"{wrong[0]}: {wrong[1]}" if wrong else "")
        if not wrong:
            shown = shown._replace(level=Verification.TESTED)
    if wanted.level is Verification.FORMAL and shown.level is Verification.TESTED:
        proofs = prove(subject.manifest, found.effects, wanted.bound)
        shown = shown._replace(proofs=proofs)
        if all(isinstance(attempt.outcome, Proved) for attempt in proofs) and wanted.bound >= HORIZON:
            shown = shown._replace(level=Verification.FORMAL)
    if height(shown.level) < height(wanted.level):
        return shown
    return shown._replace(files=_bundle(shown, found, wanted))


def _refuse_hidden(found: Effects) -> None:
    """Raise BundleError if existing evidence in the folder has effects: a bundle replaces it, so it must not count."""
    for place in (*(item.where for item in found.effects), *(item.where for item in found.opaque)):
        if place.file.startswith(f"{FOLDER}/"):
            raise BundleError(f"`{place}` does something, and evidence does nothing", f"remove the folder {FOLDER}/")


def _bundle(shown: ProvingResult, found: Analysed, wanted: ProvingRequest) -> Mapping[str, bytes]:
    label = label_value(found.effects, found.findings, shown.subject.held.content)
    files = {STATIC: written(document(shown.judged, analyser())), LABEL: written(label)}
    toolchain: dict[str, Any] = {"analyser": analyser().value(), "checkers": [], "solvers": []}
    if wanted.level is Verification.FORMAL and shown.proofs is not None:
        files |= {TYPES: shown.proofs.types.evidence, SESSIONS: shown.proofs.sessions.evidence}
        toolchain["checkers"] = TYPES_KIND.read(files[TYPES]).named
        toolchain["solvers"] = SESSIONS_KIND.read(files[SESSIONS]).named
    if wanted.tests is not None and not shown.untested and wanted.level is not Verification.DECLARED:
        files[TESTS] = wanted.tests
    for name, data in files.items():
        if len(data) > MAX_BYTES:
            raise BundleError(f"`{name}` would have {len(data)} bytes, more than {MAX_BYTES}", "make the skill smaller")
    subject = shown.subject
    metadata = subject.manifest.skill_metadata
    statement = Statement(
        subject.name,
        subject.version,
        wanted.level,
        metadata.classification if metadata else None,
        subject.file,
        manifest_digest(subject.manifest),
        subject.held.files,
        tuple(sorted(subject.held.executables)),
        subject.held.links,
        {name: bytes_digest(data) for name, data in files.items()},
        toolchain,
        wanted.bound if wanted.level is Verification.FORMAL else None,
        wanted.time,
        len(unlimited_grants(subject.manifest)) if wanted.level is Verification.FORMAL else None,
    )
    envelope = sign(IN_TOTO, statement.payload(), wanted.keys)
    return files | {ATTEST: render_envelope(envelope)}
