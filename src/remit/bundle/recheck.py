"""Steps 6 to 9 of admission: everything is analysed and proved again, and compared with the bundle."""

from __future__ import annotations

from collections.abc import Iterator

from remit.bundle.admission_state import AdmissionState, Analysed, FailedStep
from remit.bundle.breadth import unlimited_grants
from remit.bundle.canonical import written
from remit.bundle.codes import Reason, reason
from remit.bundle.label import false_claims, label_value, read_label
from remit.bundle.proof_evidence import MAX_BOUND, SAME, SESSIONS_KIND, TYPES_KIND, EvidenceKind, Proofs, held_against
from remit.bundle.snapshot import LABEL, SESSIONS, STATIC, TESTS, TYPES
from remit.bundle.static import StaticVerdict, document, judged, read_static
from remit.bundle.tests_record import why_not_tested
from remit.bundle.toolchain import analyser
from remit.bundle.trust import height, lower, minimum_for
from remit.core.capability import vocabulary
from remit.core.counting import counted
from remit.core.errors import RemitError
from remit.manifest.identity import manifest_digest
from remit.manifest.model import Decision, Verification
from remit.policy.session import HORIZON
from remit.proof import Verdict


def method_a(case: AdmissionState) -> Iterator[Reason]:
    """(6) Run Method A again: the skill is contained, and the result equals static.json."""
    found = case.given.analyse()
    if isinstance(found, FailedStep):
        yield reason("analysis-failed", found.why)
        return
    case.effects = found.effects
    try:
        now = judged(found.effects, case.manifest)
    except RemitError as error:  # a comparison that would be endless
        yield reason("analysis-failed", error.message)
        return
    wrong = [*_uncontained(now), *_static(case, now)]
    yield from wrong
    case.detail = f"{counted(len(found.effects.effects), 'effect')}, all inside"
    if LABEL in case.held.evidence and not wrong:
        yield from _label(case, found)


def _uncontained(now: StaticVerdict) -> Iterator[Reason]:
    for item in now.containment.escapes[:3]:
        effect = item.effect
        yield reason(
            "analysis-escapes", f"{effect.capability} {effect.scope.render()} at {effect.where}: {item.reason}"
        )
    if now.containment.verdict is Verdict.OPAQUE:
        place = now.found.opaque[0]
        yield reason("analysis-opaque", f"{place.where}: {place.reason}")


def _static(case: AdmissionState, now: StaticVerdict) -> Iterator[Reason]:
    """The same analyser gives the same bytes; a different one must reach the same verdict on the same manifest."""
    data = case.held.evidence[STATIC]
    try:
        told = read_static(data)
    except RemitError as error:
        yield reason("static-malformed", error.message)
        return
    own = document(now, analyser())
    attested = case.said.toolchain["analyser"]
    if told["analyser"] != attested:
        yield reason("static-differs", "it names another analyser than the attestation")
    elif told["analyser"] == own["analyser"]:
        if written(own) != data:
            yield reason("static-differs", _first_difference(told, own))
    elif told["verdict"] != Verdict.CONTAINED or told["manifest"] != manifest_digest(case.manifest):
        yield reason("static-differs", f"it says `{told['verdict']}`, perhaps of another manifest")
    else:
        case.notes.append(
            "static.json names another analyser: its verdict was checked again, but its lists were not compared"
        )


def _label(case: AdmissionState, found: Analysed) -> Iterator[Reason]:
    """Every guarantee of the label holds here; and the same analyser gives the same bytes."""
    data = case.held.evidence[LABEL]
    try:
        told = read_label(data)
    except RemitError as error:
        yield reason("label-json-malformed", error.message)
        return
    own = label_value(found.effects, found.findings, case.held.content)
    wrong = list(false_claims(told, own))
    for text in wrong[:3]:
        yield reason("guarantee-false", f"\u201c{text}\u201d is claimed")
    if wrong:
        return
    if told["content"] != own["content"]:
        yield reason("label-json-differs", "it names another content")
    elif case.said.toolchain["analyser"] == analyser().value() and written(own) != data:
        yield reason("label-json-differs", _first_difference(told, own))
    else:
        case.detail += f"; {counted(len(told['guarantees']), 'guarantee')} hold"


def _first_difference(told: dict[str, object], own: dict[str, object]) -> str:
    return f"`{next((name for name in own if told[name] != own[name]), 'spelling')}` is not what is found here"


def method_b(case: AdmissionState) -> Iterator[Reason]:
    """(7) Generate and type-check the dispatch again."""
    if case.claimed is not Verification.FORMAL:
        return
    yield from _proof(case, TYPES, TYPES_KIND, "checkers")


def method_c(case: AdmissionState) -> Iterator[Reason]:
    """(8) Generate and search the sessions again, up to a useful, finite bound."""
    if case.claimed is not Verification.FORMAL:
        return
    bound = case.said.bound or 0
    if bound < HORIZON or bound > MAX_BOUND:
        yield reason("bound-short" if bound < HORIZON else "bound-excessive", f"{bound} envelopes")
        return
    yield from _proof(case, SESSIONS, SESSIONS_KIND, "solvers")


def _proof(case: AdmissionState, name: str, kind: EvidenceKind, tools: str) -> Iterator[Reason]:
    data = case.held.evidence[name]
    try:
        told = kind.read(data)
        if told.named != case.said.toolchain[tools]:  # before anything expensive starts
            code, case.detail = f"{kind.stem}-{kind.differ}", "it names other tools than the attestation"
        else:
            proofs = _proofs(case)
            attempt = proofs.types if kind is TYPES_KIND else proofs.sessions
            code, case.detail = held_against(told, data, attempt, kind)
            if not code and case.detail != SAME:
                case.notes.append(f"{name} names other tools: its statements about them were not checked")
    except RemitError as error:
        code, case.detail = f"{kind.stem}-malformed", error.message
    if code:
        yield reason(code, case.detail)


def _proofs(case: AdmissionState) -> Proofs:
    """Run both methods in parallel, when the first of them is needed. We choose the bound."""
    if case.proofs is None:
        bound = min(max(case.said.bound or 0, HORIZON), MAX_BOUND)
        case.proofs = case.given.prove(case.manifest, case.effects, bound)
    return case.proofs


def level(case: AdmissionState, *, formal: bool) -> Iterator[Reason]:
    """(9) Return the level that all this supports: as much of the claim as was shown. `formal` also needs the tests, and
    a manifest no broader than the trust root allows.
    """
    tested = TESTS in case.held.evidence
    if tested and (wrong := why_not_tested(case.held.evidence[TESTS], case.manifest, case.held.content)):
        yield reason(*wrong)
        tested = False
    if tested:
        case.notes.append("tests.json is a claim of the signer about these files; the tests were not run again")
    broad = list(_breadth(case))
    yield from broad
    shown = (
        Verification.FORMAL if formal and tested and not broad and case.claimed is Verification.FORMAL
        else Verification.TESTED if tested
        else Verification.DECLARED
    )  # fmt: skip
    case.level = lower(case.claimed, shown)
    case.notes += _withheld(case)
    if height(case.manifest.verification) > height(case.claimed):
        yield reason("claim-unsupported", f"it claims `{case.manifest.verification}`, the bundle `{case.claimed}`")
    case.detail = f"`{case.level}` holds"
    if case.claimed is Verification.FORMAL:
        case.detail += f"; {counted(case.said.breadth or 0, 'unlimited grant')}"


def _breadth(case: AdmissionState) -> Iterator[Reason]:
    """The statement reports the manifest's breadth correctly, and the trust root allows it."""
    if case.claimed is not Verification.FORMAL:
        return
    found = unlimited_grants(case.manifest)
    most = case.given.root.unlimited_grants
    if len(found) != case.said.breadth:
        yield reason("breadth-differs", f"it says {case.said.breadth}, and there are {len(found)}")
    elif most is not None and len(found) > most:
        yield reason("too-broad", f"{counted(len(found), 'unlimited grant')}, {most} allowed: {', '.join(found[:3])}")
    case.notes.extend(f"unlimited grant: {one}" for one in found[:20])


def _withheld(case: AdmissionState) -> list[str]:
    """Return what the manifest grants and the trust root denies at this level."""
    granted = {
        name
        for entry in case.manifest.permissions
        if entry.effect is not Decision.DENY
        for name in vocabulary().expand(entry.capability)
    }
    asked = {name: minimum_for(case.given.root, name) for name in sorted(granted)}
    return [
        f"{name} is denied: the trust root asks for `{level}`"
        for name, level in asked.items()
        if height(case.level) < height(level)
    ]
